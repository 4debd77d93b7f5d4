import { isRecord } from '../../src/base/isRecord';
import {
  AFTER,
  BEFORE,
  LISTS,
  PATCHES,
  PATHS,
  REPEATS,
  WHOLE,
} from '../../src/session/state/changeFields';
import { commandInput, parsedInput } from '../../src/session/state/commandInput';
import type { Preview } from '../../src/session/state/content';
import type { ToolCallPart } from '../../src/session/state/state';
import { relativePath } from './words';

/** What of a call its lines, changes and outputs do not show. */
export interface RestOfCall {
  readonly input?: Preview;
  readonly output?: Preview;
}

/** About so many characters of a command are seen in the narrow head of its card. */
const SEEN_OF_COMMAND = 24;

const CHANGE = new Set([PATCHES, BEFORE, AFTER, WHOLE, LISTS, REPEATS].flat());

const known = new WeakMap<ToolCallPart, RestOfCall>();

export function restOfCall(part: ToolCallPart, cwd: string): RestOfCall {
  const before = known.get(part);
  if (before) return before;
  const { rawInput, rawOutput } = part;
  const input = rawInput && restOfInput(part, rawInput, cwd);
  const output = rawOutput && (isGivenAsContent(part, rawOutput) ? undefined : rawOutput);
  const rest = { ...(input && { input }), ...(output && { output }) };
  known.set(part, rest);
  return rest;
}

/** The command of a call, where the head of its card may show only its beginning. */
export function longCommand(part: ToolCallPart): string | undefined {
  if (part.toolKind !== 'execute' || !part.rawInput || part.rawInput.truncated) return undefined;
  const line = commandInput(parsedInput(part.rawInput.text))?.line;
  return line !== undefined && (line.length > SEEN_OF_COMMAND || line.includes('\n'))
    ? line
    : undefined;
}

function restOfInput(part: ToolCallPart, rawInput: Preview, cwd: string): Preview | undefined {
  // What was cut cannot be read.
  if (rawInput.truncated) return rawInput;
  const input = parsedInput(rawInput.text);
  const diffs = part.content.flatMap(item => (item.kind === 'diff' ? [item.diff] : []));
  if (!isRecord(input)) {
    const isShown =
      input === null || input === '' || (diffs.length > 0 && typeof input === 'string');
    return isShown ? undefined : rawInput;
  }
  const command = part.toolKind === 'execute' ? commandInput(input) : undefined;
  const places = [...part.locations, ...diffs].flatMap(({ path }) => [
    path,
    relativePath(path, cwd),
  ]);
  const isPlace = (value: unknown): boolean => typeof value === 'string' && places.includes(value);
  const all = Object.entries(input);
  const paths = all.flatMap(([key, value]) => (PATHS.includes(key) ? [value] : []));
  const isChange = diffs.length > 0 && paths.every(isPlace);
  const isShown = (key: string, value: unknown): boolean =>
    value === null ||
    value === '' ||
    value === part.title ||
    command?.fields.includes(key) === true ||
    (isChange && CHANGE.has(key)) ||
    (PATHS.includes(key) && isPlace(value));
  const rest = all.filter(([key, value]) => !isShown(key, value));
  if (rest.length === all.length && all.length > 0) return rawInput;
  if (rest.length === 0) return undefined;
  return { text: JSON.stringify(Object.fromEntries(rest), undefined, 2), truncated: false };
}

/** Agents send a tool's text as content, and again as raw output. */
function isGivenAsContent({ content }: ToolCallPart, { text }: Preview): boolean {
  return content.some(
    item =>
      item.kind === 'block' &&
      item.block.kind === 'text' &&
      unfenced(item.block.text.text).trim() === text.trim(),
  );
}

/** Agents put a command's output in a code fence. */
export function unfenced(text: string): string {
  const fence = /^\s*(`{3,})[^\n]*\n([\s\S]*?)\n?\1\s*$/.exec(text);
  return fence?.[2] ?? text;
}
