/**
 * What two have made of one map, together.
 * @param base what both began with
 * @param both what becomes of a value that both have changed; undefined takes it away
 */
export function mergeMaps<T>(
  base: ReadonlyMap<string, T>,
  mine: ReadonlyMap<string, T>,
  theirs: ReadonlyMap<string, T>,
  same: (a: T | undefined, b: T | undefined) => boolean,
  both: (mine: T | undefined, theirs: T | undefined, key: string) => T | undefined,
): Map<string, T> {
  const result = new Map<string, T>();
  for (const key of new Set([...theirs.keys(), ...mine.keys()])) {
    const [before, m, t] = [base.get(key), mine.get(key), theirs.get(key)];
    const value = same(m, before) ? t : same(t, before) ? m : both(m, t, key);
    if (value !== undefined) result.set(key, value);
  }
  return result;
}
