/**
 * How much of what an agent sends is shown. Far more than any agent has to say, and little enough to keep, send
 * and draw: what is beyond is cut, and says so. What is cut from the content of tool calls for display only is
 * kept whole (`contentView.ts`).
 */
import * as l10n from '@vscode/l10n';
import type * as schema from '../../acp/schema/schema';
import { sizeText } from '../../base/bytes';
import { withoutEscapes } from '../../base/escapeSequences';
import type { CutField } from '../state/state';
import { V2_UPDATES } from './v2Updates';

/** UTF-16 units of a title, a name, a description. */
const MAX_WORDS = 10_000;
/** Items of a list: files of a call, steps of a plan, values of an option. */
const MAX_ITEMS = 5_000;
/** Steps of a plan: each change has all of them again. */
const MAX_STEPS = 500;
/** Blocks of one tool call that are shown. */
export const MAX_BLOCKS = 200;
/** Base64 characters of the images and sounds of one tool call. */
const MAX_MEDIA = 8_000_000;
/** Values within values. */
const MAX_DEPTH = 64;
/** UTF-16 units of one piece of a message. */
const MAX_PIECE = 1_000_000;

export function boundedUpdate(update: schema.SessionUpdate): schema.SessionUpdate {
  // Those that bring texts of messages, calls and terminals are bounded where they are translated.
  if (Object.hasOwn(V2_UPDATES, update.sessionUpdate)) return update;
  switch (update.sessionUpdate) {
    case 'user_message_chunk':
    case 'agent_message_chunk':
    case 'agent_thought_chunk':
      return boundedChunk(update);
    case 'tool_call':
    case 'tool_call_update':
      // Bounded where it is translated: what of it is cut is kept whole where it can be.
      return update;
    case 'plan':
      return { ...update, entries: boundedPlan(update.entries) };
    default:
      // Their texts are all for people: titles, names, descriptions.
      return boundedValue(update, MAX_WORDS) as schema.SessionUpdate;
  }
}

/** Roughly how much of a chat `update` can become, in UTF-16 units. */
export function unitsIn(update: schema.SessionUpdate): number {
  switch (update.sessionUpdate) {
    case 'user_message_chunk':
    case 'agent_message_chunk':
    case 'agent_thought_chunk':
      return update.content.type === 'text' ? update.content.text.length : unitsOf(update.content);
    default:
      // Of unknown kinds nothing is known to be what it should.
      return unitsOf(update);
  }
}

function unitsOf(value: unknown, depth = 0): number {
  // What is longer than a picture can be is cut much shorter.
  if (typeof value === 'string') return Math.min(value.length, MAX_MEDIA);
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return 8;
  let units = 0;
  for (const key in value) units += 8 + unitsOf((value as Fields)[key], depth + 1);
  return units;
}

type Fields = Readonly<Record<string, unknown>>;

/** A tool call, whoever sends it. */
export function boundedCall<T extends schema.ToolCall | schema.ToolCallUpdate>(call: T): T {
  const { title, name, kind, content, locations } = call;
  const blocks = content && boundedMedia(content);
  if (cutFields(call).length === 0 && blocks === content) return call;
  return {
    ...call,
    ...(title && { title: boundedText(title) }),
    ...(name && { name: boundedText(name) }),
    ...(kind && { kind: boundedText(kind) }),
    ...(locations && { locations: locations.slice(0, MAX_ITEMS) }),
    ...(blocks && { content: blocks }),
  };
}

/** What of a call is too much to keep, beside pictures and sounds. */
export function cutFields(call: schema.ToolCall | schema.ToolCallUpdate): readonly CutField[] {
  const { title, name, kind, locations } = call;
  const isLong = (text: string | null | undefined) => (text?.length ?? 0) > MAX_WORDS;
  return [
    ...(isLong(title) || isLong(name) ? ['title' as const] : []),
    ...(isLong(kind) ? ['kind' as const] : []),
    ...((locations?.length ?? 0) > MAX_ITEMS ? ['locations' as const] : []),
  ];
}

/** `text` for display; the same when it is not too long. */
export function boundedText(text: string, limit = MAX_WORDS): string {
  if (text.length <= limit) return text;
  const code = text.charCodeAt(limit - 1);
  const inPair = code >= 0xd800 && code <= 0xdbff;
  return `${text.slice(0, inPair ? limit - 1 : limit)}…`;
}

function boundedChunk<T extends schema.ContentChunk>(chunk: T): T {
  const { content } = chunk;
  if (content.type !== 'text' || content.text.length <= MAX_PIECE) return chunk;
  const note = l10n.t('({0} more were left out.)', sizeText(content.text.length - MAX_PIECE));
  const text = `${boundedText(content.text, MAX_PIECE)}\n\n${note}`;
  return { ...chunk, content: { ...content, text } };
}

function boundedMedia(
  content: readonly schema.ToolCallContent[],
): schema.ToolCallContent[] | undefined {
  let media = 0;
  const shown = content.map(item => {
    const block = item.type === 'content' ? item.content : undefined;
    if (block?.type !== 'image' && block?.type !== 'audio') return item;
    media += block.data.length;
    return media <= MAX_MEDIA ? item : { ...item, content: { ...block, data: '' } };
  });
  const isSame = shown.every((item, i) => item === content[i]);
  return isSame ? (content as schema.ToolCallContent[]) : shown;
}

function boundedPlan(entries: readonly schema.PlanEntry[]): schema.PlanEntry[] {
  const shown = entries
    .slice(0, MAX_STEPS)
    .map(entry => ({ ...entry, content: boundedText(withoutEscapes(entry.content)) }));
  const rest = entries.slice(MAX_STEPS);
  if (rest.length === 0) return shown;
  const open = rest.find(({ status }) => status !== 'completed');
  const content = l10n.t('({0} more were left out.)', rest.length);
  return [...shown, { content, priority: 'low', status: open ? open.status : 'completed' }];
}

/** The same value when nothing of it is too large, and no text has escape sequences; deep in it too. */
export function boundedValue(value: unknown, words = MAX_WORDS): unknown {
  return fits(value, words, 0) ? value : bounded(value, words, 0);
}

/** Nearly all updates do: seen without a copy of them. */
function fits(value: unknown, words: number, depth: number): boolean {
  if (typeof value === 'string') return value.length <= words && withoutEscapes(value) === value;
  if (typeof value !== 'object' || value === null) return true;
  if (depth > MAX_DEPTH) return false;
  let items = 0;
  for (const key in value) {
    items += 1;
    if (items > MAX_ITEMS || !fits((value as Fields)[key], words, depth + 1)) return false;
  }
  return true;
}

function bounded(value: unknown, words: number, depth: number): unknown {
  if (typeof value === 'string') return boundedText(withoutEscapes(value), words);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return '…';
  if (Array.isArray(value)) {
    const items = value.length > MAX_ITEMS ? value.slice(0, MAX_ITEMS) : value;
    const shown = items.map(item => bounded(item, words, depth + 1));
    return items === value && shown.every((item, i) => item === items[i]) ? value : shown;
  }
  const entries = Object.entries(value).slice(0, MAX_ITEMS);
  const shown = entries.map(([key, item]) => [key, bounded(item, words, depth + 1)] as const);
  return shown.every(([, item], i) => item === entries[i]?.[1]) ? value : Object.fromEntries(shown);
}

/** A text of a message. */
export function boundedPiece(text: string): string {
  return boundedText(text, MAX_PIECE);
}
