/** Tool calls as agents send them that depart from the schema, in its shape. */
import { isObject, name, type Json } from '../schema/guards/primitives';
import { asToolCallContents } from './content';
import { asStatus } from './statuses';

/** Kinds of tools that seeds and agents name and the schema calls otherwise. */
const TOOL_KINDS: ReadonlyMap<unknown, string> = new Map([
  ['write', 'edit'],
  ['create', 'edit'],
  ['shell', 'execute'],
  ['bash', 'execute'],
]);

/** What else agents call the fields of a tool call. */
const ALIASES: readonly (readonly [field: string, aliases: readonly string[]])[] = [
  ['toolCallId', ['callId', 'toolUseId', 'id']],
  ['title', ['label']],
  ['rawInput', ['input', 'arguments', 'args']],
  ['rawOutput', ['output', 'result']],
];

/**
 * A tool call with fields, kinds and statuses by other names, with its change as a field of its own, or with
 * one piece of content that is no list.
 */
export function asToolCall(value: unknown): unknown {
  if (!isObject(value)) return value;
  const changes = changesOf(value);
  const call = Object.keys(changes).length > 0 ? { ...value, ...changes } : value;
  const plain = isObject(value['diff']) ? without(call, 'diff') : call;
  const { content } = plain;
  if (!Array.isArray(content)) return plain;
  const read = asToolCallContents(content);
  return read === content ? plain : { ...plain, content: read };
}

function changesOf(value: Json): Json {
  const changes: Record<string, unknown> = {};
  for (const [field, aliases] of ALIASES) {
    if (isFilled(value[field])) continue;
    const alias = aliases.find(candidate => isFilled(value[candidate]));
    if (alias !== undefined) changes[field] = value[alias];
  }
  const { kind, status, content, diff } = value;
  const id = changes['toolCallId'] ?? value['toolCallId'];
  if (typeof id === 'number') changes['toolCallId'] = String(id);
  const knownKind = TOOL_KINDS.get(kind);
  if (knownKind !== undefined) changes['kind'] = knownKind;
  const knownStatus = asStatus(status);
  if (knownStatus !== status) changes['status'] = knownStatus;
  const isOne = name(content) !== undefined || isObject(content);
  const pieces: readonly unknown[] = Array.isArray(content) ? content : isOne ? [content] : [];
  if (isObject(diff)) changes['content'] = [...pieces, { ...diff, type: 'diff' }];
  else if (isOne) changes['content'] = pieces;
  return changes;
}

function isFilled(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

function without(value: Json, field: string): Json {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== field));
}
