/**
 * Where things are among the parts of a long turn, so that thousands of tool calls take no longer each than a few.
 * Derived from the parts and kept beside them: no part of the state. Pure to callers.
 */
import type { Part } from './state';

interface Places {
  /** The last call of each id. */
  readonly calls: Map<string, number>;
  /** The last part of each lane. */
  readonly lanes: Map<string | undefined, number>;
}

/** In shorter lists a search is quicker. */
const LONG = 64;

const known = new WeakMap<readonly Part[], Places>();

/** The tool call that the part stands under; undefined for what the agent itself says and does. */
export function laneOf(part: Part): string | undefined {
  return 'parentToolCallId' in part ? part.parentToolCallId : undefined;
}

/** Where in `parts` the last call of that id is; -1 when there is none. */
export function lastOfCall(parts: readonly Part[], toolCallId: string): number {
  return parts.length < LONG
    ? parts.findLastIndex(part => part.kind === 'tool' && part.toolCallId === toolCallId)
    : (placesOf(parts).calls.get(toolCallId) ?? -1);
}

/** Where in `parts` the last one of that lane is; -1 when it has none. */
export function lastOfLane(parts: readonly Part[], lane: string | undefined): number {
  const last = parts.length - 1;
  const part = parts[last];
  if (part && laneOf(part) === lane) return last;
  return parts.length < LONG
    ? parts.findLastIndex(each => laneOf(each) === lane)
    : (placesOf(parts).lanes.get(lane) ?? -1);
}

/** Whether anything stands under that call; `undefined`: whether the agent itself has said or done anything. */
export function hasLane(parts: readonly Part[], lane: string | undefined): boolean {
  return lastOfLane(parts, lane) >= 0;
}

/** Whether all of it is what the agent itself says and does. */
export function isOneLane(parts: readonly Part[]): boolean {
  return parts.length < LONG
    ? parts.every(part => laneOf(part) === undefined)
    : [...placesOf(parts).lanes.keys()].every(lane => lane === undefined);
}

/** Where two lists of parts begin to differ. */
export function firstChange(before: readonly Part[], after: readonly Part[]): number {
  const end = Math.min(before.length, after.length);
  let index = 0;
  while (index < end && before[index] === after[index]) index += 1;
  return index;
}

/** `parts` and one more. */
export function appended(parts: readonly Part[], part: Part): readonly Part[] {
  const next = [...parts, part];
  const places = handedOn(parts, next);
  if (places) note(places, part, parts.length);
  return next;
}

/** `parts` with another one at `index`. */
export function replaced(parts: readonly Part[], index: number, part: Part): readonly Part[] {
  const next = parts.with(index, part);
  const before = parts[index];
  if (before && callOf(before) === callOf(part) && laneOf(before) === laneOf(part)) {
    handedOn(parts, next);
  }
  return next;
}

/** What is known of `before` is true of `after` from now on: the lists of a turn follow each other. */
function handedOn(before: readonly Part[], after: readonly Part[]): Places | undefined {
  if (before.length < LONG) return undefined;
  const places = known.get(before);
  if (places) {
    known.delete(before);
    known.set(after, places);
  }
  return places;
}

function placesOf(parts: readonly Part[]): Places {
  const found = known.get(parts);
  if (found) return found;
  const places: Places = { calls: new Map(), lanes: new Map() };
  for (const [index, part] of parts.entries()) note(places, part, index);
  known.set(parts, places);
  return places;
}

function note({ calls, lanes }: Places, part: Part, index: number): void {
  const id = callOf(part);
  if (id !== undefined) calls.set(id, index);
  lanes.set(laneOf(part), index);
}

function callOf(part: Part): string | undefined {
  return part.kind === 'tool' ? part.toolCallId : undefined;
}
