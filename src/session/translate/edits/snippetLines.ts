/** Where in a file the snippets of an edit stand. Pure. */

export interface Snippet {
  readonly oldText: string;
  readonly newText: string;
}

/** What the file says: the text before the edit, after it, or one of these. */
export type When = 'before' | 'after' | 'unknown';

/** UTF-16 units that are looked through for the snippets of one file. */
const MAX_SEARCHED = 50_000_000;

/**
 * The lines of `file` (from 1) that `snippets` begin with, which are applied one after the other. Undefined unless
 * each is there exactly once: a wrong line is worse than none.
 */
export function linesOfSnippets(
  file: string,
  snippets: readonly Snippet[],
  when: When,
): readonly number[] | undefined {
  if (file.length * snippets.length > MAX_SEARCHED) return undefined;
  const text = lf(file);
  const texts = snippets.map(({ oldText, newText }) => [lf(oldText), lf(newText)] as const);
  const before = when === 'after' ? undefined : applied(text, texts);
  const undone = texts.map(([left, right]) => [right, left] as const).toReversed();
  const after = when === 'before' ? undefined : applied(text, undone)?.toReversed();
  const isTwice = before && after && before.some((line, index) => line !== after[index]);
  return isTwice ? undefined : (before ?? after);
}

function applied(
  text: string,
  steps: readonly (readonly [was: string, is: string])[],
): readonly number[] | undefined {
  const lines: number[] = [];
  for (const [was, is] of steps) {
    const at = text.indexOf(was);
    if (was === '' || at < 0 || text.indexOf(was, at + 1) >= 0) return undefined;
    lines.push(lineAt(text, at));
    text = text.slice(0, at) + is + text.slice(at + was.length);
  }
  return lines;
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1))
    line += 1;
  return line;
}

function lf(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
