/** Where changes are and which comes next. Pure; lines are 0-based. */
import type { Hunk, LineRange, PendingFile } from '../../review/model';

export type Side = 'baseline' | 'current';

/** A place to go to: a hunk, or a file that is decided on as a whole. */
export interface ChangePlace {
  readonly file: PendingFile;
  readonly hunk?: Hunk;
}

/**
 * The hunk at `line` of one side. A hunk without lines on that side stands between two lines and answers to
 * both; one that has the line comes first.
 */
export function hunkAt(file: PendingFile, line: number, side: Side): Hunk | undefined {
  const holds = ({ start, count }: LineRange): boolean => line >= start && line < start + count;
  const touches = ({ start, count }: LineRange): boolean =>
    count === 0 && (line === start || line === start - 1);
  return file.hunks.find(hunk => holds(hunk[side])) ?? file.hunks.find(hunk => touches(hunk[side]));
}

/** Where the user stands; without `line` before (or behind) all of the file. */
export interface Standpoint {
  readonly path: string;
  readonly line?: number;
  readonly side: Side;
}

export interface NextPlace extends ChangePlace {
  /** True when the search went over the last (or first) change of all. */
  readonly wrapped: boolean;
}

/** The change behind (or before) where the user stands, over all files in the review's order. */
export function nextPlace(
  pending: readonly PendingFile[],
  from: Standpoint | undefined,
  direction: 1 | -1,
): NextPlace | undefined {
  const places = pending.flatMap(placesOf);
  if (places.length === 0) return undefined;
  const ordered = direction === 1 ? places : places.toReversed();
  const here = from ? pending.findIndex(({ path }) => path === from.path) : -1;
  const isBeyond = (place: ChangePlace, at: Standpoint): boolean => {
    if (place.file.path === at.path) return isBeyondInFile(place, at, direction);
    // A file without changes of its own stands where its path would be.
    const after = here < 0 ? place.file.path > at.path : pending.indexOf(place.file) > here;
    return after === (direction === 1);
  };
  const found = from && ordered.find(place => isBeyond(place, from));
  const first = ordered[0];
  if (found) return { ...found, wrapped: false };
  return first && { ...first, wrapped: from !== undefined };
}

function placesOf(file: PendingFile): readonly ChangePlace[] {
  return hasHunkPlaces(file) ? file.hunks.map(hunk => ({ file, hunk })) : [{ file }];
}

/** Deleted and binary files have no lines to go to. */
export function hasHunkPlaces(file: PendingFile): boolean {
  return file.change !== 'deleted' && file.hunks.length > 0;
}

function isBeyondInFile({ hunk }: ChangePlace, from: Standpoint, direction: 1 | -1): boolean {
  if (!hunk || from.line === undefined) return false;
  const range = hunk[from.side];
  // Standing at a hunk is standing on all of its lines: the next one is another hunk.
  const last = range.start + Math.max(range.count, 1) - 1;
  return direction === 1 ? range.start > from.line : last < from.line;
}
