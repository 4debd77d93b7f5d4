import { diffArrays } from 'diff';

/** Whole lines, by 0-based first line and number; an empty range stands before line `start`. */
export interface LineRange {
  readonly start: number;
  readonly count: number;
}

/** The lines `before` of one text are the lines `after` in another. */
export interface Change {
  readonly before: LineRange;
  readonly after: LineRange;
}

/** Edits beyond which two stretches without a common landmark count as simply different. */
const MAX_EDITS = 400;

/** A stretch of both texts, by first line and line after the last. */
interface Gap {
  readonly a: number;
  readonly aEnd: number;
  readonly b: number;
  readonly bEnd: number;
}

/**
 * How the lines `a` became the lines `b`: in ascending order, not overlapping and not adjacent. Lines that
 * occur once on both sides are landmarks; only what lies between them is compared line by line. So the time
 * follows the size of the texts and not that of their difference.
 */
export function diffLines(a: readonly string[], b: readonly string[]): readonly Change[] {
  const changes: Change[] = [];
  const gaps: Gap[] = [{ a: 0, aEnd: a.length, b: 0, bEnd: b.length }];
  for (let gap = gaps.pop(); gap; gap = gaps.pop()) {
    const rest = trim(a, b, gap);
    if (rest.a === rest.aEnd && rest.b === rest.bEnd) continue;
    const between = rest.a < rest.aEnd && rest.b < rest.bEnd ? splitAtLandmarks(a, b, rest) : [];
    // The last gap comes off the stack first.
    if (between.length > 0) gaps.push(...between.reverse());
    else for (const change of compare(a, b, rest)) append(changes, change);
  }
  return changes;
}

/** The gap without the lines that both sides begin and end with. */
function trim(a: readonly string[], b: readonly string[], gap: Gap): Gap {
  let { a: start, aEnd, b: other, bEnd } = gap;
  while (start < aEnd && other < bEnd && a[start] === b[other]) {
    start++;
    other++;
  }
  while (start < aEnd && other < bEnd && a[aEnd - 1] === b[bEnd - 1]) {
    aEnd--;
    bEnd--;
  }
  return { a: start, aEnd, b: other, bEnd };
}

/** The gaps between the landmarks of `gap`; none when it has no landmark. */
function splitAtLandmarks(a: readonly string[], b: readonly string[], gap: Gap): Gap[] {
  const landmarks = longestAscending(uniquePairs(a, b, gap));
  if (landmarks.length === 0) return [];
  const gaps: Gap[] = [];
  let from = { a: gap.a, b: gap.b };
  for (const landmark of landmarks) {
    const isEmpty = landmark.a === from.a && landmark.b === from.b;
    if (!isEmpty) gaps.push({ a: from.a, aEnd: landmark.a, b: from.b, bEnd: landmark.b });
    from = { a: landmark.a + 1, b: landmark.b + 1 };
  }
  gaps.push({ a: from.a, aEnd: gap.aEnd, b: from.b, bEnd: gap.bEnd });
  return gaps;
}

interface Pair {
  readonly a: number;
  readonly b: number;
}

const REPEATED = -1;

/** Lines that occur exactly once on each side of the gap, in the order of `a`. */
function uniquePairs(a: readonly string[], b: readonly string[], gap: Gap): readonly Pair[] {
  const inA = new Map<string, number>();
  for (let index = gap.a; index < gap.aEnd; index++) {
    const line = a[index] ?? '';
    inA.set(line, inA.has(line) ? REPEATED : index - gap.a);
  }
  // By line of `a`: 1 + the line of `b` that says the same, 0 for none.
  const inB = new Int32Array(gap.aEnd - gap.a);
  for (let index = gap.b; index < gap.bEnd; index++) {
    const place = inA.get(b[index] ?? '');
    if (place === undefined || place === REPEATED) continue;
    inB[place] = inB[place] === 0 ? index + 1 : REPEATED;
  }
  const pairs: Pair[] = [];
  for (const [place, other] of inB.entries()) {
    if (other > 0) pairs.push({ a: gap.a + place, b: other - 1 });
  }
  return pairs;
}

/** The longest part of `pairs` whose places in `b` ascend too (patience sorting). */
function longestAscending(pairs: readonly Pair[]): readonly Pair[] {
  // As a rule nothing was moved.
  if (pairs.every(({ b }, index) => index === 0 || (pairs[index - 1]?.b ?? b) < b)) return pairs;
  interface Card extends Pair {
    readonly previous: Card | undefined;
  }
  const tops: Card[] = [];
  for (const pair of pairs) {
    let low = 0;
    let high = tops.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((tops[middle]?.b ?? Infinity) < pair.b) low = middle + 1;
      else high = middle;
    }
    tops[low] = { ...pair, previous: tops[low - 1] };
  }
  const chosen: Pair[] = [];
  for (let card = tops.at(-1); card; card = card.previous) chosen.push(card);
  return chosen.reverse();
}

function compare(a: readonly string[], b: readonly string[], gap: Gap): readonly Change[] {
  const whole: Change = {
    before: { start: gap.a, count: gap.aEnd - gap.a },
    after: { start: gap.b, count: gap.bEnd - gap.b },
  };
  if (whole.before.count === 0 || whole.after.count === 0) return [whole];
  const pieces = diffArrays(a.slice(gap.a, gap.aEnd), b.slice(gap.b, gap.bEnd), {
    maxEditLength: MAX_EDITS,
  });
  // Two texts with nothing in common: one change says it best.
  if (pieces === undefined) return [whole];
  const changes: Change[] = [];
  let before = gap.a;
  let after = gap.b;
  for (const { added, removed, value } of pieces) {
    const count = value.length;
    const none = (start: number) => ({ start, count: 0 });
    if (removed) {
      append(changes, { before: { start: before, count }, after: none(after) });
      before += count;
    } else if (added) {
      append(changes, { before: none(before), after: { start: after, count } });
      after += count;
    } else {
      before += count;
      after += count;
    }
  }
  return changes;
}

/** Adds `change`, joined with the last one where they touch. */
function append(changes: Change[], change: Change): void {
  const last = changes.at(-1);
  const touches =
    last !== undefined &&
    endOf(last.before) === change.before.start &&
    endOf(last.after) === change.after.start;
  if (!touches) {
    changes.push(change);
    return;
  }
  changes[changes.length - 1] = {
    before: { start: last.before.start, count: last.before.count + change.before.count },
    after: { start: last.after.start, count: last.after.count + change.after.count },
  };
}

export function endOf({ start, count }: LineRange): number {
  return start + count;
}
