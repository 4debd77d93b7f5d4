/** What two windows have made of one ledger, together. Pure. */
import { PersistentMap } from '../../base/persistentMap';
import { isDeepStrictEqual } from 'node:util';
import { mergeMaps } from '../../base/mergeMaps';
import type { FileContent } from '../model';
import type { Undone } from './decisions';
import { isPending, type FileReview } from './fileReview';
import { userChanged, type Ledger, type Undo } from './ledger';
import { mergeBaselines } from './mergeBaselines';

/** All there is of one file. */
interface FileEntry {
  readonly review: FileReview | undefined;
  /** What was undone in it, by the id of its undo. */
  readonly undone: readonly (readonly [number, Undone])[];
}

/**
 * Nothing is lost that waits for a decision in one of them, or that can be taken back.
 * @param base what both began with
 * @param mine of this window, which has just looked at its files
 */
export function mergeLedgers(base: Ledger, mine: Ledger, theirs: Ledger): Ledger {
  const last = ({ undos }: Ledger) => undos.at(-1)?.id ?? 0;
  const [before, after] = [last(base), Math.max(last(base), last(theirs))];
  // Each window has counted on: what this one undid meanwhile comes after what the other did.
  const undos = mine.undos.map(undo =>
    undo.id > before ? { ...undo, id: undo.id - before + after } : undo,
  );
  return ledgerOf(
    mergeMaps(
      entriesIn(base),
      entriesIn({ ...mine, undos }),
      entriesIn(theirs),
      isDeepStrictEqual,
      bothEntries,
    ),
  );
}

function bothEntries(
  mine: FileEntry | undefined,
  other: FileEntry | undefined,
  path: string,
): FileEntry | undefined {
  const theirs = mine?.review && other ? asOf(other, path, mine.review.current) : other;
  if (!mine || !theirs) return mine ?? theirs;
  const undone = withoutTwins([...theirs.undone, ...mine.undone]);
  if (!mine.review || !theirs.review) return { review: mine.review ?? theirs.review, undone };
  return { review: bothReviews(mine.review, theirs.review), undone };
}

/** `entry` when the file at `path` has become `current`. */
function asOf(entry: FileEntry, path: string, current: FileContent): FileEntry | undefined {
  return entriesIn(userChanged(ledgerOf(new Map([[path, entry]])), path, current)).get(path);
}

/** What is to be decided in one of them is. */
function bothReviews(mine: FileReview, theirs: FileReview): FileReview {
  if (!isPending(theirs)) return mine;
  if (!isPending(mine)) return theirs;
  const marks = withoutTwins([...theirs.marks, ...mine.marks]);
  const { baseline, current } = mine;
  if (baseline.kind === 'text' && current.kind === 'text' && theirs.baseline.kind === 'text') {
    const text = mergeBaselines(current.text, baseline.text, theirs.baseline.text);
    return { ...theirs, ...mine, baseline: { kind: 'text', text }, marks };
  }
  // What one window's agent does, the other takes for the user's doing, or for nobody's.
  return claimsIn(mine) < claimsIn(theirs) ? theirs : mine;
}

function claimsIn({ marks }: FileReview): number {
  return marks.filter(({ unclaimed }) => unclaimed === undefined).length;
}

function entriesIn({ files, undos }: Ledger): Map<string, FileEntry> {
  const entries = new Map<string, FileEntry>();
  for (const [path, review] of files) entries.set(path, { review, undone: [] });
  for (const { id, parts } of undos) {
    for (const { path, undone } of parts) {
      const entry = entries.get(path) ?? { review: undefined, undone: [] };
      entries.set(path, { ...entry, undone: [...entry.undone, [id, undone]] });
    }
  }
  return entries;
}

function ledgerOf(entries: ReadonlyMap<string, FileEntry>): Ledger {
  const files = new Map<string, FileReview>();
  const undos = new Map<number, Undo['parts'][number][]>();
  for (const [path, { review, undone }] of entries) {
    if (review) files.set(path, review);
    for (const [id, part] of undone) {
      const parts = undos.get(id) ?? [];
      undos.set(id, parts);
      parts.push({ path, undone: part });
    }
  }
  const inOrder = [...undos].sort(([a], [b]) => a - b);
  return { files: PersistentMap.from(files), undos: inOrder.map(([id, parts]) => ({ id, parts })) };
}

function withoutTwins<T>(all: readonly T[]): readonly T[] {
  return all.filter(
    (one, index) => all.findIndex(other => isDeepStrictEqual(other, one)) === index,
  );
}
