import type { Author, FileContent, Hunk, LineRange, TurnRef } from '../model';
import { hunksOf, isPending, marksOf, sameTurn, type FileReview, type Mark } from './fileReview';
import { diffLines, endOf, type Change } from '../../base/lineDiff';
import { contentOf, linesOf, sameContent, splitLike } from './lines';
import { moved, overlaps, slice, splice, touches } from './ranges';

/** An agent made the file what `current` says, or somebody did while agents worked. */
export function agentChanged(review: FileReview, current: FileContent, by: Author): FileReview {
  if (sameContent(review.current, current)) return review;
  const changes = changesTo(review, current);
  const made = changes.flatMap(({ after }) => marksOf(after, by));
  // What has no lines to mark (absent, binary, empty) is the author's as a whole.
  const marks = made.length > 0 ? made : marksOf({ start: 0, count: 0 }, by);
  return { ...review, current, marks: [...movedMarks(review.marks, changes), ...marks] };
}

/** A turn says that it changed the file: what was nobody's for certain is its. */
export function claimed(review: FileReview, turn: TurnRef): FileReview {
  const isIts = (mark: Mark) => sameTurn(mark.turn, turn);
  if (!review.marks.some(mark => mark.unclaimed !== undefined && isIts(mark))) return review;
  const marks = review.marks
    .filter(mark => mark.unclaimed === undefined || isIts(mark))
    .map(({ lines, turn: whose }) => ({ lines, turn: whose }));
  return { ...review, marks };
}

/**
 * The user made the file what `current` says. What was edited outside the agents' hunks is as if it had
 * always been so: the baseline takes it in. What was edited inside a hunk becomes part of that hunk, and is
 * kept or undone with it (as in Zed's action log); an edit across a hunk's edge is both.
 */
export function userChanged(review: FileReview, current: FileContent): FileReview {
  if (sameContent(review.current, current)) return review;
  const changes = changesTo(review, current);
  const marks = movedMarks(review.marks, changes);
  // Who deletes a file, or makes one where an agent has deleted it, has decided on what was pending in it.
  if (current.kind === 'absent' || review.current.kind === 'absent') {
    return settledAs(review, current);
  }
  if ([review.baseline, review.current, current].some(({ kind }) => kind === 'binary')) {
    return isPending(review) ? { ...review, current, marks } : settledAs(review, current);
  }
  const baseline = rebased(review, changes, linesOf(current));
  return { ...review, baseline, current, marks };
}

/** The file says `current`, and nothing in it is to be decided: the user's git put it there, say. */
export function settledAs(review: FileReview, current: FileContent): FileReview {
  const { renamedFrom: _, baselineUnknown: __, ...rest } = review;
  return { ...rest, baseline: current, current, marks: [] };
}

/** The hunks whose lines are also in `committed`. */
export function committedHunks(review: FileReview, committed: FileContent): readonly Hunk[] {
  if (committed.kind !== 'text' || review.current.kind !== 'text') return [];
  const missing = diffLines(linesOf(committed), linesOf(review.current));
  return hunksOf(review).filter(hunk => !missing.some(({ after }) => touches(after, hunk.current)));
}

/** How the present lines become those of `current`. */
export function changesTo(review: FileReview, current: FileContent): readonly Change[] {
  splitLike(current, review.current);
  return diffLines(linesOf(review.current), linesOf(current));
}

export function movedMarks(marks: readonly Mark[], changes: readonly Change[]): readonly Mark[] {
  if (changes.length === 0) return marks;
  return marks.map(mark => ({ ...mark, lines: moved(mark.lines, changes) }));
}

/** The baseline with the parts of `changes` that lie outside all hunks. */
function rebased(
  review: FileReview,
  changes: readonly Change[],
  now: readonly string[],
): FileContent {
  const hunks = hunksOf(review);
  const before = linesOf(review.baseline);
  let lines = before;
  // From the last to the first, so that places before a change stay what they are.
  for (const { before: edited, after } of [...changes].reverse()) {
    const outside = piecesOutside(edited, hunks);
    const inside = hunks.some(({ current }) => current.count > 0 && overlaps(current, edited));
    const replacement = inside ? [] : slice(now, after);
    if (outside.length === 0 && !inside) {
      lines = splice(lines, { start: inBaseline(edited.start, hunks), count: 0 }, replacement);
    }
    for (const [index, piece] of [...outside.entries()].reverse()) {
      const range = { start: inBaseline(piece.start, hunks), count: piece.count };
      lines = splice(lines, range, index === 0 ? replacement : []);
    }
  }
  if (lines === before) return review.baseline;
  // A created file has no baseline until lines of the user's own stand in it.
  if (review.baseline.kind === 'absent' && lines.length === 0) return review.baseline;
  return contentOf(lines, review.baseline);
}

/** The parts of `range` that belong to no hunk, cut also where lines were taken out. */
function piecesOutside(range: LineRange, hunks: readonly Hunk[]): LineRange[] {
  const pieces: LineRange[] = [];
  let start = range.start;
  for (const { current } of hunks) {
    if (endOf(current) < start) continue;
    if (current.start >= endOf(range)) break;
    if (current.start > start) pieces.push({ start, count: current.start - start });
    start = Math.max(start, endOf(current));
  }
  if (start < endOf(range)) pieces.push({ start, count: endOf(range) - start });
  return pieces;
}

/** Where line `place` of the present text, which is in no hunk, is in the baseline. */
function inBaseline(place: number, hunks: readonly Hunk[]): number {
  let shift = 0;
  for (const { baseline, current } of hunks) {
    if (endOf(current) > place) break;
    shift = endOf(baseline) - endOf(current);
  }
  return place + shift;
}
