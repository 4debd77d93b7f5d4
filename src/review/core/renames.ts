import type { FileContent, TurnRef } from '../model';
import { sameTurn, turnsOf, type FileReview } from './fileReview';
import type { Ledger } from './ledger';
import { linesOf, sameContent } from './lines';

/** This part of the lines must be the same for a deleted and a created file to be one that moved. */
const SIMILAR = 0.6;

/** Joins the file just changed at `path` with its other half, if one turn deleted one and created the other. */
export function joinRename(ledger: Ledger, path: string, turn: TurnRef): Ledger {
  const changed = ledger.files.get(path);
  if (!changed) return ledger;
  const pair = [...ledger.files].find(
    ([other, review]) =>
      other !== path &&
      turnsOf(review).some(one => sameTurn(one, turn)) &&
      (isMove(review, changed) || isMove(changed, review)),
  );
  if (!pair) return ledger;
  const [otherPath, other] = pair;
  const [from, gone, to, made] = isMove(other, changed)
    ? [otherPath, other, path, changed]
    : [path, changed, otherPath, other];
  const files = new Map(ledger.files);
  files.delete(from);
  files.set(to, { ...made, baseline: gone.baseline, renamedFrom: from });
  return { ...ledger, files };
}

/**
 * Takes apart a rename that is none any more when the file at `path` becomes `current`: what it came from
 * is there again, or what it became is not.
 */
export function splitRename(ledger: Ledger, path: string, current: FileContent): Ledger {
  const pair = [...ledger.files].find(
    ([to, { renamedFrom }]) =>
      renamedFrom !== undefined &&
      (renamedFrom === path || (to === path && current.kind === 'absent')),
  );
  if (!pair) return ledger;
  const [to, { renamedFrom: from = '', ...review }] = pair;
  const marks = turnsOf(pair[1]).map(turn => ({ lines: { start: 0, count: 0 }, turn }));
  const files = new Map(ledger.files);
  files.set(to, { ...review, baseline: ABSENT });
  files.set(from, { baseline: review.baseline, current: ABSENT, marks });
  return { ...ledger, files };
}

const ABSENT: FileContent = { kind: 'absent' };

function isMove(gone: FileReview, made: FileReview): boolean {
  return (
    gone.current.kind === 'absent' &&
    made.baseline.kind === 'absent' &&
    gone.renamedFrom === undefined &&
    made.renamedFrom === undefined &&
    areAlike(gone.baseline, made.current)
  );
}

function areAlike(a: FileContent, b: FileContent): boolean {
  if (a.kind === 'absent' || b.kind === 'absent') return false;
  if (sameContent(a, b)) return a.kind !== 'text' || a.text !== '';
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
