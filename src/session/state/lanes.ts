/**
 * What a subagent says and does stands under the tool call that began it: in a lane of its own, beside the
 * agent's. A turn keeps the parts of all lanes in one list, in order of their coming. Pure.
 */
import { laneOf } from './partIndex';
import type { Part, Turn } from './state';

/** What the agent itself says and does. */
export function ownParts({ parts }: Pick<Turn, 'parts'>): readonly Part[] {
  return parts.every(part => laneOf(part) === undefined)
    ? parts
    : parts.filter(part => laneOf(part) === undefined);
}

/** What stands directly under that call. */
export function partsUnder({ parts }: Pick<Turn, 'parts'>, toolCallId: string): readonly Part[] {
  return parts.filter(part => laneOf(part) === toolCallId);
}
