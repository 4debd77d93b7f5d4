/** What agents tell of a turn when they have answered its prompt. */
import type { ChunkAction, SessionAction } from '../state/actions';
import type { SessionState, Turn } from '../state/state';

/** So long after its end, in milliseconds, what is told is taken for the rest of a turn. */
const AFTER_TURN_MS = 2_000;

/** `action` for the turn that has ended, where it is left over from that. */
export function ofItsTurn(state: SessionState, action: SessionAction): SessionAction {
  switch (action.type) {
    case 'chunkReceived':
    case 'contentReceived':
    case 'toolCallChanged': {
      const last = state.turns.at(-1);
      if (!last?.prompt || last.endedAt === undefined || action.parentToolCallId !== undefined) {
        return action;
      }
      const isAfterEnd = state.activeTurn
        ? action.type === 'chunkReceived' && goesOn(action, last, state.activeTurn)
        : last.end?.reason !== 'interrupted' && action.at - last.endedAt <= AFTER_TURN_MS;
      return isAfterEnd ? { ...action, turnId: last.id, late: true } : action;
    }
    default:
      return action;
  }
}

/** Whether the message is one of the turn before. Without an id nobody can tell. */
function goesOn({ messageId }: ChunkAction, before: Turn, active: Turn): boolean {
  if (messageId === undefined) return false;
  return !isIn(active, messageId) && isIn(before, messageId);
}

function isIn({ parts }: Turn, messageId: string): boolean {
  // Streams come by the thousand, and what they go on with is the last.
  return parts.findLastIndex(part => 'messageId' in part && part.messageId === messageId) !== -1;
}
