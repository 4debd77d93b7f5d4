/** `session/update` as agents send it that depart from the schema. */
import { isObject, type Json } from '../guards/primitives';

/** What one notification tells, as the parameters of the notifications that the schema has for it. */
export interface ReadNotifications {
  readonly notifications: readonly unknown[];
  /** The early draft speaks like this, and nothing else. */
  readonly early: boolean;
}

/**
 * Undefined for a notification in the shape of the schema. Some agents put the fields of the update beside
 * the session id. The early draft has no `update` but tells changes side by side, several at once maybe:
 * they are read in the order in which they were written.
 */
export function readNotification(params: unknown): ReadNotifications | undefined {
  if (!isObject(params)) return undefined;
  const { update } = params;
  if (isObject(update)) {
    if (update['sessionUpdate'] !== undefined) return undefined;
    return readEarly(params['sessionId'], update);
  }
  if (update !== undefined) return undefined;
  if (!('sessionUpdate' in params)) return readEarly(params['sessionId'], params);
  const { sessionId, ...rest } = params;
  return { notifications: [{ sessionId, update: rest }], early: false };
}

function readEarly(sessionId: unknown, told: Json): ReadNotifications | undefined {
  const notifications = Object.entries(told).flatMap(([field, value]) => {
    const update = EARLY.get(field)?.(value);
    return update === undefined ? [] : [{ sessionId, update }];
  });
  return notifications.length > 0 ? { notifications, early: true } : undefined;
}

type Reader = (value: unknown) => Json | undefined;

const EARLY: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['contentChunk', contentChunk],
  ['toolCall', toolCall],
  ['plan', plan],
  ['currentModeId', currentMode],
]);

/** `{id, index, delta}`: the id of a part, of which each has its own. */
function contentChunk(value: unknown): Json | undefined {
  if (!isObject(value)) return undefined;
  const { id, delta, ...rest } = value;
  if (typeof delta !== 'string') return undefined;
  const content = { type: 'text', text: delta };
  return { ...rest, sessionUpdate: 'agent_message_chunk', messageId: id, content };
}

/** Announcements and changes look alike: what is only beginning is an announcement. */
function toolCall(value: unknown): Json | undefined {
  if (!isObject(value)) return undefined;
  const { status, title } = value;
  const begins = status === 'pending' || (status === undefined && typeof title === 'string');
  return { ...value, sessionUpdate: begins ? 'tool_call' : 'tool_call_update' };
}

function plan(value: unknown): Json | undefined {
  return isObject(value) ? { ...value, sessionUpdate: 'plan' } : undefined;
}

function currentMode(value: unknown): Json | undefined {
  if (typeof value !== 'string') return undefined;
  return { sessionUpdate: 'current_mode_update', currentModeId: value };
}

/** `steps` for `entries`. */
export function asPlan(value: unknown): unknown {
  if (!isObject(value) || 'entries' in value || !('steps' in value)) return value;
  const { steps, ...rest } = value;
  return { ...rest, entries: steps };
}

/** `title` for `content`. */
export function asPlanEntry(value: unknown): unknown {
  if (!isObject(value) || 'content' in value || !('title' in value)) return value;
  const { title, ...rest } = value;
  return { ...rest, content: title };
}
