import type { FileContent } from '../model';

/** A change as an agent sends it; either text may be a snippet of the file. `null`: the file was not there. */
export interface SnippetDiff {
  readonly oldText: string | null;
  readonly newText: string;
}

/**
 * What a file said before the changes that an agent reported, made from what it says now. Undefined when that
 * is not certain: a snippet occurs twice, or is not there.
 */
export function beforeDiffs(
  current: FileContent,
  diffs: readonly SnippetDiff[],
): FileContent | undefined {
  if (diffs.length === 0) return undefined;
  const [first] = diffs;
  if (first?.oldText === null) return { kind: 'absent' };
  if (current.kind === 'absent') {
    // All of it went: then the reported text is the whole.
    const [only, ...more] = diffs;
    return only?.newText === '' && only.oldText !== null && more.length === 0
      ? { kind: 'text', text: only.oldText }
      : undefined;
  }
  if (current.kind !== 'text') return undefined;
  let text: string = current.text;
  for (const { oldText, newText } of [...diffs].reverse()) {
    if (oldText === null) return { kind: 'absent' };
    const before = reversed(text, oldText, newText);
    if (before === undefined) return undefined;
    text = before;
  }
  return { kind: 'text', text };
}

function reversed(text: string, oldText: string, newText: string): string | undefined {
  if (text === newText) return oldText;
  for (const [old, snippet] of spellings(text, oldText, newText)) {
    if (snippet === '') continue;
    const at = text.indexOf(snippet);
    if (at < 0) continue;
    if (text.includes(snippet, at + 1)) return undefined;
    return text.slice(0, at) + old + text.slice(at + snippet.length);
  }
  return undefined;
}

/** Agents send `\n` for files that have `\r\n`. */
function* spellings(
  text: string,
  oldText: string,
  newText: string,
): Generator<readonly [string, string]> {
  yield [oldText, newText];
  if (text.includes('\r\n') && !newText.includes('\r\n')) {
    const crlf = (value: string) => value.replace(/\r?\n/g, '\r\n');
    yield [crlf(oldText), crlf(newText)];
  }
}
