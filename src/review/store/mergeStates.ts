/** What two windows have stored beside the ledger, together. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { mergeMaps } from '../../base/mergeMaps';
import type { StoredState } from './storedState';

type Rest = Pick<StoredState, 'originals' | 'removed' | 'rewind'>;
type TurnFiles = Rest['rewind']['turns'][number];

/**
 * @param base what both began with
 * @param mine of this window, which has the last word
 */
export function mergeStates(base: Rest | undefined, mine: Rest, theirs: Rest): Rest {
  const { overwritten } = isDeepStrictEqual(mine.rewind.overwritten, base?.rewind.overwritten)
    ? theirs.rewind
    : mine.rewind;
  const turns = mergeMaps(turnsIn(base), turnsIn(mine), turnsIn(theirs), isDeepStrictEqual, both);
  return {
    originals: mergeEntries(base?.originals, mine.originals, theirs.originals),
    removed: mergeEntries(base?.removed, mine.removed, theirs.removed),
    rewind: { turns: [...turns.values()], ...(overwritten && { overwritten }) },
  };
}

function mergeEntries<T>(...sides: readonly (readonly (readonly [string, T])[] | undefined)[]) {
  const [base, mine, theirs] = sides.map(entries => new Map(entries));
  const none = new Map<string, T>();
  return [...mergeMaps(base ?? none, mine ?? none, theirs ?? none, isDeepStrictEqual, m => m)];
}

function turnsIn(state: Rest | undefined): Map<string, TurnFiles> {
  return new Map(
    state?.rewind.turns.map(one => [JSON.stringify([one.turn.chatId, one.turn.turnId]), one]),
  );
}

function both(mine: TurnFiles | undefined, theirs: TurnFiles | undefined): TurnFiles | undefined {
  if (!mine || !theirs) return mine ?? theirs;
  return { ...mine, files: [...new Map([...theirs.files, ...mine.files])] };
}
