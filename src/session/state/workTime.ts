/** How long a turn works: the time in which it waits for the user is not the agent's. Pure. */
import type { SessionState, Turn } from './state';

/** `state` after a request has come or gone at `at`. */
export function withWaiting(state: SessionState, at: number): SessionState {
  const { activeTurn: turn, permissions, elicitations } = state;
  const waits = permissions.length + elicitations.length > 0;
  if (!turn || waits === (turn.waitsSince !== undefined)) return state;
  return { ...state, activeTurn: waits ? { ...turn, waitsSince: at } : goneOn(turn, at) };
}

/** The turn when nothing waits any more. */
export function goneOn(turn: Turn, at: number): Turn {
  const { waitsSince, ...rest } = turn;
  if (waitsSince === undefined) return turn;
  return { ...rest, waited: (rest.waited ?? 0) + Math.max(0, at - waitsSince) };
}

/** In milliseconds. */
export function workedFor(turn: Turn, now: number): number {
  const { startedAt, endedAt, waited = 0, waitsSince = now } = turn;
  return Math.max(0, (endedAt ?? waitsSince) - startedAt - waited);
}
