import type { TurnEnd } from '../state/state';

/** How a turn ended, from the agent's stop reason. */
export function endOf(reason: string): TurnEnd {
  switch (reason) {
    case 'end_turn':
    case 'cancelled':
    case 'refusal':
    case 'max_tokens':
    case 'max_turn_requests':
      return { reason };
    default:
      return { reason: 'other' };
  }
}
