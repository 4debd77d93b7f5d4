/** `session/update` as agents send it that depart from the schema. */
import { isObject, mapped, name, type Json } from '../schema/guards/primitives';
import { UPDATE_KINDS } from '../schema/guards/updates';
import { asToolCall } from './calls';
import { withBlock } from './content';
import { asPlanStatus } from './statuses';
import { asSubagentUpdate } from './subagents';

/** What one notification says, as the parameters of the notifications that the schema has for it. */
export interface ReadNotifications {
  readonly notifications: readonly unknown[];
  /** The early draft speaks like this, and nothing else. */
  readonly early: boolean;
}

/**
 * The notifications that one is in the schema. Some agents put the fields of the update beside the session
 * id, or write the kind of the update in another case or under another name, or send the content of a message
 * as a list. The early draft has no `update` but says changes side by side, several at once maybe: they are
 * read in the order in which they were written.
 */
export function readNotification(params: unknown): ReadNotifications {
  const { notifications, early } = unpacked(params);
  return { notifications: mapped(notifications, withSchemaFields), early };
}

function unpacked(params: unknown): ReadNotifications {
  const asItIs = { notifications: [params], early: false };
  if (!isObject(params)) return asItIs;
  const { update, sessionId } = params;
  if (Array.isArray(update)) {
    const all = update
      .filter(isObject)
      .flatMap(each => unpacked({ sessionId, update: each }).notifications);
    return all.length > 0 ? { notifications: all, early: false } : asItIs;
  }
  if (isObject(update)) {
    if (update['sessionUpdate'] === undefined && kindOf(update['type']) === undefined) {
      return readEarly(sessionId, update) ?? asItIs;
    }
    const updates = asUpdates(update);
    if (!updates) return asItIs;
    return { notifications: updates.map(each => ({ sessionId, update: each })), early: false };
  }
  if (update !== undefined) return asItIs;
  if (!('sessionUpdate' in params)) return readEarly(sessionId, params) ?? asItIs;
  const { sessionId: _, ...rest } = params;
  const updates = asUpdates(rest) ?? [rest];
  return { notifications: updates.map(each => ({ sessionId, update: each })), early: false };
}

/** A `session/update` with the fields of its kind by the schema's names. */
export function withSchemaFields(notification: unknown): unknown {
  if (!isObject(notification) || !isObject(notification['update'])) return notification;
  const { update } = notification;
  const read = readerOf(update['sessionUpdate'])?.(update) ?? update;
  return read === update ? notification : { ...notification, update: read };
}

function readerOf(kind: unknown): ((update: Json) => unknown) | undefined {
  switch (kind) {
    case 'user_message_chunk':
    case 'agent_message_chunk':
    case 'agent_thought_chunk':
    case 'compaction_summary_chunk':
      return withBlock;
    case 'tool_call':
    case 'tool_call_update':
      return asToolCall;
    case 'plan':
      return asPlan;
    case 'subagent_update':
      return asSubagentUpdate;
    default:
      return undefined;
  }
}

/** The updates that this one is in the schema; undefined when it is one of them itself. */
function asUpdates(update: Json): readonly Json[] | undefined {
  if (isInSchema(update)) return undefined;
  const { sessionUpdate, type, ...fields } = update;
  const kind = kindOf(sessionUpdate ?? type);
  if (kind === undefined) return undefined;
  const isChunk = CHUNKS.has(kind);
  const whole = {
    sessionUpdate: kind,
    ...fields,
    ...(sessionUpdate !== undefined && type !== undefined && { type }),
  };
  if (!isChunk || isObject(fields['content'])) return [whole];
  const { content, text, delta, ...rest } = whole as Json;
  const raw = content ?? text ?? delta;
  const blocks: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  return blocks.map(block => ({ ...rest, sessionUpdate: kind, content: block }));
}

/** Most are: seen without a copy of it. */
function isInSchema({ sessionUpdate, content }: Json): boolean {
  return EXACT.has(sessionUpdate) && (isObject(content) || !CHUNKS.has(sessionUpdate));
}

const CHUNKS = new Set<unknown>([
  'user_message_chunk',
  'agent_message_chunk',
  'agent_thought_chunk',
]);

/** `agentMessageChunk`, `AgentMessageChunk` and `agent-message-chunk` are the same kind. */
const KINDS: ReadonlyMap<string, string> = new Map(
  UPDATE_KINDS.map(kind => [kind.replaceAll('_', ''), kind]),
);

const EXACT = new Set<unknown>(KINDS.values());

function kindOf(value: unknown): string | undefined {
  const raw = name(value);
  return raw === undefined ? undefined : KINDS.get(raw.toLowerCase().replace(/[-_]/g, ''));
}

function readEarly(sessionId: unknown, raw: Json): ReadNotifications | undefined {
  const notifications = Object.entries(raw).flatMap(([field, value]) => {
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

/** `steps`, `items` and `plan` for `entries`. */
function asPlan(plan: Json): Json {
  const key = 'entries' in plan ? 'entries' : LISTS.find(field => Array.isArray(plan[field]));
  const entries = key === undefined ? undefined : plan[key];
  if (key === undefined || !Array.isArray(entries)) return plan;
  const read = mapped(entries, asPlanEntry);
  if (key === 'entries' && read === entries) return plan;
  return { ...without(plan, key), entries: read };
}

const LISTS = ['steps', 'items', 'plan', 'todos'];

/** A bare text, `title` (or the like) for `content`, and statuses by other names. */
function asPlanEntry(value: unknown): unknown {
  if (typeof value === 'string') return { content: value };
  if (!isObject(value)) return value;
  const status = asPlanStatus(value['status']);
  const entry = status === value['status'] ? value : { ...value, status };
  if ('content' in entry) return entry;
  const field = ['title', 'text', 'description', 'step', 'task'].find(key => name(entry[key]));
  return field === undefined ? entry : { ...without(entry, field), content: entry[field] };
}

function without(value: Json, field: string): Json {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== field));
}
