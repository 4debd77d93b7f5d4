import type { Message } from 'vscode-jsonrpc';

/** What stands in a line of the agent's output. */
export interface MessagesInLine {
  readonly messages: readonly Message[];
  /** The part of the line that is JSON. */
  readonly json: string;
  readonly junk?: string;
}

/** So many places are tried where a message may begin, after text that is none. */
const MAX_STARTS = 16;

/**
 * Finds the messages in a line. A batch, which ACP does not have, is taken apart, and so are messages that
 * were written without a line end between them; byte order marks, separators of records and text before the first message (a prompt
 * or progress printed without a line end) or after the last are skipped.
 */
export function messagesInLine(given: string): MessagesInLine {
  let line = given;
  let whole = parseJson(line);
  if (whole === undefined) {
    line = withoutEdges(given);
    if (line !== given) whole = parseJson(line);
  }
  if (whole !== undefined) {
    const messages = Array.isArray(whole) ? whole : [whole];
    return messages.length > 0 && messages.every(isMessage)
      ? { messages, json: line }
      : { messages: [], json: '', junk: line };
  }
  let start = line.indexOf('{');
  for (let tries = 0; start !== -1 && tries <= MAX_STARTS; tries += 1) {
    // Beyond those that are tried, as most agents begin it.
    if (tries === MAX_STARTS) start = line.indexOf('{"jsonrpc"', start);
    if (start === -1) break;
    const found = messagesFrom(line, start);
    if (found) {
      const junk = `${line.slice(0, start)} ${line.slice(found.end)}`.trim();
      const json = line.slice(start, found.end);
      return { messages: found.messages, json, ...(junk !== '' && { junk }) };
    }
    start = line.indexOf('{', start + 1);
  }
  return { messages: [], json: '', junk: line };
}

/** Without what is put around JSON but is none of the text: byte order marks, NULs, separators of records. */
function withoutEdges(line: string): string {
  let start = 0;
  let end = line.length;
  while (start < end && isEdge(line.charCodeAt(start))) start += 1;
  while (end > start && isEdge(line.charCodeAt(end - 1))) end -= 1;
  return line.slice(start, end);
}

function isEdge(code: number): boolean {
  return code <= 0x20 || code === 0x7f || code === 0xfeff;
}

/** The messages that follow each other from `start`; undefined when there is none. */
function messagesFrom(
  line: string,
  start: number,
): { readonly messages: readonly Message[]; readonly end: number } | undefined {
  const messages: Message[] = [];
  let end = start;
  for (let next = start; line[next] === '{';) {
    const close = endOfObject(line, next);
    const message = close === undefined ? undefined : parseJson(line.slice(next, close));
    if (close === undefined || !isMessage(message) || !('jsonrpc' in message)) break;
    messages.push(message);
    end = close;
    next = close;
    while (isEdge(line.charCodeAt(next))) next += 1;
  }
  return messages.length > 0 ? { messages, end } : undefined;
}

/** Where the object that begins at `start` ends; undefined when it does not. */
function endOfObject(line: string, start: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < line.length; at += 1) {
    const character = line[at];
    if (quoted) {
      if (character === '\\') at += 1;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '{') depth += 1;
    else if (character === '}' && (depth -= 1) === 0) return at + 1;
  }
  return undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * A JSON object that says it is JSON-RPC, or has a method or an id (some agents leave out `jsonrpc`);
 * anything else, like a structured log line, is not for us.
 */
function isMessage(value: unknown): value is Message {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  if ('method' in value) return typeof value.method === 'string';
  return 'id' in value || 'jsonrpc' in value;
}
