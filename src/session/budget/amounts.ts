/** What is spent on agents, as sums. Pure. */
import { allTurns } from '../state/selectors';
import { workedFor } from '../state/workTime';
import type { SessionState } from '../state/state';
import { MEASURES, type Amounts } from './measures';

export const NOTHING: Amounts = { tokens: 0, money: 0, minutes: 0, files: 0 };

export function plus(a: Amounts, b: Amounts): Amounts {
  return combined(a, b, (one, other) => one + other);
}

/** What `later` has more than `earlier`: what began again from nothing counts from there. */
export function increase(earlier: Amounts, later: Amounts): Amounts {
  return combined(earlier, later, (before, after) => (after < before ? after : after - before));
}

export function isNothing(amounts: Amounts): boolean {
  return MEASURES.every(measure => amounts[measure] === 0);
}

/**
 * What a chat has cost so far. Tokens are those that the agent counted turn by turn, or at least what stands in its context;
 * money is in the agent's currency.
 * @param files how many it has changed
 */
export function spentIn(state: SessionState, files: number, now: number): Amounts {
  const turns = allTurns(state).filter(({ prompt }) => prompt !== undefined);
  const counted = turns.reduce((sum, { tokens = 0 }) => sum + tokens, 0);
  const milliseconds = turns.reduce((sum, turn) => sum + workedFor(turn, now), 0);
  return {
    tokens: Math.max(counted, state.usage?.used ?? 0),
    money: state.usage?.cost?.amount ?? 0,
    minutes: milliseconds / 60_000,
    files,
  };
}

function combined(a: Amounts, b: Amounts, combine: (a: number, b: number) => number): Amounts {
  return {
    tokens: combine(a.tokens, b.tokens),
    money: combine(a.money, b.money),
    minutes: combine(a.minutes, b.minutes),
    files: combine(a.files, b.files),
  };
}
