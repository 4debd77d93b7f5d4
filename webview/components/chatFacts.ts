import * as l10n from '@vscode/l10n';
import { attachmentsOf, earlierMentions } from '../../src/session/state/mentions';
import { waitingRequests, type WaitingRequest } from '../../src/session/state/selectors';
import type { Attachment, SessionState, Turn } from '../../src/session/state/state';
import type { ViewMemory } from '../host';

let lastMentions:
  | {
      readonly turns: unknown;
      readonly prompt: unknown;
      readonly queue: unknown;
      readonly found: readonly Attachment[];
    }
  | undefined;

/** What earlier messages mention; the same array while they are the same. */
export function mentionsOf(session: SessionState): readonly Attachment[] {
  const { turns, activeTurn, queue } = session;
  const prompt = activeTurn?.prompt;
  if (
    lastMentions?.turns !== turns ||
    lastMentions.prompt !== prompt ||
    lastMentions.queue !== queue
  ) {
    lastMentions = { turns, prompt, queue, found: earlierMentions(session) };
  }
  return lastMentions.found;
}

let lastTurns: { readonly turns: readonly Turn[]; readonly prompts: readonly string[] } | undefined;

/** Earlier prompts of a chat, oldest first; the same array while the turns are the same. */
export function promptsOf({ turns, activeTurn }: SessionState): readonly string[] {
  if (lastTurns?.turns !== turns || lastTurns.prompts.at(-1) !== activeTurn?.prompt?.text) {
    const all = activeTurn ? [...turns, activeTurn] : turns;
    const prompts = all.flatMap(({ prompt }) => (prompt?.text ? [prompt.text] : []));
    lastTurns = { turns, prompts };
  }
  return lastTurns.prompts;
}

/** When the waiting messages go. */
export function queueNote({ activeTurn, connection, agent }: SessionState): string {
  if (connection.kind === 'signIn') return l10n.t('sent when you have signed in');
  if (connection.kind !== 'ready') return l10n.t('sent when {0} is ready', agent.name);
  return activeTurn ? l10n.t('sent when the agent is done') : '';
}

/** The user has stopped the turn, or the connection was lost in it: what waits behind it is not sent by itself. */
export function isQueuePaused({ queue, activeTurn, connection, turns }: SessionState): boolean {
  const end = turns.findLast(({ prompt }) => prompt)?.end?.reason;
  const wasCut = end === 'cancelled' || end === 'interrupted';
  return queue.length > 0 && !activeTurn && connection.kind === 'ready' && wasCut;
}

/** Nothing runs, waits or is about to be sent: what is left to do is to decide on changes. */
export function isSettled(session: SessionState): boolean {
  const { activeTurn, connection, draft } = session;
  const calm = connection.kind === 'ready' || connection.kind === 'stopped';
  const writing =
    draft.text.trim() !== '' || attachmentsOf(draft.text, draft.attachments, []).length > 0;
  return calm && !activeTurn && waitingRequests(session).length === 0 && !writing;
}

/** What was filled in, without the forms that are gone. */
export function openForms(
  filled: ViewMemory['forms'],
  session: SessionState | undefined,
): NonNullable<ViewMemory['forms']> {
  const ids = new Set(session?.elicitations.map(({ id }) => id));
  return Object.fromEntries(Object.entries(filled ?? {}).filter(([id]) => ids.has(id)));
}

/**
 * The first request that waits where the reader does not see it.
 * @param shown the conversation that is shown: the chat's, or that of a subagent of it
 * @param hidden requests of the one that is shown that are out of view
 */
export function firstOutOfSight(
  session: SessionState,
  shown: SessionState,
  hidden: ReadonlySet<string>,
): WaitingRequest | undefined {
  return waitingRequests(session).find(({ id }) => hidden.has(id) || !hasRequest(shown, id));
}

/** Whether a request stands in that conversation. */
export function hasRequest(shown: SessionState, requestId: string): boolean {
  return waitingRequests(shown).some(({ id }) => id === requestId);
}
