import { PersistentMap } from '../../base/persistentMap';
import type { Author, FileContent, Hunk, PendingFile, ReviewTarget, TurnRef } from '../model';
import { keepFile, keepHunks, movedUndone, undoFile, undoHunks, type Undone } from './decisions';
import { comesBack, redoAll } from './comesBack';
import * as edits from './edits';
import { isPending, marksOf, pendingFile, sameTurn, type FileReview } from './fileReview';
import type { Change } from '../../base/lineDiff';
import { sameContent } from './lines';
import { joinRename, renamedTo, splitRename } from './renames';
import { meantOf } from './targets';

/** Every file under review, and what was undone. Plain JSON but for the map; operations give new values. */
export interface Ledger {
  readonly files: PersistentMap<FileReview>;
  /** Undos that can be taken back, the latest last. */
  readonly undos: readonly Undo[];
}

/** What one decision undid. */
export interface Undo {
  readonly id: number;
  readonly parts: readonly { readonly path: string; readonly undone: Undone }[];
}

/**
 * What a decision does to the files of one path. The writes come first; only when they are done is `apply`
 * called, on the ledger as it is then, so that a file that cannot be written stays pending.
 */
export interface Step {
  readonly path: string;
  /** Hunks decided on; 1 for a file as a whole. */
  readonly decided: number;
  readonly writes: readonly Write[];
  apply(ledger: Ledger): Ledger;
}

export interface Write {
  readonly path: string;
  readonly from: FileContent;
  readonly to: FileContent;
}

export const EMPTY_LEDGER: Ledger = { files: PersistentMap.from([]), undos: [] };

/** So many undos can be taken back. */
const MAX_UNDOS = 50;

const listed = new WeakMap<FileReview, PendingFile>();

/** In order of path. */
export function pendingFiles(ledger: Ledger): readonly PendingFile[] {
  return [...ledger.files.keys()]
    .sort()
    .map(path => pendingAt(ledger, path))
    .filter(file => file !== undefined);
}

export function pendingAt(ledger: Ledger, path: string): PendingFile | undefined {
  const review = ledger.files.get(path);
  if (!review || !isPending(review)) return undefined;
  let file = listed.get(review);
  if (file?.path !== path) {
    file = pendingFile(path, review);
    listed.set(review, file);
  }
  return file;
}

/**
 * What the file at `path` is as far as the ledger knows; undefined when it is not under review. Where a file
 * was before an agent moved it, there is none.
 */
export function currentOf(ledger: Ledger, path: string): FileContent | undefined {
  const isMoved = renamedTo(ledger, path) !== undefined;
  return ledger.files.get(path)?.current ?? (isMoved ? ABSENT : undefined);
}

// ── what happens to files ────────────────────────────────────────────────────────────────────────────

/**
 * An agent changed the file at `path`, or somebody did while agents worked.
 * @param baseline what it was before; undefined when nobody knows. Only asked for files not under review.
 */
export function agentChanged(
  ledger: Ledger,
  path: string,
  baseline: FileContent | undefined,
  current: FileContent,
  by: Author,
): Ledger {
  const split = splitRename(ledger, path, current);
  const before: FileReview = split.files.get(path) ?? {
    baseline: baseline ?? current,
    current: baseline ?? current,
    marks: baseline ? [] : marksOf({ start: 0, count: 0 }, by),
    ...(!baseline && { baselineUnknown: true }),
  };
  return joinRename(replaced(split, path, edits.agentChanged(before, current, by)), path, by);
}

/** A turn says that it changed the file at `path`. */
export function claimed(ledger: Ledger, path: string, turn: TurnRef): Ledger {
  const review = ledger.files.get(path);
  return review ? replaced(ledger, path, edits.claimed(review, turn)) : ledger;
}

/**
 * The user, or a program of the user's, changed the file at `path`. What was undone and is there again, because
 * the editor's own undo or giving up unsaved text brought it back, is to be decided again.
 */
export function userChanged(ledger: Ledger, path: string, current: FileContent): Ledger {
  const split = withoutRename(ledger, path, current);
  const review = split.files.get(path);
  if (!review) return ledger;
  for (const undo of [...split.undos].reverse()) {
    const again = comesBack(partsIn(undo, path), review, current);
    if (!again) continue;
    return userChanged(forgotten(replaced(split, path, again), undo.id, path), path, current);
  }
  return replaced(split, path, edits.userChanged(review, current));
}

/** The user moved the file at `from` to `to`: what is to be decided in it, or to be brought back, goes along. */
export function userRenamed(ledger: Ledger, from: string, to: string): Ledger {
  const review = ledger.files.get(from);
  if (!review || from === to) return ledger;
  const { renamedFrom, ...here } = review;
  // Where it had been before an agent moved it, nothing of that is left to undo.
  const files = ledger.files.without(from).with(to, renamedFrom === to ? here : review);
  const undos = ledger.undos.map(undo => ({
    ...undo,
    parts: undo.parts.flatMap(part => {
      if (part.path === to) return [];
      return [part.path === from ? { ...part, path: to } : part];
    }),
  }));
  return tidied({ files, undos: undos.filter(({ parts }) => parts.length > 0) });
}

