/** What the user says to a turn that runs. Pure; used by the reducer alone. */
import type { Message, SessionState, Turn, UserPart } from './state';
import { allTurns } from './selectors';
import { replaceTurn, withPart } from './turns';

/** It stands in the turn at once, where the agent is at the moment. */
export function steerTurn(state: SessionState, message: Message, at: number): SessionState {
  const { activeTurn } = state;
  if (!activeTurn) return state;
  const part = { kind: 'user' as const, id: message.id, message, waiting: true as const };
  return replaceTurn(state, activeTurn, withPart(activeTurn, part, at));
}

export function takeSteering(state: SessionState, messageId: string): SessionState {
  return change(state, messageId, ({ waiting: _, ...taken }) => taken);
}

/** The message goes out of the turn, and before all others of the queue: it was meant for sooner. */
export function returnSteering(state: SessionState, messageId: string): SessionState {
  const found = steeredIn(state, messageId);
  if (!found) return state;
  const without = change(state, messageId, () => undefined);
  return { ...without, queue: [found.part.message, ...state.queue] };
}

/** Whether the user has said that in the course of the turn. */
export function isSteered({ parts }: Turn, says: (message: Message) => boolean): boolean {
  return parts.some(part => part.kind === 'user' && says(part.message));
}

function change(
  state: SessionState,
  messageId: string,
  of: (part: UserPart) => UserPart | undefined,
): SessionState {
  const found = steeredIn(state, messageId);
  if (!found) return state;
  const { turn, part } = found;
  const parts = turn.parts.flatMap(each => (each === part ? (of(part) ?? []) : [each]));
  return replaceTurn(state, turn, { ...turn, parts });
}

function steeredIn(
  state: SessionState,
  messageId: string,
): { readonly turn: Turn; readonly part: UserPart } | undefined {
  for (const turn of allTurns(state).toReversed()) {
    const part = turn.parts.find(
      (each): each is UserPart => each.kind === 'user' && each.id === messageId && !!each.waiting,
    );
    if (part) return { turn, part };
  }
  return undefined;
}
