/** Recorded traffic as values, and as a file: lines of JSON, a head and then the messages. */
import * as l10n from '@vscode/l10n';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** Who sent a message. */
export type Side = 'client' | 'agent';

/** A JSON-RPC message and when it was sent. */
export interface RecordedMessage {
  /** Milliseconds since the recording began. */
  readonly t: number;
  readonly from: Side;
  readonly message: JsonObject;
}

export interface RecordingHead {
  /** The agent's name in the settings. */
  readonly agent: string;
  /** When the recording began, by the clock (ISO 8601). */
  readonly at?: string;
  /** Version of Parley. */
  readonly version?: string;
  /** Messages before the first that were not kept any more. */
  readonly leftOut?: number;
}

export interface Recording {
  readonly head: RecordingHead;
  readonly messages: readonly RecordedMessage[];
}

const SIDES = { c2a: 'client', a2c: 'agent' } as const;

export function formatRecording({ head, messages }: Recording): string {
  const lines = messages.map(({ t, from, message }) => ({
    t: Math.round(t),
    dir: from === 'client' ? 'c2a' : 'a2c',
    msg: message,
  }));
  return [{ t: 0, dir: 'meta', ...head }, ...lines]
    .map(line => `${JSON.stringify(line)}\n`)
    .join('');
}

/** @throws Error in the user's words when the text is no recording */
export function parseRecording(text: string): Recording {
  let head: RecordingHead | undefined;
  const messages: RecordedMessage[] = [];
  let number = 0;
  for (const line of text.split('\n')) {
    number += 1;
    if (line.trim() === '') continue;
    const { t, dir, msg, agent } = objectIn(line, number);
    if (dir === 'meta') head ??= { agent: typeof agent === 'string' ? agent : '' };
    const from = dir === 'c2a' || dir === 'a2c' ? SIDES[dir] : undefined;
    // Other lines say what was seen beside the messages.
    if (from === undefined || !isObject(msg)) continue;
    messages.push({ t: typeof t === 'number' && t > 0 ? t : 0, from, message: msg });
  }
  if (messages.length === 0) throw new Error(l10n.t('There are no messages in this file.'));
  return { head: head ?? { agent: '' }, messages };
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectIn(line: string, number: number): JsonObject {
  try {
    const value = JSON.parse(line) as Json;
    if (isObject(value)) return value;
  } catch {
    // Said below.
  }
  throw new Error(l10n.t('Line {0} is not recorded protocol traffic.', number));
}

/** What a message is, by its fields. */
export type Kind =
  | { readonly kind: 'request'; readonly id: Json; readonly method: string }
  | { readonly kind: 'notification'; readonly method: string }
  | { readonly kind: 'response'; readonly id: Json | undefined };

export function kindOf({ id, method }: JsonObject): Kind {
  if (typeof method !== 'string') return { kind: 'response', id };
  return id === undefined || id === null
    ? { kind: 'notification', method }
    : { kind: 'request', id, method };
}

/** A field of an object in a message, whatever is there. */
export function field(value: Json | undefined, ...names: readonly string[]): Json | undefined {
  return names.reduce<Json | undefined>(
    (inner, name) => (isObject(inner) ? inner[name] : undefined),
    value,
  );
}

/** The same, where it is a string. */
export function textField(
  value: Json | undefined,
  ...names: readonly string[]
): string | undefined {
  const found = field(value, ...names);
  return typeof found === 'string' ? found : undefined;
}
