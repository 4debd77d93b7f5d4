/**
 * The rows of `now`, with each row of `shown` where it is, also if it is gone; what is new stands at the end, below
 * `heading`. VS Code reports a click on a row by its number: if rows moved just then, it would be taken for another one.
 */
export function withoutMoving<Row>(
  shown: readonly Row[],
  now: readonly Row[],
  keyOf: (row: Row) => string,
  heading: Row,
): readonly Row[] {
  const current = new Map(now.map(row => [keyOf(row), row]));
  const known = new Set(shown.map(keyOf));
  const kept = shown.map(row => current.get(keyOf(row)) ?? row);
  const added = now.filter(row => !known.has(keyOf(row)));
  if (added.length === 0) return kept;
  return [...kept, ...(known.has(keyOf(heading)) ? [] : [heading]), ...added];
}
