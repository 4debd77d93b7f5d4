/**
 * The lines asked for, line endings included; nothing when they lie behind the end.
 * @param line 1-based first line
 * @param limit number of lines
 */
export function linesOf(text: string, line?: number | null, limit?: number | null): string {
  const start = offsetOfLine(text, 0, Math.max(1, Math.floor(line ?? 1)) - 1);
  if (typeof limit !== 'number') return text.slice(start);
  return text.slice(start, offsetOfLine(text, start, Math.max(0, Math.floor(limit))));
}

/** Offset behind `count` line ends from `offset`. */
function offsetOfLine(text: string, offset: number, count: number): number {
  let at = offset;
  for (let index = 0; index < count; index++) {
    const end = text.indexOf('\n', at);
    if (end < 0) return text.length;
    at = end + 1;
  }
  return at;
}
