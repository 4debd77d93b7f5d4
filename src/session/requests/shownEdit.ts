/** Whether what an agent writes is what the user was shown and allowed. Pure. */
import type { FileDiff } from '../translate/contents';

/** A change as a request showed it. Either text may be a snippet of the file. */
export interface ShownChange {
  /** Null: there was no file, or its text was not given. */
  readonly oldText: string | null;
  readonly newText: string;
  readonly change?: FileDiff['change'];
}

/**
 * Whether `content` is what `changes`, one after the other, make of `before` (null: there is no file). Line
 * ends and empty lines at the end may differ: agents and formatters change these on the way.
 */
export function isAsShown(
  changes: readonly ShownChange[],
  before: string | null,
  content: string,
): boolean {
  if (changes.length === 0) return false;
  let text: string | undefined = lf(before ?? '');
  for (const change of changes) {
    text = applied(text, change);
    if (text === undefined) return false;
  }
  return loosely(text) === loosely(content);
}

export function lf(text: string): string {
  return text.replace(/\r\n/g, '\n');
}

/** `text` after the change; undefined where that is not certain. */
function applied(text: string, { oldText, newText, change }: ShownChange): string | undefined {
  const next = lf(newText);
  // The whole of the new text was shown: as that of a new file, or of one whose old text was not given.
  if (oldText === null || oldText === '') {
    const isReplaced = oldText === null && change === 'modified';
    return isReplaced || loosely(text) === '' ? next : undefined;
  }
  const old = lf(oldText);
  if (loosely(text) === loosely(old)) return next;
  const at = text.indexOf(old);
  // Of a snippet that the file has more than once nobody has seen which one is meant.
  if (at < 0 || text.indexOf(old, at + 1) >= 0) return undefined;
  return text.slice(0, at) + next + text.slice(at + old.length);
}

function loosely(text: string): string {
  return lf(text)
    .replace(/^\uFEFF/, '')
    .replace(/\n+$/, '');
}
