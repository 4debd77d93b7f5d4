/** Lists up to this length are in the document as a whole. */
const FEW = 40;
/** Rows of a longer one that are drawn first, before any of them has a height. */
const FIRST = 20;
/** Rows that are drawn at most when many come at once. */
const MOST = 200;

export interface Row {
  readonly key: string;
}

/** Where the rows of a list stand now, in pixels from the top of the view. */
export interface Layout {
  /** The top of each row that is in the document. */
  readonly tops: readonly number[];
  /** The end of the last one. */
  readonly bottom: number;
  /** The height of the view. */
  readonly view: number;
  /** Nothing may leave the document: it is being selected. */
  readonly isHeld: boolean;
}

/**
 * Which rows of a long list are in the document: those in view and as much again above and below. In the place of
 * the others stand two gaps, as high as the rows were when they were seen, or as a guess says.
 */
export class ListWindow {
  /** The rows from `from` up to `to` are in the document. */
  from = 0;
  to = 0;
  /** Heights of the gaps in pixels. */
  above = 0;
  below = 0;
  private rows: readonly Row[] = [];
  private readonly heights = new Map<string, number>();
  /** What `below` is the sum of ends here. */
  private end = 0;

  /** @param guess the height of a row that was never seen, in pixels */
  constructor(private readonly guess: number) {}

  get isWhole(): boolean {
    return this.rows.length <= FEW;
  }

  /**
   * Takes notice of what the list is now. What is in the document stays there.
   * @param follows the reader is at the end, and stays there as the list grows
   * @param wanted the row that is to be in the document
   */
  place(rows: readonly Row[], follows: boolean, wanted = -1): void {
    const before = this.rows;
    const { length } = rows;
    let { from, to } = this;
    const wasAtEnd = to === before.length;
    const isOther = before[from]?.key !== rows[from]?.key || length < this.end;
    if (isOther && to > 0) {
      const shift = moved(before, rows, from, to);
      from += shift;
      to += shift;
    }
    this.rows = rows;
    if (isOther) this.measureGaps();
    if (length <= FEW) [from, to] = [0, length];
    else if (wanted >= 0 && (wanted < from || wanted >= to)) {
      [from, to] = [wanted - FIRST / 2, wanted + FIRST / 2];
    } else if (before.length === 0) {
      [from, to] = follows ? [length - FIRST, length] : [0, FIRST];
    } else {
      if (wasAtEnd) to = length;
      if (to - from > MOST && follows && wasAtEnd) from = to - MOST;
      to = Math.min(to, from + MOST);
    }
    this.set(from, to);
  }

  /** @returns whether other rows are to be in the document from now on */
  look({ tops, bottom, view, isHeld }: Layout): boolean {
    const { from, to, rows } = this;
    const [top] = tops;
    if (top === undefined || tops.length !== to - from) return false;
    tops.forEach((each, index) => {
      const { key } = rows[from + index] as Row;
      this.heights.set(key, (tops[index + 1] ?? bottom) - each);
    });
    const margin = Math.max(view, 400);
    const [first, last] = this.rowsIn(top, -margin, view + margin);
    const isFirst = isFar(top, margin, from > 0);
    const isLast = isFar(view - bottom, margin, to < rows.length);
    const next = [isFirst ? first : from, isLast ? last : to] as const;
    if (isHeld) this.set(Math.min(from, next[0]), Math.max(to, next[1]));
    else this.set(...next);
    return this.from !== from || this.to !== to;
  }

  /** The rows between two heights, when the first in the document stands at `top`. */
  private rowsIn(top: number, low: number, high: number): readonly [number, number] {
    let index = this.from;
    let at = top;
    while (index > 0 && at > low) at -= this.height((index -= 1));
    while (index < this.rows.length - 1 && at + this.height(index) < low) {
      at += this.height(index);
      index += 1;
    }
    let end = index;
    while (end < this.rows.length && at < high) {
      at += this.height(end);
      end += 1;
    }
    return [index, Math.max(end, index + 1)];
  }

  private set(from: number, to: number): void {
    const { length } = this.rows;
    const first = Math.max(0, Math.min(from, length - 1));
    const last = Math.min(length, Math.max(to, first + 1));
    this.above += this.sum(this.from, first) - this.sum(first, this.from);
    this.below += this.sum(this.end, length);
    this.below += this.sum(last, this.to) - this.sum(this.to, last);
    this.from = first;
    this.to = last;
    this.end = length;
  }

  private measureGaps(): void {
    this.from = 0;
    this.to = 0;
    this.above = 0;
    this.end = this.rows.length;
    this.below = this.sum(0, this.end);
  }

  private sum(from: number, to: number): number {
    let sum = 0;
    for (let index = from; index < to; index += 1) sum += this.height(index);
    return sum;
  }

  private height(index: number): number {
    return this.heights.get(this.rows[index]?.key ?? '') ?? this.guess;
  }
}

/**
 * Whether an edge is to be moved.
 * @param edge pixels from the edge of the view down to that of the rows
 */
function isFar(edge: number, margin: number, hasMore: boolean): boolean {
  return (hasMore && edge > -margin / 2) || edge < -3 * margin;
}

/** By how many places the rows that are in the document have moved in the list. */
function moved(before: readonly Row[], now: readonly Row[], from: number, to: number): number {
  const places = new Map(now.map(({ key }, index) => [key, index]));
  for (let index = from; index < to; index += 1) {
    const place = places.get(before[index]?.key ?? '');
    if (place !== undefined) return place - index;
  }
  return Math.round((from * now.length) / Math.max(before.length, 1)) - from;
}