/** What there is to decide in one file, and what was undone in it. */
export interface Shelved {
  readonly review: FileReview;
  readonly undone: readonly { readonly id: number; readonly parts: readonly Undone[] }[];
}

/** What would be lost with the file at `path`; undefined when nothing is pending in it. */
export function shelve(ledger: Ledger, path: string): Shelved | undefined {
  const review = ledger.files.get(path);
  if (!review || !isPending(review)) return undefined;
  const undone = ledger.undos.map(({ id, parts }) => ({
    id,
    parts: parts.flatMap(part => (part.path === path ? [part.undone] : [])),
  }));
  return { review, undone };
}

/** What the user had deleted is there again as it was: so are its pending changes. */
export function broughtBack(ledger: Ledger, path: string, { review, undone }: Shelved): Ledger {
  const now = ledger.files.get(path);
  if (now && isPending(now)) return ledger;
  const undos = ledger.undos.map(undo => ({
    ...undo,
    parts: [
      ...undo.parts.filter(part => part.path !== path),
      ...(undone.find(({ id }) => id === undo.id)?.parts ?? []).map(part => ({
        path,
        undone: part,
      })),
    ],
  }));
  return { files: ledger.files.with(path, review), undos };
}

/** Without all that is known of the file at `path`. */
export function withoutFile(ledger: Ledger, path: string): Ledger {
  if (!ledger.files.has(path)) return ledger;
  const undos = ledger.undos
    .map(undo => ({ ...undo, parts: undo.parts.filter(part => part.path !== path) }))
    .filter(({ parts }) => parts.length > 0);
  return { files: ledger.files.without(path), undos };
}

/** The user's git put the file at `path` where `current` says: nothing in it is to be decided any more. */
export function settled(ledger: Ledger, path: string, current: FileContent): Ledger {
  const split = withoutRename(ledger, path, current);
  const review = split.files.get(path);
  return review ? replaced(split, path, edits.settledAs(review, current)) : ledger;
}

/** A file that is back where an agent had moved it away from was not moved, then: the other is one that it made. */
export function withoutRename(ledger: Ledger, path: string, current: FileContent): Ledger {
  return current.kind === 'absent' ? ledger : splitRename(ledger, path, current);
}

/** The file at `path` was taken back to before these turns: nothing in it is theirs any more. */
export function withoutTurns(ledger: Ledger, path: string, turns: readonly TurnRef[]): Ledger {
  const review = ledger.files.get(path);
  const marks = review?.marks.filter(({ turn }) => !turns.some(gone => sameTurn(gone, turn)));
  if (!review || !marks || marks.length === review.marks.length) return ledger;
  return replaced(ledger, path, { ...review, marks });
}

/** The file at `path` is again what it was when `review` said what is to be decided in it. */
export function resumed(ledger: Ledger, path: string, review: FileReview): Ledger {
  return replaced(ledger, path, review);
}

/** A commit holds `committed` of the file at `path`: its hunks that are in there count as kept. */
export function committed(ledger: Ledger, path: string, content: FileContent): Ledger {
  const review = ledger.files.get(path);
  if (!review || !isPending(review)) return ledger;
  if (sameContent(content, review.current)) return replaced(ledger, path, keepFile(review));
  return replaced(ledger, path, keepHunks(review, edits.committedHunks(review, content)));
}

// ── decisions ────────────────────────────────────────────────────────────────────────────────────────

export function keep(ledger: Ledger, target: ReviewTarget): readonly Step[] {
  return chosen(ledger, target).map(({ path, review, hunks }) => ({
    path,
    decided: hunks?.length ?? 1,
    writes: [],
    apply: now => replaced(now, path, hunks ? keepHunks(review, hunks) : keepFile(review)),
  }));
}

/** Files whose baseline nobody knows are left out: there is nothing to go back to. */
export function undo(ledger: Ledger, target: ReviewTarget): readonly Step[] {
  const id = (ledger.undos.at(-1)?.id ?? 0) + 1;
  return chosen(ledger, target)
    .filter(({ review }) => !review.baselineUnknown)
    .map(({ path, review, hunks }): Step => {
      const result = hunks ? undoHunks(review, hunks) : undoFile(review);
      const { renamedFrom } = review;
      // A hunk's undo leaves a renamed file where it is.
      const back = renamedFrom !== undefined && result.review.renamedFrom === undefined;
      return {
        path,
        decided: hunks?.length ?? 1,
        writes: back
          ? [
              { path: renamedFrom, from: ABSENT, to: review.baseline },
              { path, from: review.current, to: ABSENT },
            ]
          : [{ path, from: review.current, to: result.review.current }],
        apply: now =>
          replaced(remembered(now, id), path, result.review, { id, parts: result.undone }),
      };
    });
}

