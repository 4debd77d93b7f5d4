import type { FileContent } from '../model';

const split = new WeakMap<FileContent, readonly string[]>();

/**
 * The lines of `text`, each with its own ending, so that joining them gives `text` again whatever endings
 * it mixes and whether or not its last line has one. An empty text has no lines.
 */
export function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** The lines of a content; none for what is absent or binary. */
export function linesOf(content: FileContent): readonly string[] {
  if (content.kind !== 'text') return [];
  let lines = split.get(content);
  if (!lines) {
    lines = splitLines(content.text);
    split.set(content, lines);
  }
  return lines;
}

/**
 * Splits `content`, of which `similar` is an earlier state, only where the two differ; elsewhere its lines
 * are the very strings of `similar`, which makes comparing them cheap. A key typed in a long file costs
 * little that way.
 */
export function splitLike(content: FileContent, similar: FileContent): void {
  if (content.kind !== 'text' || similar.kind !== 'text' || split.has(content)) return;
  const { text } = content;
  const lines = linesOf(similar);
  const same = commonStart(similar.text, text);
  let first = 0;
  let start = 0;
  for (let line = lines[first]; line?.endsWith('\n'); line = lines[first]) {
    if (start + line.length > same) break;
    start += line.length;
    first++;
  }
  const tail = commonEnd(similar.text, text, start);
  let last = lines.length;
  let end = text.length;
  for (let line = lines[last - 1]; line !== undefined && last > first; line = lines[last - 1]) {
    if (text.length - end + line.length > tail) break;
    end -= line.length;
    last--;
  }
  // What stands before it runs into it.
  if (end > start && last < lines.length && text[end - 1] !== '\n') {
    end += lines[last]?.length ?? 0;
    last++;
  }
  const middle = splitLines(text.slice(start, end));
  split.set(content, lines.slice(0, first).concat(middle, lines.slice(last)));
}

/**
 * The content of these lines.
 * @param similar an earlier state, with the very same strings where nothing has changed: only the others
 * are joined then
 */
export function contentOf(lines: readonly string[], similar?: FileContent): FileContent {
  const before = similar ? linesOf(similar) : [];
  let first = 0;
  let start = 0;
  for (let line = lines[first]; line !== undefined && line === before[first]; line = lines[first]) {
    start += line.length;
    first++;
  }
  let last = lines.length;
  let tail = 0;
  for (let line = lines[last - 1]; last > first; line = lines[last - 1]) {
    const index = before.length - (lines.length - last) - 1;
    if (line === undefined || index < first || line !== before[index]) break;
    tail += line.length;
    last--;
  }
  const text = similar?.kind === 'text' ? similar.text : '';
  const changed = lines.slice(first, last).join('');
  const content: FileContent = {
    kind: 'text',
    text: text.slice(0, start) + changed + text.slice(text.length - tail),
  };
  // A line without an ending runs into the next one; else they are what splitting would give, and dear.
  const joined = lines.slice(Math.max(0, first - 1), last);
  if (last === lines.length) joined.pop();
  if (joined.every(line => line.endsWith('\n'))) split.set(content, lines);
  return content;
}

export function sameContent(a: FileContent, b: FileContent): boolean {
  switch (a.kind) {
    case 'absent':
      return b.kind === 'absent';
    case 'text':
      return b.kind === 'text' && a.text === b.text;
    case 'binary':
      return b.kind === 'binary' && a.hash === b.hash;
  }
}

/** Halves what it compares: comparing long strings as wholes is faster than unit by unit. */
function commonStart(a: string, b: string): number {
  let low = 0;
  let high = Math.min(a.length, b.length);
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (a.slice(low, middle) === b.slice(low, middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** @param start units at the start of both that do not count */
function commonEnd(a: string, b: string, start: number): number {
  let low = 0;
  let high = Math.min(a.length, b.length) - start;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    const same =
      a.slice(a.length - middle, a.length - low) === b.slice(b.length - middle, b.length - low);
    if (same) low = middle;
    else high = middle - 1;
  }
  return low;
}
