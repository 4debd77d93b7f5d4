/**
 * `file` as a unified diff changes it. Hunks are found by the lines they name, from the top down: agents write the
 * numbers wrong or not at all.
 *
 * @returns undefined when the file does not have the lines of a hunk, or has them twice. All texts have `\n` line ends.
 */
export function applyDiff(file: string, diff: string): string | undefined {
  const lines = file.split('\n');
  let from = 0;
  for (const { before, after } of hunksOf(diff)) {
    const at = onlyPlace(lines, before, from);
    if (at === undefined) return undefined;
    lines.splice(at, before.length, ...after);
    from = at + after.length;
  }
  return lines.join('\n');
}

interface Hunk {
  readonly before: string[];
  readonly after: string[];
}

/** What stands before a diff without marks between its hunks. */
const HEADER = /^(?:diff |index |--- |\+\+\+ )/;

function hunksOf(diff: string): readonly Hunk[] {
  const lines = diff.replace(/\n+$/, '').split('\n');
  const start = lines.findIndex(line => line.startsWith('@@'));
  const hunks: Hunk[] = [];
  for (const line of start < 0
    ? ['@@', ...lines.filter(each => !HEADER.test(each))]
    : lines.slice(start)) {
    const hunk = hunks.at(-1);
    if (line.startsWith('@@')) hunks.push({ before: [], after: [] });
    else if (!hunk || line.startsWith('\\')) continue;
    else if (line.startsWith('-')) hunk.before.push(line.slice(1));
    else if (line.startsWith('+')) hunk.after.push(line.slice(1));
    else {
      // An empty line has lost the blank that says it is the same.
      hunk.before.push(line.slice(1));
      hunk.after.push(line.slice(1));
    }
  }
  return hunks.filter(({ before, after }) => before.length + after.length > 0);
}

function onlyPlace(
  file: readonly string[],
  wanted: readonly string[],
  from: number,
): number | undefined {
  if (wanted.length === 0) return undefined;
  const places: number[] = [];
  for (let at = from; at + wanted.length <= file.length; at += 1) {
    if (wanted.every((line, index) => file[at + index] === line)) places.push(at);
  }
  return places.length === 1 ? places[0] : undefined;
}