/** Takes the latest undo back, file by file; `undefined` steps could not be: their lines have changed. */
export function redo(ledger: Ledger): {
  readonly steps: readonly Step[];
  readonly impossible: readonly string[];
} {
  const last = ledger.undos.at(-1);
  const steps: Step[] = [];
  const impossible: string[] = [];
  for (const path of new Set(last?.parts.map(part => part.path))) {
    const review = ledger.files.get(path);
    const parts = last ? partsIn(last, path) : [];
    const next = review && redoAll(review, parts);
    if (!last || !review || !next) {
      impossible.push(path);
      continue;
    }
    const { renamedFrom } = next;
    steps.push({
      path,
      decided: parts.length,
      writes: [
        { path, from: renamedFrom === undefined ? review.current : ABSENT, to: next.current },
        ...(renamedFrom !== undefined
          ? [{ path: renamedFrom, from: next.baseline, to: ABSENT }]
          : []),
      ],
      apply: now => forgotten(replaced(now, path, next), last.id, path),
    });
  }
  return { steps, impossible };
}

/** Without the oldest undos, so that `count` are left. */
export function withLatestUndos(ledger: Ledger, count: number): Ledger {
  if (ledger.undos.length <= count) return ledger;
  return tidied({ ...ledger, undos: count === 0 ? [] : ledger.undos.slice(-count) });
}

/** Without the latest undo: it was taken back, or cannot be. */
export function withoutLatestUndo(ledger: Ledger): Ledger {
  return tidied({ ...ledger, undos: ledger.undos.slice(0, -1) });
}

const ABSENT: FileContent = { kind: 'absent' };

interface Choice {
  readonly path: string;
  readonly review: FileReview;
  /** Absent: the file as a whole. */
  readonly hunks?: readonly Hunk[];
}

function chosen(ledger: Ledger, target: ReviewTarget): readonly Choice[] {
  const choices: Choice[] = [];
  for (const file of pendingFiles(ledger)) {
    const { path } = file;
    const review = ledger.files.get(path);
    const meant = meantOf(file, target);
    if (!review || meant.kind === 'none') continue;
    choices.push({ path, review, ...(meant.kind === 'hunks' && { hunks: meant.hunks }) });
  }
  return choices;
}

/** The ledger with `review` at `path`. What was undone there before moves along; `undone` is added to its undo. */
function replaced(
  ledger: Ledger,
  path: string,
  review: FileReview,
  undone?: { readonly id: number; readonly parts: readonly Undone[] },
): Ledger {
  const before = ledger.files.get(path);
  if (before === review) return ledger;
  const hasUndos = ledger.undos.some(({ parts }) => parts.some(part => part.path === path));
  const changes = before && hasUndos ? edits.changesTo(before, review.current) : [];
  const undos = ledger.undos.map(undo => {
    const moved = movedParts(undo, path, changes);
    if (undo.id !== undone?.id) return moved;
    return {
      ...moved,
      parts: [...moved.parts, ...undone.parts.map(part => ({ path, undone: part }))],
    };
  });
  // The other files are as tidy as they were.
  const isListed =
    isPending(review) || undos.some(({ parts }) => parts.some(part => part.path === path));
  const files = isListed ? ledger.files.with(path, review) : ledger.files.without(path);
  return { files, undos };
}

function partsIn({ parts }: Undo, path: string): readonly Undone[] {
  return parts.flatMap(part => (part.path === path ? [part.undone] : []));
}

function movedParts(undo: Undo, path: string, changes: readonly Change[]): Undo {
  if (changes.length === 0 || !undo.parts.some(part => part.path === path)) return undo;
  const parts = undo.parts.map(part =>
    part.path === path ? { ...part, undone: movedUndone(part.undone, changes) } : part,
  );
  return { ...undo, parts };
}

/** The ledger with an undo of that id to add parts to. */
function remembered(ledger: Ledger, id: number): Ledger {
  if (ledger.undos.at(-1)?.id === id) return ledger;
  return withLatestUndos({ ...ledger, undos: [...ledger.undos, { id, parts: [] }] }, MAX_UNDOS);
}

function forgotten(ledger: Ledger, id: number, path: string): Ledger {
  const undos = ledger.undos
    .map(undo =>
      undo.id === id ? { ...undo, parts: undo.parts.filter(part => part.path !== path) } : undo,
    )
    .filter(({ parts }) => parts.length > 0);
  return tidied({ ...ledger, undos });
}

/** Without files that nothing is to be decided or brought back in. */
function tidied(ledger: Ledger): Ledger {
  const recoverable = new Set(ledger.undos.flatMap(({ parts }) => parts.map(({ path }) => path)));
  const files = [...ledger.files].filter(
    ([path, review]) => isPending(review) || recoverable.has(path),
  );
  return files.length === ledger.files.size
    ? ledger
    : { ...ledger, files: PersistentMap.from(files) };
}
