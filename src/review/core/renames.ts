import type { PersistentMap } from '../../base/persistentMap';
import type { Author, FileContent, TurnRef } from '../model';
import { marksOf, sameTurn, type FileReview } from './fileReview';
import { linesOf, sameContent } from './lines';

/** What renames are found among. */
interface Files {
  readonly files: PersistentMap<FileReview>;
}

/** This part of the lines must be the same for a deleted and a created file to be one that moved. */
const SIMILAR = 0.6;

/** Pairs compared line by line for one change: with thousands of files moved, names and sameness must do. */
const MAX_COMPARED = 50;

/** Joins the file just changed at `path` with its other half, if one turn deleted one and created the other. */
export function joinRename<T extends Files>(ledger: T, path: string, by: Author): T {
  const changed = ledger.files.get(path);
  const isHalf =
    changed !== undefined &&
    (isGone(changed) || isMade(changed)) &&
    changed.renamedFrom === undefined;
  const otherPath = isHalf ? otherHalf(ledger, path, changed, turnsIn(by)) : undefined;
  const other = otherPath === undefined ? undefined : ledger.files.get(otherPath);
  if (!changed || otherPath === undefined || !other) return ledger;
  const [from, gone, to, made] = isGone(other)
    ? [otherPath, other, path, changed]
    : [path, changed, otherPath, other];
  const moved = { ...made, baseline: gone.baseline, renamedFrom: from };
  return { ...ledger, files: ledger.files.without(from).with(to, moved) };
}

/** Rather the one that says the same, and of several the one of the same name, than one that is only similar. */
function otherHalf(
  ledger: Files,
  path: string,
  changed: FileReview,
  turns: readonly TurnRef[],
): string | undefined {
  const similar: string[] = [];
  let same: string | undefined;
  const wanted = isGone(changed) ? 'made' : 'gone';
  for (const [other, review] of ledger.files.buckets.flatMap(bucket => halvesIn(bucket)[wanted])) {
    if (other === path) continue;
    if (!review.marks.some(mark => turns.some(turn => sameTurn(mark.turn, turn)))) continue;
    const [gone, made] = isGone(changed) ? [changed, review] : [review, changed];
    if (isSame(gone.baseline, made.current)) {
      if (nameOf(other) === nameOf(path)) return other;
      same ??= other;
    } else if (same === undefined) {
      const sameName = nameOf(other) === nameOf(path);
      if (!sameName && similar.length >= MAX_COMPARED) continue;
      if (!couldBeAlike(gone.baseline, made.current)) continue;
      if (sameName) similar.unshift(other);
      else similar.push(other);
    }
  }
  if (same !== undefined) return same;
  return similar.slice(0, MAX_COMPARED).find(other => {
    const review = ledger.files.get(other);
    if (!review) return false;
    return isGone(changed)
      ? areAlike(changed.baseline, review.current)
      : areAlike(review.baseline, changed.current);
  });
}

/**
 * Takes apart a rename that is none any more when the file at `path` becomes `current`: what it came from
 * is there again, or what it became is not.
 */
export function splitRename<T extends Files>(ledger: T, path: string, current: FileContent): T {
  const isGone = current.kind === 'absent' && ledger.files.get(path)?.renamedFrom !== undefined;
  const to = isGone ? path : renamedTo(ledger, path);
  const pair = to === undefined ? undefined : ledger.files.get(to);
  if (to === undefined || pair?.renamedFrom === undefined) return ledger;
  const { renamedFrom: from, ...review } = pair;
  const marks = pair.marks.map(mark => ({ ...mark, lines: { start: 0, count: 0 } }));
  const files = ledger.files
    .with(to, { ...review, baseline: ABSENT })
    .with(from, { baseline: review.baseline, current: ABSENT, marks });
  return { ...ledger, files };
}

/** Where the file that was at `path` has been moved by an agent; undefined when it has not. */
export function renamedTo({ files }: Files, path: string): string | undefined {
  for (const bucket of files.buckets) {
    const to = halvesIn(bucket).renames.get(path);
    if (to !== undefined) return to;
  }
  return undefined;
}

interface Halves {
  /** Files that are gone or made, and may be a half of a rename. */
  readonly gone: readonly (readonly [string, FileReview])[];
  readonly made: readonly (readonly [string, FileReview])[];
  /** Where the files that were at these paths are now. */
  readonly renames: ReadonlyMap<string, string>;
}

type Bucket = Files['files']['buckets'][number];

const halves = new WeakMap<Bucket, Halves>();

function halvesIn(bucket: Bucket): Halves {
  const known = halves.get(bucket);
  if (known) return known;
  const alone = [...bucket].filter(([, { renamedFrom }]) => renamedFrom === undefined);
  const found: Halves = {
    gone: alone.filter(([, review]) => isGone(review)),
    made: alone.filter(([, review]) => isMade(review)),
    renames: new Map(
      [...bucket].flatMap(([to, { renamedFrom }]) =>
        renamedFrom === undefined ? [] : [[renamedFrom, to]],
      ),
    ),
  };
  halves.set(bucket, found);
  return found;
}

function turnsIn(by: Author): readonly TurnRef[] {
  return marksOf({ start: 0, count: 0 }, by).map(({ turn }) => turn);
}

const ABSENT: FileContent = { kind: 'absent' };

function isGone({ current }: FileReview): boolean {
  return current.kind === 'absent';
}

function isMade({ baseline, current }: FileReview): boolean {
  return baseline.kind === 'absent' && current.kind !== 'absent';
}

function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

function isSame(a: FileContent, b: FileContent): boolean {
  return sameContent(a, b) && a.kind !== 'absent' && !(a.kind === 'text' && a.text === '');
}

/** Too different in length to be similar? Then there is nothing to compare. */
function couldBeAlike(a: FileContent, b: FileContent): boolean {
  const [one, other] = [linesOf(a).length, linesOf(b).length];
  return Math.min(one, other) > 0 && Math.min(one, other) >= SIMILAR * Math.max(one, other);
}

function areAlike(a: FileContent, b: FileContent): boolean {
  const before = linesOf(a);
  const after = linesOf(b);
  const counts = new Map<string, number>();
  for (const line of before) counts.set(line, (counts.get(line) ?? 0) + 1);
  let common = 0;
  for (const line of after) {
    const left = counts.get(line) ?? 0;
    if (left > 0) common++;
    counts.set(line, left - 1);
  }
  return common > 0 && common >= SIMILAR * Math.max(before.length, after.length);
}
