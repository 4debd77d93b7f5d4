import { allTurns } from '../../src/session/state/selectors';
import type { SessionState, Turn } from '../../src/session/state/state';
import { holderOf } from './context';
import type { RailPrompt } from './promptRail';
import { promptName } from './promptView';

let known:
  | {
      readonly turns: readonly Turn[];
      readonly active: unknown;
      readonly waiting: string;
      readonly prompts: readonly RailPrompt[];
    }
  | undefined;

/** The prompts of a chat; the same array while they are the same. */
export function railPrompts(session: SessionState): readonly RailPrompt[] {
  const { turns, activeTurn, permissions } = session;
  const holders = new Set(permissions.map(each => holderOf(session, each.toolCallId)?.id));
  const waiting = [...holders].join(' ');
  const active = activeTurn?.prompt;
  if (known?.turns !== turns || known.active !== active || known.waiting !== waiting) {
    const prompts = allTurns(session).flatMap(({ id, prompt }) =>
      prompt ? [{ turnId: id, name: promptName(prompt), waits: holders.has(id) }] : [],
    );
    known = { turns, active, waiting, prompts };
  }
  return known.prompts;
}
