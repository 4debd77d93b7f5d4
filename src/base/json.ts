/** Levels of a value that are kept when it is nested deeper than `JSON.stringify` can go. */
const MAX_DEPTH = 100;

/**
 * `value` as JSON. Never throws, whatever came over a wire: `JSON.parse` reads values nested deeper than
 * `JSON.stringify` can write; those lose what is below a hundred levels.
 * @param text what to write for a text in it
 */
export function toJson(value: unknown, indent?: number, text = (each: string) => each): string {
  const replacer = (_: string, each: unknown) => (typeof each === 'string' ? text(each) : each);
  try {
    return JSON.stringify(value, replacer, indent) ?? 'undefined';
  } catch {
    return JSON.stringify(pruned(value, MAX_DEPTH), replacer, indent);
  }
}

function pruned(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return '…';
  if (Array.isArray(value)) return value.map(item => pruned(item, depth - 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, pruned(item, depth - 1)]),
  );
}
