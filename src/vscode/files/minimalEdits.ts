import { diffLines } from 'diff';

/** Replaces the text from offset `start` to `end` (UTF-16 units of the old text). */
export interface OffsetEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Beyond this, a diff by lines is not worth its time: one edit between common ends does. */
const DIFF_TIMEOUT_MS = 200;

/** Few small edits that turn `before` into `after`, in ascending order and not overlapping. */
export function minimalEdits(before: string, after: string): readonly OffsetEdit[] {
  if (before === after) return [];
  const changes = diffLines(before, after, { timeout: DIFF_TIMEOUT_MS });
  if (changes === undefined) return [editBetweenCommonEnds(before, after)];
  const edits: OffsetEdit[] = [];
  let offset = 0;
  let pending: { start: number; end: number; text: string } | undefined;
  for (const change of changes) {
    if (!change.added && !change.removed) {
      if (pending) edits.push(pending);
      pending = undefined;
      offset += change.value.length;
      continue;
    }
    pending ??= { start: offset, end: offset, text: '' };
    if (change.removed) {
      offset += change.value.length;
      pending.end = offset;
    } else {
      pending.text += change.value;
    }
  }
  if (pending) edits.push(pending);
  return edits;
}

function editBetweenCommonEnds(before: string, after: string): OffsetEdit {
  const limit = Math.min(before.length, after.length);
  let start = 0;
  while (start < limit && before[start] === after[start]) start++;
  let tail = 0;
  while (
    tail < limit - start &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  ) {
    tail++;
  }
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}
