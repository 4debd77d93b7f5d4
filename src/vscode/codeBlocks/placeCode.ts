import { diffLines, endOf } from '../../base/lineDiff';

/** So many places are compared at most. */
const MAX_PLACES = 50;

/** The lines that a piece of code would replace, and what it puts there. */
interface Place {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/**
 * `file` with `code` in the place that its first and last line name: a line that occurs once, and one that says the
 * same as the last. Where several could be the last, the one that changes the fewest lines. Code that stands further
 * to the left than the file is indented as the file is.
 *
 * @returns undefined when the file has no such lines. All texts have `\n` line ends.
 */
export function placeCode(file: string, code: string): string | undefined {
  const lines = file.split('\n');
  const place = placeOf(lines, trimmed(code.split('\n')));
  return (
    place && [...lines.slice(0, place.start), ...place.lines, ...lines.slice(place.end)].join('\n')
  );
}

function placeOf(file: readonly string[], code: readonly string[]): Place | undefined {
  const [first] = code;
  const last = code.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const starts = file.flatMap((line, at) => (line.trim() === first.trim() ? [at] : []));
  const [start] = starts;
  if (start === undefined || starts.length > 1) return undefined;
  const lines = indented(code, file[start] ?? '');
  const end = lines.at(-1)?.trimEnd();
  const places = file
    .flatMap((line, at) => (at >= start && line.trimEnd() === end ? [at + 1] : []))
    .slice(0, MAX_PLACES)
    .map(at => ({ start, end: at, lines, changed: changedLines(file.slice(start, at), lines) }));
  return places.reduce<(typeof places)[number] | undefined>(
    (best, place) => (best && best.changed <= place.changed ? best : place),
    undefined,
  );
}

function changedLines(before: readonly string[], after: readonly string[]): number {
  return diffLines(before, after).reduce(
    (sum, change) => sum + change.before.count + change.after.count,
    0,
  );
}

/** Without blank lines at both ends. */
function trimmed(lines: readonly string[]): readonly string[] {
  const isWritten = (line: string): boolean => line.trim() !== '';
  return lines.slice(lines.findIndex(isWritten), lines.findLastIndex(isWritten) + 1);
}

function indented(code: readonly string[], place: string): readonly string[] {
  const [wanted, given] = [indentOf(place), indentOf(code[0] ?? '')];
  if (wanted === given || !wanted.endsWith(given)) return code;
  const more = wanted.slice(0, wanted.length - given.length);
  return code.map(line => (line.trim() === '' ? line : more + line));
}

function indentOf(line: string): string {
  return /^\s*/.exec(line)?.[0] ?? '';
}

/** `now` with the lines of one change of `diffLines(now, other)` as `other` has them. */
export function withChange(
  now: readonly string[],
  other: readonly string[],
  { before, after }: ReturnType<typeof diffLines>[number],
): readonly string[] {
  return [
    ...now.slice(0, before.start),
    ...other.slice(after.start, endOf(after)),
    ...now.slice(endOf(before)),
  ];
}
