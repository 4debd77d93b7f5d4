import type { Author, FileContent, Hunk, LineRange, PendingFile, TurnRef } from '../model';
import { diffLines } from '../../base/lineDiff';
import { endingsOnly } from './lineEndings';
import { linesOf, sameContent } from './lines';
import { slice, touches } from './ranges';

/** One file under review. Plain JSON; operations (`edits.ts`, `decisions.ts`) give new values. */
export interface FileReview {
  readonly baseline: FileContent;
  readonly current: FileContent;
  /** Which lines of `current` which turn changed; an empty range stands where lines were taken out. */
  readonly marks: readonly Mark[];
  /** Where the file was; `baseline` is then what stood there. */
  readonly renamedFrom?: string;
  /** Nobody knows what the file was: `baseline` is what was found first, and the whole can only be kept. */
  readonly baselineUnknown?: boolean;
}

export interface Mark {
  readonly lines: LineRange;
  readonly turn: TurnRef;
  /** Nothing says that it was this turn's agent, which has this name, but that it worked meanwhile. */
  readonly unclaimed?: string;
}

const known = new WeakMap<FileReview, readonly Hunk[]>();

/** What agents changed in the file and nobody has decided on. */
export function hunksOf(review: FileReview): readonly Hunk[] {
  let hunks = known.get(review);
  if (!hunks) {
    hunks = findHunks(review);
    known.set(review, hunks);
  }
  return hunks;
}

export function isPending(review: FileReview): boolean {
  return (
    review.renamedFrom !== undefined ||
    review.baselineUnknown === true ||
    !sameContent(review.baseline, review.current)
  );
}

/** Every turn with a part in what is pending, the oldest first. */
export function turnsOf(review: FileReview): readonly TurnRef[] {
  const hunks = hunksOf(review);
  return distinct(
    hunks.length > 0 ? hunks.flatMap(({ turns }) => turns) : review.marks.map(({ turn }) => turn),
  );
}

/** The author's marks on `lines`. */
export function marksOf(lines: LineRange, author: Author): readonly Mark[] {
  if (!('unclaimed' in author)) return [{ lines, turn: author }];
  return author.unclaimed.map(({ turn, agent }) => ({ lines, turn, unclaimed: agent }));
}

/** Names of the agents that worked while the file changed, if nothing says that one of them did it. */
function unclaimedIn({ marks }: FileReview, hunks: readonly Hunk[]): readonly string[] {
  const pending = marks.filter(
    ({ lines }) => hunks.length === 0 || hunks.some(({ current }) => touches(lines, current)),
  );
  const agents = pending.flatMap(({ unclaimed }) => unclaimed ?? []);
  return agents.length === pending.length ? [...new Set(agents)] : [];
}

export function pendingFile(path: string, review: FileReview): PendingFile {
  const hunks = hunksOf(review);
  const { baseline, current, renamedFrom, baselineUnknown } = review;
  const change = changeOf(review);
  const unclaimed = unclaimedIn(review, hunks);
  const endings = change === 'modified' ? endingsOnly(review, hunks) : undefined;
  return {
    path,
    change,
    ...(renamedFrom !== undefined && { renamedFrom }),
    ...(baselineUnknown && { baselineUnknown }),
    baseline,
    current,
    hunks,
    ...(endings !== undefined && { endings }),
    added: hunks.reduce((sum, hunk) => sum + hunk.current.count, 0),
    removed: hunks.reduce((sum, hunk) => sum + hunk.baseline.count, 0),
    turns: turnsOf(review),
    ...(unclaimed.length > 0 && { unclaimed }),
  };
}

export function sameTurn(a: TurnRef, b: TurnRef): boolean {
  return a.chatId === b.chatId && a.turnId === b.turnId;
}

function changeOf({ baseline, current, renamedFrom }: FileReview): PendingFile['change'] {
  if (renamedFrom !== undefined) return 'renamed';
  if (current.kind === 'absent') return 'deleted';
  return baseline.kind === 'absent' ? 'created' : 'modified';
}

function findHunks(review: FileReview): readonly Hunk[] {
  const { baseline, current, marks } = review;
  if (baseline.kind === 'binary' || current.kind === 'binary') return [];
  const before = linesOf(baseline);
  const after = linesOf(current);
  const ids = new Set<string>();
  return diffLines(before, after).map(change => {
    const turns = marks.filter(({ lines }) => touches(lines, change.after)).map(({ turn }) => turn);
    const id = uniqueId(slice(before, change.before), slice(after, change.after), ids);
    return { id, baseline: change.before, current: change.after, turns: distinct(turns) };
  });
}

/** Twins, hunks that say the same, are distinguished by their order. */
function uniqueId(
  removed: readonly string[],
  added: readonly string[],
  taken: Set<string>,
): string {
  const base = hash([...removed.map(line => `-${line}`), ...added.map(line => `+${line}`)]);
  let id = base;
  for (let twin = 2; taken.has(id); twin++) id = `${base}.${twin}`;
  taken.add(id);
  return id;
}

/** FNV-1a over two different starts: short, and good enough among the hunks of one file. */
function hash(parts: readonly string[]): string {
  let a = 0x811c9dc5;
  let b = 0x01000193;
  for (const part of parts) {
    for (let index = 0; index < part.length; index++) {
      const unit = part.charCodeAt(index);
      a = Math.imul(a ^ unit, 0x01000193);
      b = Math.imul(b ^ unit, 0x85ebca6b);
    }
  }
  return (a >>> 0).toString(36) + (b >>> 0).toString(36);
}

function distinct(turns: readonly TurnRef[]): readonly TurnRef[] {
  return turns.filter((turn, index) => turns.findIndex(other => sameTurn(other, turn)) === index);
}
