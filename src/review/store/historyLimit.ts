/** Something that can be taken back, with what must be kept for it. */
export interface Recoverable {
  /** Hashes of what is kept as a blob. */
  readonly hashes: readonly string[];
  /** Bytes kept otherwise. */
  readonly bytes: number;
}

/**
 * How many of the latest of `items` (oldest first) fit into `limit` bytes. What is in `held` costs nothing;
 * what fits is added to it.
 */
export function latestThatFit(
  items: readonly Recoverable[],
  limit: number,
  held: Set<string>,
  sizeOf: (hash: string) => number,
): { readonly count: number; readonly bytes: number } {
  let bytes = 0;
  let count = 0;
  for (const item of [...items].reverse()) {
    const fresh = new Set(item.hashes.filter(hash => !held.has(hash)));
    let cost = item.bytes;
    for (const hash of fresh) cost += sizeOf(hash);
    if (bytes + cost > limit) break;
    bytes += cost;
    count++;
    for (const hash of fresh) held.add(hash);
  }
  return { count, bytes };
}
