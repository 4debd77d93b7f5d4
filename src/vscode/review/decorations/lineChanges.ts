/** Which of the review's hunks a change of VS Code's own diff is about. Pure. */
import type { FileContent, Hunk, LineRange, PendingFile } from '../../../review/model';

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
 * False while VS Code still shows what it found before a decision or an edit (it looks again 0.2 seconds
 * later): `changes`, all it found in the file, then do not make up for the lines that `file` has more or less
 * than its baseline, and their line numbers name other places of the text.
 */
export function areUpToDate(
  changes: readonly LineChange[],
  file: Pick<PendingFile, 'baseline' | 'current'>,
): boolean {
  const added = changes
    .map(sidesOf)
    .reduce((sum, { baseline, current }) => sum + current.count - baseline.count, 0);
  return added === lineBreaks(file.current) - lineBreaks(file.baseline);
}

/**
 * The hunks that share lines with `change`: VS Code finds its own changes, which may join several of ours or
 * split one. A change that shares no line stands for a hunk that begins at the same place.
 */
export function hunksOf(hunks: readonly Hunk[], change: LineChange): readonly Hunk[] {
  const { baseline, current } = sidesOf(change);
  const found = hunks.filter(
    hunk => shareLines(hunk.baseline, baseline) || shareLines(hunk.current, current),
  );
  if (found.length > 0) return found;
  const beside = hunks.filter(
    hunk => hunk.baseline.start === baseline.start && hunk.current.start === current.start,
  );
  if (beside.length > 0) return beside;
  // A last line break that came or went changes the last line here, and adds or removes an empty one there.
  const last = hunks.at(-1);
  const ends =
    last && endOf(last.baseline) === baseline.start && endOf(last.current) === current.start;
  return ends ? [last] : [];
}

function sidesOf(change: LineChange): Pick<Hunk, 'baseline' | 'current'> {
  return {
    baseline: range(change.originalStartLineNumber, change.originalEndLineNumber),
    current: range(change.modifiedStartLineNumber, change.modifiedEndLineNumber),
  };
}

/** As VS Code counts lines, less one: what follows the last line break is a line too. */
function lineBreaks(content: FileContent): number {
  return content.kind === 'text' ? (content.text.match(/\r\n|\r|\n/g) ?? []).length : 0;
}

function range(first: number, last: number): LineRange {
  return last === 0 ? { start: first, count: 0 } : { start: first - 1, count: last - first + 1 };
}

function endOf({ start, count }: LineRange): number {
  return start + count;
}

function shareLines(a: LineRange, b: LineRange): boolean {
  return a.start < b.start + b.count && b.start < a.start + a.count;
}
