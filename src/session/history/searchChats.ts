/** Full text over chats: what was asked, answered and done in them. Reads their states where they are. */
import { withoutEscapes } from '../../base/escapeSequences';
import type { ContentView } from '../state/content';
import { allTurns, terminalOf } from '../state/selectors';
import type { Message, Part, SessionState, ToolCallPart } from '../state/state';

export interface ChatMatch {
  readonly chatId: string;
  /** The line in which it was found, cut around the place; absent where only the head has the words. */
  readonly preview?: string;
}

/** UTF-16 units of a query, and words in it, that are looked for. */
const MAX_QUERY = 200;
const MAX_WORDS = 8;
/** UTF-16 units of a preview before and after the place. */
const BEFORE = 24;
const AFTER = 120;
/** UTF-16 units that are looked through before other things have their turn. */
const SLICE = 200_000;

/**
 * The chats in which each word of `query` stands, in their order, with the best place in each: where all of the query
 * stands, else where most of its words do; the latest of those.
 * @param head what a chat is listed by: words in it count, too
 * @param pause lets other things have their turn
 */
export async function searchChats(
  chats: Iterable<SessionState>,
  query: string,
  head: (state: SessionState) => string,
  pause: () => Promise<unknown>,
  signal: AbortSignal,
): Promise<readonly ChatMatch[]> {
  const words = wordsOf(query);
  const whole = words.length > 1 ? patternOf(query.trim().slice(0, MAX_QUERY)) : undefined;
  const found: ChatMatch[] = [];
  let seen = 0;
  for (const state of words.length > 0 ? chats : []) {
    const known = new Set(wordsIn(head(state), words));
    let best: { readonly text: string; readonly at: number; readonly score: number } | undefined;
    for (const text of textsOf(state)) {
      seen += text.length;
      if (seen > SLICE) {
        seen = 0;
        await pause();
        if (signal.aborted) return [];
      }
      const here = wordsIn(text, words);
      for (const word of here) known.add(word);
      const at = here.length === words.length && whole ? text.search(whole) : -1;
      const score = at >= 0 ? words.length + 1 : here.length;
      if (score > (best?.score ?? 0)) {
        best = { text, at: at >= 0 ? at : firstOf(text, here), score };
      }
      if (score > words.length || (score === words.length && !whole)) break;
    }
    if (known.size < words.length) continue;
    const { chatId } = state;
    found.push(best ? { chatId, preview: previewOf(best.text, best.at) } : { chatId });
  }
  return found;
}

function wordsOf(query: string): readonly string[] {
  const words = query.slice(0, MAX_QUERY).toLowerCase().split(/\s+/).filter(Boolean);
  return [...new Set(words)].slice(0, MAX_WORDS);
}

function wordsIn(text: string, words: readonly string[]): readonly string[] {
  const lower = text.toLowerCase();
  return words.filter(word => lower.includes(word));
}

function patternOf(text: string): RegExp {
  return new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s+'), 'iu');
}

/** Where the first of these words stands; they are there, but for letters that have no simple other case. */
function firstOf(text: string, words: readonly string[]): number {
  return Math.max(0, Math.min(...words.map(word => text.search(patternOf(word)))));
}

/** A line of what stands around `at`, without the signs of Markdown. */
function previewOf(text: string, at: number): string {
  const from = at <= BEFORE ? 0 : wordFrom(text, at - BEFORE, at);
  const to = Math.min(text.length, at + AFTER);
  const line = withoutEscapes(text.slice(from, to))
    .replace(/^\s*(?:#+|[-*>]|```.*)\s+/gm, '')
    .replace(/\*\*|`+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return `${from > 0 ? '…' : ''}${line}${to < text.length ? '…' : ''}`;
}

/** Where the first word after `from` begins, at the latest `before`. */
function wordFrom(text: string, from: number, before: number): number {
  const blank = text.slice(from, before).search(/\s/);
  if (blank >= 0) return from + blank + 1;
  const code = text.charCodeAt(from);
  return code >= 0xdc00 && code <= 0xdfff ? from + 1 : from;
}

/** All that a chat says, the latest turn first; in a turn what was asked and answered, then what was done. */
function* textsOf(state: SessionState): Generator<string> {
  for (const { prompt, parts } of allTurns(state).toReversed()) {
    if (prompt) yield* messageTexts(prompt);
    for (const part of parts) if (part.kind !== 'tool') yield* partTexts(part);
    for (const part of parts) if (part.kind === 'tool') yield* toolTexts(state, part);
  }
  for (const message of state.queue) yield message.text;
  if (state.draft.text !== '') yield state.draft.text;
}

function* messageTexts({ text, attachments }: Message): Generator<string> {
  yield text;
  for (const { label } of attachments) yield label;
}

function* partTexts(part: Exclude<Part, ToolCallPart>): Generator<string> {
  switch (part.kind) {
    case 'text':
    case 'thought':
      yield part.text;
      return;
    case 'content':
      yield* contentTexts(part.block);
      return;
    case 'plan':
      for (const { content } of part.entries) yield content;
      return;
    case 'notice':
      yield part.text;
      if (part.detail !== undefined) yield part.detail;
      if (part.body !== undefined) yield part.body;
      return;
    case 'user':
      yield* messageTexts(part.message);
  }
}

function* toolTexts(state: SessionState, part: ToolCallPart): Generator<string> {
  yield part.title;
  for (const item of part.content) {
    if (item.kind === 'block') yield* contentTexts(item.block);
    else if (item.kind === 'diff') {
      yield item.diff.path;
      for (const { lines } of item.diff.hunks) for (const { text } of lines) yield text;
    } else {
      const terminal = terminalOf(state, item.terminalId);
      if (terminal) yield terminal.command;
      if (terminal) yield withoutEscapes(terminal.output);
    }
  }
  if (part.rawInput) yield part.rawInput.text;
  if (part.rawOutput) yield part.rawOutput.text;
}

function* contentTexts(block: ContentView): Generator<string> {
  switch (block.kind) {
    case 'text':
      yield block.text.text;
      return;
    case 'link':
      yield block.title ?? block.name;
      return;
    case 'resource':
      yield block.uri;
      if (block.text) yield block.text.text;
      return;
    default:
  }
}
