import { comparable, hitsIn, rankOf } from './fuzzy';

export interface PathMatch {
  readonly path: string;
  /** Places of the typed letters in `path`. */
  readonly hits: readonly number[];
}

/** Longer paths count as if they had this length. */
const MAX_LENGTH = 4095;

/** Many paths, in which the best for what is being typed are found between two keys. */
export class PathList {
  private readonly lower: readonly string[];
  private readonly nameAt: readonly number[];
  /** What was looked for last, and which paths fit: with more letters, no other can. */
  private last: { readonly wanted: string; readonly found: readonly number[] } | undefined;

  constructor(readonly paths: readonly string[]) {
    this.lower = paths.map(comparable);
    this.nameAt = paths.map(nameStart);
  }

  /**
   * The best, best first: by rank, then those of `preferred`, then short ones.
   * @param query not empty
   */
  search(query: string, limit: number, preferred?: ReadonlySet<string>): readonly PathMatch[] {
    const wanted = comparable(query);
    const { last } = this;
    const narrowed = last && wanted.startsWith(last.wanted) ? last.found : undefined;
    const count = narrowed ? narrowed.length : this.paths.length;
    const found: number[] = [];
    const best = new Best(limit);
    for (let place = 0; place < count; place++) {
      const index = narrowed ? (narrowed[place] ?? 0) : place;
      const path = this.paths[index] ?? '';
      const rank = rankOf(this.lower[index] ?? '', path, wanted, this.nameAt[index] ?? 0);
      if (rank === undefined) continue;
      found.push(index);
      const other = preferred?.has(path) ? 0 : 1;
      best.add((rank * 2 + other) * (MAX_LENGTH + 1) + Math.min(path.length, MAX_LENGTH), index);
    }
    this.last = { wanted, found };
    return best.indexes.map(index => ({
      path: this.paths[index] ?? '',
      hits: hitsIn(this.lower[index] ?? '', wanted, this.nameAt[index] ?? 0),
    }));
  }
}

/** Where the last name of a path begins. */
export function nameStart(path: string): number {
  return path.lastIndexOf('/') + 1;
}

/** The few with the lowest cost of very many; among equals those that came first. */
class Best {
  private readonly costs: number[] = [];
  readonly indexes: number[] = [];

  constructor(private readonly limit: number) {}

  add(cost: number, index: number): void {
    const { costs, indexes, limit } = this;
    if (costs.length >= limit) {
      if (cost >= (costs.at(-1) ?? 0)) return;
      costs.pop();
      indexes.pop();
    }
    let place = costs.length;
    while (place > 0 && (costs[place - 1] ?? 0) > cost) place -= 1;
    costs.splice(place, 0, cost);
    indexes.splice(place, 0, index);
  }
}
