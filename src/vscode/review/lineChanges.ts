/** Which of the review's hunks a change of VS Code's own diff is about. Pure. */
import type { Hunk, LineRange } from '../../review/model';

/**
 * A change as the Source Control peek names it: 1-based lines, inclusive. An end of 0 means that nothing
 * is on that side; the start is then the line before.
 */
export interface LineChange {
  readonly originalStartLineNumber: number;
  readonly originalEndLineNumber: number;
  readonly modifiedStartLineNumber: number;
  readonly modifiedEndLineNumber: number;
}

export function isLineChange(value: unknown): value is LineChange {
  const change = value as Partial<Record<keyof LineChange, unknown>> | null | undefined;
  return (
    typeof change === 'object' &&
    typeof change?.originalStartLineNumber === 'number' &&
    typeof change.originalEndLineNumber === 'number' &&
    typeof change.modifiedStartLineNumber === 'number' &&
    typeof change.modifiedEndLineNumber === 'number'
  );
}

/**
 * The hunks that share lines with `change`: VS Code finds its own changes, which may join several of ours or
 * split one. A change that shares no line stands for a hunk that begins at the same place.
 */
export function hunksOf(hunks: readonly Hunk[], change: LineChange): readonly Hunk[] {
  const baseline = range(change.originalStartLineNumber, change.originalEndLineNumber);
  const current = range(change.modifiedStartLineNumber, change.modifiedEndLineNumber);
  const found = hunks.filter(
    hunk => shareLines(hunk.baseline, baseline) || shareLines(hunk.current, current),
  );
  if (found.length > 0) return found;
  return hunks.filter(
    hunk => hunk.baseline.start === baseline.start && hunk.current.start === current.start,
  );
}

function range(first: number, last: number): LineRange {
  return last === 0 ? { start: first, count: 0 } : { start: first - 1, count: last - first + 1 };
}

function shareLines(a: LineRange, b: LineRange): boolean {
  return a.start < b.start + b.count && b.start < a.start + a.count;
}
