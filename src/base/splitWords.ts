/** The words of a line: blanks part them, except within quotes, which go. Backslashes are text. */
export function splitWords(line: string): readonly string[] {
  const words = line.match(/(?:"[^"]*"|'[^']*'|[^\s"']|["'])+/g) ?? [];
  return words.map(word => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}
