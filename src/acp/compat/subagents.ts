/** Subagents as agents report them that do so outside the schema, or by an early draft of it. */
import type { Json } from '../schema/guards/primitives';

/** States of the early draft, in which a subagent had one task and ended with it. */
const EARLY_STATES: ReadonlyMap<unknown, Json> = new Map<unknown, Json>([
  ['running', { state: 'running' }],
  ['completed', { state: 'idle', stopReason: 'end_turn' }],
  ['failed', { state: 'idle', stopReason: 'error' }],
  ['cancelled', { state: 'idle', stopReason: 'cancelled' }],
  ['disconnected', { state: 'unknown' }],
]);

/** `subagentSessionId`, `name` and `task` for `sessionId`, `title` and `description`. */
export function asSubagentUpdate(update: Json): Json {
  const { subagentSessionId, name: title, task, state } = update;
  const early = EARLY_STATES.get(state);
  if (subagentSessionId === undefined && early === undefined) return update;
  return {
    sessionId: subagentSessionId,
    ...(title !== undefined && { title }),
    ...(task !== undefined && { description: task }),
    ...update,
    ...(early && { state: early }),
  };
}
