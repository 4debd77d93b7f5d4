/** Subagents as agents tell of them that do so outside the schema, or by an early draft of it. */
import { isObject, name, type Json } from '../schema/guards/primitives';

/** What agents call the tool call that began a subagent, in `_meta` or in their own object there. */
const PARENT_FIELDS = ['parentToolUseId', 'parentToolCallId'] as const;

/**
 * The tool call that an update belongs under, by its `_meta`: `{claudeCode: {parentToolUseId}}` and
 * `{parentToolCallId}` are in use.
 */
export function parentToolCallOf(meta: unknown): string | undefined {
  if (!isObject(meta)) return undefined;
  return parentIn(meta) ?? Object.values(meta).map(parentIn).find(Boolean);
}

function parentIn(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  return PARENT_FIELDS.map(field => name(value[field])).find(Boolean);
}

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

/** The session that an update tells to be a subagent's. */
export function subagentToldOf(update: Json): string | undefined {
  return update['sessionUpdate'] === 'subagent_update'
    ? name(asSubagentUpdate(update)['sessionId'])
    : undefined;
}
