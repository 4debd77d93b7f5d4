import type { LineRange } from '../model';
import { endOf, type Change } from '../../base/lineDiff';

/** `lines` with `range` replaced. */
export function splice(
  lines: readonly string[],
  range: LineRange,
  replacement: readonly string[],
): readonly string[] {
  return lines.slice(0, range.start).concat(replacement, lines.slice(endOf(range)));
}

export function slice(lines: readonly string[], range: LineRange): readonly string[] {
  return lines.slice(range.start, endOf(range));
}

/**
 * Where `range` is after `changes`; it grows with what replaces a part of it. Of an empty range, lines
 * inserted right there stand behind.
 */
export function moved(range: LineRange, changes: readonly Change[]): LineRange {
  if (range.count === 0) return { start: movedPlace(range.start, changes, 'end'), count: 0 };
  const start = movedPlace(range.start, changes, 'start');
  return { start, count: Math.max(0, movedPlace(endOf(range), changes, 'end') - start) };
}

/** True when one of `changes` (by its lines before) replaces lines of `range` or falls inside it. */
export function isTouched(range: LineRange, changes: readonly Change[]): boolean {
  return changes.some(({ before }) => overlaps(range, before));
}

/** True when the ranges share a line, or an empty one lies within the other, its edges included. */
export function touches(a: LineRange, b: LineRange): boolean {
  if (a.count === 0 || b.count === 0) return a.start <= endOf(b) && b.start <= endOf(a);
  return a.start < endOf(b) && b.start < endOf(a);
}

/** True when the ranges share a line, or an empty one lies strictly inside the other. */
export function overlaps(a: LineRange, b: LineRange): boolean {
  if (a.count === 0 && b.count === 0) return false;
  return a.start < endOf(b) && b.start < endOf(a);
}

function movedPlace(place: number, changes: readonly Change[], edge: 'start' | 'end'): number {
  let shift = 0;
  for (const { before, after } of changes) {
    const end = endOf(before);
    if (before.start > place) break;
    if (end < place || (end === place && before.count > 0)) {
      shift = endOf(after) - end;
    } else if (before.start === place && before.count > 0) {
      // The place stands before what was replaced.
      return after.start;
    } else if (before.start === place) {
      // Lines inserted right here: before a range that begins here, behind one that ends here.
      return edge === 'start' ? endOf(after) : after.start;
    } else {
      return edge === 'start' ? after.start : endOf(after);
    }
  }
  return place + shift;
}
