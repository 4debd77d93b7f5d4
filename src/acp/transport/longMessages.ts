/**
 * What is done about a message that is longer than allowed (`parley.limits.lineBytes`). Only its ends are
 * there; they say whose it was, and a short message takes its place: nothing that comes after it is lost,
 * and nobody waits for what it answered.
 */
import type { Message } from 'vscode-jsonrpc';
import * as l10n from '@vscode/l10n';
import { sizeText } from '../../base/bytes';
import { ErrorCode } from '../rpc/errors';
import type { LongLine } from './lineSplitter';

/** The parameters of a request or notification that was left out. A class: no agent can send one. */
export class LeftOut {
  constructor(
    readonly bytes: number,
    readonly limit: number,
    /** Whose session it was about, where that is known. */
    readonly sessionId: string | undefined,
    /** The short fields of a tool call that it carried: how the call goes on is known without its content. */
    readonly toolCall: Readonly<Record<string, unknown>> | undefined,
  ) {}

  /** For the agent. */
  get refusal(): string {
    return `The message is ${this.bytes} bytes long; the user's setting parley.limits.lineBytes allows ${this.limit}`;
  }
}

type Scalar = string | number | boolean | null;

/** Members by path (`params.sessionId`); those of objects and lists have no value. */
type Members = Map<string, Scalar | undefined>;

/** The message that takes the place of `line`; undefined when it was none. */
export function standIn(line: LongLine, limit: number): Message | undefined {
  const members = membersOf(line);
  if (!members) return undefined;
  const { bytes } = line;
  const id = idOf(members);
  const method = textAt(members, 'method');
  if (method !== undefined) {
    const params = new LeftOut(
      bytes,
      limit,
      textAt(members, 'params.sessionId'),
      toolCallOf(members),
    );
    return { jsonrpc: '2.0', ...(id !== undefined && { id }), method, params } as Message;
  }
  if (id === undefined) return undefined;
  const message = l10n.t(
    'The answer was skipped: it was {0}, and parley.limits.lineBytes allows {1}. Raise the setting, then try again.',
    sizeText(bytes),
    sizeText(limit),
  );
  return { jsonrpc: '2.0', id, error: { code: ErrorCode.internal, message } } as Message;
}

/** Whether a line that begins so may be a message. */
export function mayBeMessage(head: string): boolean {
  return startOf(head) !== -1;
}

/** As for lines that can be read: the message may have other text before it. */
function startOf(head: string): number {
  return /^[\s\ufeff]*\{/.test(head) ? head.indexOf('{') : head.indexOf('{"jsonrpc"');
}

function membersOf({ head, tail }: LongLine): Members | undefined {
  const start = startOf(head);
  if (start === -1) return undefined;
  const members: Members = new Map();
  const open = collect(tokensOf(head.slice(start)), [], members);
  const { tokens, depth } = tokensFromEnd(tail);
  // What is open where the tail begins was opened in the head, as far as one can see.
  const outer = Array.from({ length: depth }, (_, index) => open[index] ?? `?${index}`);
  collect(tokens, outer, members);
  return members;
}

const TOKEN = /\s*("(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+(?=[\s{}[\],:"]))/y;

/** The tokens of a JSON text that is cut off somewhere. */
function tokensOf(text: string): readonly string[] {
  const tokens: string[] = [];
  const token = new RegExp(TOKEN);
  for (let match = token.exec(text); match?.[1] !== undefined; match = token.exec(text)) {
    tokens.push(match[1]);
  }
  return tokens;
}

/**
 * The last tokens of a JSON text whose beginning is missing, and how many containers are open before them.
 * Read from the end, where it is certain that no string is open.
 */
function tokensFromEnd(text: string): { readonly tokens: readonly string[]; depth: number } {
  const tokens: string[] = [];
  let end = text.length;
  for (;;) {
    while (end > 0 && /\s/.test(text[end - 1] ?? '')) end -= 1;
    const start = tokenStart(text, end);
    if (start === undefined) break;
    tokens.push(text.slice(start, end));
    end = start;
  }
  let depth = 0;
  for (const token of tokens) {
    if (token === '}' || token === ']') depth += 1;
    else if (token === '{' || token === '[') depth -= 1;
  }
  return { tokens: tokens.reverse(), depth };
}

/** Where the token that ends at `end` begins; undefined when that is before the text. */
function tokenStart(text: string, end: number): number | undefined {
  const last = text[end - 1];
  if (last === undefined) return undefined;
  if (/[{}[\],:]/.test(last)) return end - 1;
  let start = end - 1;
  if (last === '"') {
    do {
      start = text.lastIndexOf('"', start - 1);
      if (start <= 0) return undefined;
    } while (backslashesBefore(text, start) % 2 === 1);
    return start;
  }
  while (start > 0 && !/[\s{}[\],:"]/.test(text[start - 1] ?? '')) start -= 1;
  return start === 0 ? undefined : start;
}

function backslashesBefore(text: string, index: number): number {
  let count = 0;
  while (text[index - 1 - count] === '\\') count += 1;
  return count;
}

/**
 * Puts the members in `tokens` into `members`; the first of a name counts.
 * @param open the paths of the containers around, outermost first
 * @returns those that are open at the end
 */
function collect(
  tokens: readonly string[],
  open: readonly string[],
  members: Members,
): readonly string[] {
  const stack = [...open];
  let key: string | undefined;
  for (const [index, token] of tokens.entries()) {
    const path = pathOf(stack.at(-1), key);
    switch (token) {
      case '{':
      case '[':
        if (key !== undefined && !members.has(path)) members.set(path, undefined);
        stack.push(stack.length === 0 ? '' : path);
        key = undefined;
        break;
      case '}':
      case ']':
        stack.pop();
        key = undefined;
        break;
      case ',':
        key = undefined;
        break;
      case ':':
        key = String(scalarOf(tokens[index - 1] ?? ''));
        break;
      default:
        if (key !== undefined && !members.has(path)) members.set(path, scalarOf(token));
    }
  }
  return stack;
}

function pathOf(container: string | undefined, key: string | undefined): string {
  return container ? `${container}.${key}` : String(key);
}

function scalarOf(token: string): Scalar | undefined {
  try {
    return JSON.parse(token) as Scalar;
  } catch {
    return undefined;
  }
}

function idOf(members: Members): string | number | undefined {
  const id = members.get('id');
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

function textAt(members: Members, path: string): string | undefined {
  const value = members.get(path);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function toolCallOf(members: Members): Readonly<Record<string, unknown>> | undefined {
  const field = (name: string) => textAt(members, `params.update.${name}`);
  const kind = field('sessionUpdate');
  if (kind !== 'tool_call' && kind !== 'tool_call_update') return undefined;
  if (field('toolCallId') === undefined) return undefined;
  const fields = ['sessionUpdate', 'toolCallId', 'title', 'kind', 'status'];
  return Object.fromEntries(
    fields.map(name => [name, field(name)] as const).filter(([, value]) => value !== undefined),
  );
}
