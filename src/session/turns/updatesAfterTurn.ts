/** What agents send of a turn when they have answered its prompt. */
import type { ChunkAction, SessionAction } from '../state/actions';
import type { SessionState, Turn } from '../state/state';

/**
 * `action` for the turn that has ended, where it goes on with a message of that. Calls are found by their ids
 * wherever they are; what else comes after a turn is no part of it: no agent is known that sends more of one.
 */
export function ofItsTurn(state: SessionState, action: SessionAction): SessionAction {
  if (action.type !== 'chunkReceived' || action.stream === 'user') return action;
  if (action.parentToolCallId !== undefined) return action;
  const last = state.turns.at(-1);
  if (!last?.prompt || last.endedAt === undefined) return action;
  return goesOn(action, last, state.activeTurn)
    ? { ...action, turnId: last.id, late: true }
    : action;
}

/** Whether the message is one of the turn before. Without an id it is not known. */
function goesOn({ messageId }: ChunkAction, before: Turn, active: Turn | undefined): boolean {
  if (messageId === undefined || (active && isIn(active, messageId))) return false;
  return isIn(before, messageId);
}

function isIn({ parts }: Turn, messageId: string): boolean {
  // Streams come by the thousand, and what they go on with is the last.
  return parts.findLastIndex(part => 'messageId' in part && part.messageId === messageId) !== -1;
}
