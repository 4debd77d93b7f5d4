/** Whether what an agent writes is what the user was shown and allowed. Pure. */
import type { FileDiff } from '../translate/contents';

/** A change as a request showed it. Either text may be a snippet of the file. */
export interface ShownChange {
  /** Null: there was no file, or its text was not given. */
  readonly oldText: string | null;
  readonly newText: string;
  readonly change?: FileDiff['change'];
}

/** Places of one snippet that are tried, and texts that several changes may lead to. */
const MAX_PLACES = 20;
const MAX_RESULTS = 100;

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
  let results = [lf(before ?? '')];
  for (const change of changes) {
    results = results.flatMap(text => applied(text, change)).slice(0, MAX_RESULTS);
  }
  const written = loosely(content);
  return results.some(text => loosely(text) === written);
}

export function lf(text: string): string {
  return text.replace(/\r\n/g, '\n');
}

/** What `change` can mean for `text`: a snippet may be in it more than once. */
function applied(text: string, { oldText, newText, change }: ShownChange): readonly string[] {
  const next = lf(newText);
  // The whole of the new text was shown: as that of a new file, or of one whose old text was not given.
  if (oldText === null || oldText === '') {
    const isReplaced = oldText === null && change === 'modified';
    return isReplaced || loosely(text) === '' ? [next] : [];
  }
  const old = lf(oldText);
  if (loosely(text) === loosely(old)) return [next];
  const results = [text.split(old).join(next)];
  if (results[0] === text) return [];
  let at = text.indexOf(old);
  for (let place = 0; at >= 0 && place < MAX_PLACES; place += 1) {
    results.push(text.slice(0, at) + next + text.slice(at + old.length));
    at = text.indexOf(old, at + 1);
  }
  return results;
}

function loosely(text: string): string {
  return lf(text)
    .replace(/^\uFEFF/, '')
    .replace(/\n+$/, '');
}
