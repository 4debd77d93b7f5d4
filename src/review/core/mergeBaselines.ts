import { diffLines, endOf, type Change } from '../../base/lineDiff';
import { splitLines } from './lines';

/**
 * What `current` was before all that either of two baselines of it says is to be decided; where they speak of the same
 * lines, the one that speaks of more. Pure.
 */
export function mergeBaselines(current: string, mine: string, theirs: string): string {
  const lines = splitLines(current);
  const [m, t] = [mine, theirs].map(text => sideOf(lines, splitLines(text))) as [Side, Side];
  const merged: string[] = [];
  let at = 0;
  while (m.length > 0 || t.length > 0) {
    const [ofMine, ofTheirs] = nextGroup(m, t);
    for (const { before, lines: text } of sizeOf(ofMine) < sizeOf(ofTheirs) ? ofTheirs : ofMine) {
      merged.push(...lines.slice(at, before.start), ...text);
      at = endOf(before);
    }
  }
  return [...merged, ...lines.slice(at)].join('');
}

interface Replacement {
  /** Of the present lines. */
  readonly before: Change['before'];
  readonly lines: readonly string[];
}

/** In order of line. */
type Side = Replacement[];

function sideOf(current: readonly string[], baseline: readonly string[]): Side {
  return diffLines(current, baseline).flatMap(({ before, after }): Side => {
    const lines = baseline.slice(after.start, endOf(after));
    if (before.count !== after.count) return [{ before, lines }];
    // Line by line: of two that overlap, what is in one alone stays.
    return lines.map((line, index) => ({
      before: { start: before.start + index, count: 1 },
      lines: [line],
    }));
  });
}

/** Takes from both what is next and overlaps, directly or by way of another. */
function nextGroup(m: Side, t: Side): readonly [Side, Side] {
  const group: [Side, Side] = [[], []];
  let end: number | undefined;
  for (;;) {
    const [a, b] = [m[0], t[0]];
    const side = b && (!a || startsBefore(b, a)) ? 1 : 0;
    const next = side === 1 ? b : a;
    if (!next) return group;
    const { start, count } = next.before;
    // Two that put lines at one place meet as well.
    if (end !== undefined && start >= end + (count === 0 ? 1 : 0)) return group;
    (side === 1 ? t : m).shift();
    group[side].push(next);
    end = Math.max(end ?? 0, endOf(next.before));
  }
}

function startsBefore(a: Replacement, b: Replacement): boolean {
  return a.before.start === b.before.start
    ? a.before.count < b.before.count
    : a.before.start < b.before.start;
}

function sizeOf(side: Side): number {
  return side.reduce((sum, { before, lines }) => sum + before.count + lines.length, 0);
}
