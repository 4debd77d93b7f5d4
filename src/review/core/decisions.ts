import type { FileContent, Hunk, LineRange, TurnRef } from '../model';
import { movedMarks, settledAs } from './edits';
import { hunksOf, type FileReview, type Mark } from './fileReview';
import type { Change } from '../../base/lineDiff';
import { contentOf, linesOf, sameContent } from './lines';
import { isTouched, moved, slice, splice } from './ranges';

/** What an undo took out of a file, so that it can be put back. Plain JSON. */
export type Undone =
  | {
      readonly kind: 'lines';
      /** Where the restored lines stand now. */
      readonly at: LineRange;
      readonly restored: readonly string[];
      readonly removed: readonly string[];
      readonly turns: readonly TurnRef[];
      /** The restored lines were changed since: there is no place any more to put the others back. */
      readonly isStale?: boolean;
    }
  /** The file as a whole: valid while it still is what the undo made it. */
  | { readonly kind: 'file'; readonly before: FileReview; readonly after: FileContent };

/** The hunks stay, and are not shown as changes any more. */
export function keepHunks(review: FileReview, hunks: readonly Hunk[]): FileReview {
  if (hunks.length === 0) return review;
  // All of them: exactly the present content, also where it has no lines.
  if (hunks.length === hunksOf(review).length && review.renamedFrom === undefined) {
    return settledAs(review, review.current);
  }
  const now = linesOf(review.current);
  let lines = linesOf(review.baseline);
  for (const { baseline, current } of [...hunks].reverse()) {
    lines = splice(lines, baseline, slice(now, current));
  }
  return { ...review, baseline: contentOf(lines), marks: marksOutside(review, hunks) };
}

/** Everything in the file stays. */
export function keepFile(review: FileReview): FileReview {
  return settledAs(review, review.current);
}

/** Puts the baseline's lines of `hunks` back; nothing else in the file changes. */
export function undoHunks(
  review: FileReview,
  hunks: readonly Hunk[],
): { readonly review: FileReview; readonly undone: readonly Undone[] } {
  if (hunks.length === hunksOf(review).length && isWhole(review)) return undoFile(review);
  const before = linesOf(review.baseline);
  const now = linesOf(review.current);
  let lines = now;
  for (const { baseline, current } of [...hunks].reverse()) {
    lines = splice(lines, current, slice(before, baseline));
  }
  const undone: Undone[] = [];
  const changes: Change[] = [];
  let shift = 0;
  for (const { baseline, current, turns } of hunks) {
    const at = { start: current.start + shift, count: baseline.count };
    const removed = slice(now, current);
    undone.push({ kind: 'lines', at, restored: slice(before, baseline), removed, turns });
    changes.push({ before: current, after: at });
    shift += baseline.count - current.count;
  }
  const current = contentOf(lines);
  const marks = movedMarks(marksOutside(review, hunks), changes);
  return { review: { ...review, current, marks }, undone };
}

/** Puts the whole baseline back. */
export function undoFile(review: FileReview): {
  readonly review: FileReview;
  readonly undone: readonly Undone[];
} {
  // Of a renamed file nothing is left where it went.
  const after: FileContent =
    review.renamedFrom === undefined ? review.baseline : { kind: 'absent' };
  return {
    review: settledAs(review, after),
    undone: [{ kind: 'file', before: review, after }],
  };
}

/** Takes an undo back; undefined when the lines it restored, or the file, are not what they were then. */
export function redo(review: FileReview, undone: Undone): FileReview | undefined {
  if (undone.kind === 'file') {
    if (!sameContent(review.current, undone.after)) return undefined;
    if (!sameContent(review.baseline, undone.after)) return undefined;
    return undone.before;
  }
  const lines = linesOf(review.current);
  const { at, restored, removed, turns, isStale } = undone;
  if (isStale || slice(lines, at).join('') !== restored.join('')) return undefined;
  const change: Change = { before: at, after: { start: at.start, count: removed.length } };
  const marks = turns.map((turn): Mark => ({ lines: change.after, turn }));
  return {
    ...review,
    current: contentOf(splice(lines, at, removed)),
    marks: [...movedMarks(review.marks, [change]), ...marks],
  };
}

/** What was undone, after `changes` to the file's lines. */
export function movedUndone(undone: Undone, changes: readonly Change[]): Undone {
  if (undone.kind === 'file' || changes.length === 0) return undone;
  const isStale = undone.isStale ?? isTouched(undone.at, changes);
  return { ...undone, at: moved(undone.at, changes), ...(isStale && { isStale }) };
}

/** Created and deleted files are undone as a whole: there is more to put back than lines. */
function isWhole({ baseline, current }: FileReview): boolean {
  return baseline.kind !== 'text' || current.kind !== 'text';
}

/** What was decided on has no author any more: who changes it next is not the one who did before. */
function marksOutside({ marks }: FileReview, hunks: readonly Hunk[]): readonly Mark[] {
  return marks.filter(mark => !hunks.some(hunk => contains(hunk.current, mark.lines)));
}

function contains(outer: LineRange, inner: LineRange): boolean {
  return inner.start >= outer.start && inner.start + inner.count <= outer.start + outer.count;
}
