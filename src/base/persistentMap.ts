/** So many that each is small to copy with tens of thousands of keys. */
const BUCKETS = 256;

const EMPTY: ReadonlyMap<string, never> = new Map<string, never>();

/**
 * A map whose versions share what they have in common: with one key of thousands changed there is a new map at the
 * cost of a small one, and the one before stays as it was. Its keys are in no order.
 */
export class PersistentMap<V> implements Iterable<readonly [string, V]> {
  private constructor(
    /** Versions share those that are the same: what is found out about one can be kept with it. */
    readonly buckets: readonly ReadonlyMap<string, V>[],
    readonly size: number,
  ) {}

  static from<V>(entries: Iterable<readonly [string, V]>): PersistentMap<V> {
    const buckets = Array.from({ length: BUCKETS }, (): ReadonlyMap<string, V> => EMPTY);
    const filled = new Map<number, Map<string, V>>();
    for (const [key, value] of entries) {
      const place = placeOf(key);
      const bucket = filled.get(place) ?? new Map<string, V>();
      filled.set(place, bucket.set(key, value));
      buckets[place] = bucket;
    }
    return new PersistentMap(
      buckets,
      buckets.reduce((sum, { size }) => sum + size, 0),
    );
  }

  get(key: string): V | undefined {
    return this.buckets[placeOf(key)]?.get(key);
  }

  has(key: string): boolean {
    return this.buckets[placeOf(key)]?.has(key) ?? false;
  }

  with(key: string, value: V): PersistentMap<V> {
    return this.changed(key, bucket => bucket.set(key, value));
  }

  without(key: string): PersistentMap<V> {
    return this.has(key) ? this.changed(key, bucket => bucket.delete(key)) : this;
  }

  *[Symbol.iterator](): Iterator<readonly [string, V]> {
    for (const bucket of this.buckets) yield* bucket;
  }

  *keys(): IterableIterator<string> {
    for (const bucket of this.buckets) yield* bucket.keys();
  }

  private changed(key: string, change: (bucket: Map<string, V>) => void): PersistentMap<V> {
    const place = placeOf(key);
    const before = this.buckets[place] ?? EMPTY;
    const bucket = new Map(before);
    change(bucket);
    const buckets = [...this.buckets];
    buckets[place] = bucket;
    return new PersistentMap(buckets, this.size + bucket.size - before.size);
  }
}

/** FNV-1a, in 32 bits, of the key's UTF-16 units. */
function placeOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) % BUCKETS;
}
