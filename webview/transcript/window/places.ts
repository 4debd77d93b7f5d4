import { ownParts } from '../../../src/session/state/lanes';
import { laneOf } from '../../../src/session/state/partIndex';
import { allTurns } from '../../../src/session/state/selectors';
import type { Part, SessionState, Turn } from '../../../src/session/state/state';
import { runs, type Group, type Groups } from '../groups';
import type { Row } from './listWindow';

/** The list of all turns, among the lists of the conversation. */
export const TURNS = 'turns';

/** A list that has a row in the document, once `fold` is open. */
export interface Step {
  readonly list: string;
  readonly row: (row: Row) => boolean;
  readonly fold?: string;
}

/**
 * The way from the conversation down to a turn, or to a part of it.
 * @param groups what is drawn as one row
 */
export function stepsTo(
  session: SessionState,
  turnId: string,
  partId: string | undefined,
  groups: Groups,
): readonly Step[] | undefined {
  const turn = allTurns(session).find(({ id }) => id === turnId);
  if (!turn) return undefined;
  const steps: Step[] = [{ list: TURNS, row: ({ key }) => key === turnId }];
  const part = partId === undefined ? undefined : turn.parts.find(({ id }) => id === partId);
  if (!part) return steps;
  const [top, ...below] = above(turn, part);
  if (top) steps.push(...stepsIn(session, turn, top));
  for (const [index, each] of below.entries()) {
    const outer = index === 0 ? top : below[index - 1];
    steps.push({ list: `${outer?.id}#steps`, fold: outer?.id ?? '', row: holds(each) });
  }
  const list = steps.at(-1)?.list ?? '';
  const reads = groups.readsWith(list, part);
  if (reads !== undefined) steps.push({ list: reads, fold: reads, row: holds(part) });
  return steps;
}

/** The part and the calls that it stands under, the outermost first. */
function above(turn: Turn, part: Part): readonly Part[] {
  const lane = laneOf(part);
  const outer =
    lane === undefined
      ? undefined
      : turn.parts.findLast(each => each.kind === 'tool' && each.toolCallId === lane);
  return outer ? [...above(turn, outer), part] : [part];
}

/** A finished turn has folded what was done. */
function stepsIn(session: SessionState, turn: Turn, part: Part): readonly Step[] {
  const step: Step = { list: turn.id, row: holds(part) };
  if (turn === allTurns(session).at(-1)) return [step];
  const all = runs(ownParts(turn));
  const run = all.find(group => group.isWork && group.parts.includes(part));
  if (!run) return [step];
  const fold = workKey(turn, run.parts);
  return [step, { list: fold, fold, row: holds(part) }];
}

/** The name of the fold of a run of work. */
export function workKey(turn: Turn, work: readonly Part[]): string {
  return isOnlyRun(turn, work) ? `${turn.id}#work` : `${turn.id}#work ${work[0]?.id}`;
}

export function isOnlyRun(turn: Turn, work: readonly Part[]): boolean {
  const all = runs(ownParts(turn));
  const isFirst = all.find(run => run.isWork)?.parts === work;
  return isFirst && all.findLast(run => run.isWork)?.parts === work;
}

function holds(part: Part): (row: Row) => boolean {
  return row => (row as Group).parts.some(({ id }) => id === part.id);
}
