/**
 * What a subagent says and does stands under the tool call that began it: in a lane of its own, beside the
 * agent's. A turn keeps the parts of all lanes in one list, in order of their coming. Pure.
 */
import { isOneLane, laneOf } from './partIndex';
import type { Part, Turn } from './state';

const known = new WeakMap<readonly Part[], ReadonlyMap<string | undefined, readonly Part[]>>();
const NONE: readonly Part[] = [];

/** What the agent itself says and does. */
export function ownParts({ parts }: Pick<Turn, 'parts'>): readonly Part[] {
  return isOneLane(parts) ? parts : (lanesOf(parts).get(undefined) ?? NONE);
}

/** What stands directly under that call. */
export function partsUnder({ parts }: Pick<Turn, 'parts'>, toolCallId: string): readonly Part[] {
  return isOneLane(parts) ? NONE : (lanesOf(parts).get(toolCallId) ?? NONE);
}

/** All that stands under that call: after each call what stands under it in turn. */
export function partsBelow(turn: Pick<Turn, 'parts'>, toolCallId: string): readonly Part[] {
  return partsUnder(turn, toolCallId).flatMap(part =>
    part.kind === 'tool' ? [part, ...partsBelow(turn, part.toolCallId)] : [part],
  );
}

/** The parts of each lane, in order; looked for once. */
function lanesOf(parts: readonly Part[]): ReadonlyMap<string | undefined, readonly Part[]> {
  const found = known.get(parts);
  if (found) return found;
  const lanes = new Map<string | undefined, Part[]>();
  for (const part of parts) {
    const lane = lanes.get(laneOf(part));
    if (lane) lane.push(part);
    else lanes.set(laneOf(part), [part]);
  }
  known.set(parts, lanes);
  return lanes;
}
