import type { Environment } from '../ports';
import type { Turn } from '../state/state';
import type { SessionStore } from '../state/store';

/** A replay is over when so long no more of it came; so long it is waited for at most. In milliseconds. */
const QUIET = 100;
const AT_MOST = 2_000;

/**
 * Gemini CLI answers `session/load` before it has sent the conversation, although the protocol wants it before:
 * what is sent at once would get the rest of it for its answer. Resolves when no more of it comes.
 */
export function replayed(
  store: SessionStore,
  environment: Pick<Environment, 'after'>,
): Promise<void> {
  return new Promise(resolve => {
    const done = (): void => {
      listening.dispose();
      quiet.dispose();
      limit.dispose();
      resolve();
    };
    let { turns } = store.state;
    let quiet = environment.after(QUIET, done);
    const limit = environment.after(AT_MOST, done);
    const listening = store.onDidApply(() => {
      if (store.state.turns === turns) return;
      ({ turns } = store.state);
      quiet.dispose();
      quiet = environment.after(QUIET, done);
    });
  });
}

/**
 * Whether a replay has no prompt that is not known. Then what is known is worth more: when it was, what it changed,
 * and where it can be taken back to. Agents add to a prompt what was attached to it.
 */
export function hasNothingNew(replayed: readonly Turn[], known: readonly Turn[]): boolean {
  const prompts = known.flatMap(({ prompt }) => prompt?.text.trim() ?? []);
  let next = 0;
  return replayed.every(({ prompt }) => {
    if (prompt === undefined) return true;
    const found = prompts.findIndex((text, index) => index >= next && prompt.text.includes(text));
    next = found + 1;
    return found >= 0;
  });
}
