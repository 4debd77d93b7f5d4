/**
 * Changes of files that agents tell only in the input of the tool that makes them, as the diffs of the
 * schema: what a user is asked to allow must be seen.
 */
import { isObject, type Json } from '../guards/primitives';
import type * as schema from '../schema';

interface Change {
  readonly path: string;
  readonly oldText: string | null;
  readonly newText: string;
}

type Call = schema.ToolCall | schema.ToolCallUpdate;

/** Kinds of calls whose input may be a change. */
const KINDS = new Set<unknown>([undefined, null, 'edit', 'delete', 'other']);

/** The call with the changes that its input proposes, where it tells none itself. */
export function withProposal<T extends Call>(call: T): T {
  const { content, kind, rawInput, locations } = call;
  if (rawInput === undefined || rawInput === null || !KINDS.has(kind)) return call;
  if (content && content.length > 0) return call;
  const changes = changesIn(rawInput);
  if (changes.length === 0) return call;
  return {
    ...call,
    ...(kind !== 'delete' && { kind: 'edit' }),
    content: changes.map(change => ({ type: 'diff', ...change })),
    ...(!locations?.length && { locations: changes.map(({ path }) => ({ path })) }),
  };
}

function changesIn(input: unknown): readonly Change[] {
  if (typeof input === 'string') return changesOfPatch(input);
  if (!isObject(input)) return [];
  for (const key of PATCHES) {
    const text = input[key];
    if (typeof text === 'string' && text.includes(BEGIN)) return changesOfPatch(text);
  }
  const path = textAt(input, PATHS);
  const oldText = textAt(input, BEFORE);
  const newText = textAt(input, AFTER);
  if (!path || oldText === undefined || newText === undefined) return [];
  return [{ path, oldText, newText }];
}

const PATCHES = ['input', 'patch', 'patchText', 'patch_text'];
const PATHS = ['file_path', 'filePath', 'path', 'fileName', 'file'];
const BEFORE = ['old_string', 'oldString', 'old_str', 'oldStr', 'oldText', 'old_text'];
const AFTER = ['new_string', 'newString', 'new_str', 'newStr', 'newText', 'new_text'];

function textAt(input: Json, keys: readonly string[]): string | undefined {
  const key = keys.find(candidate => typeof input[candidate] === 'string');
  return key === undefined ? undefined : (input[key] as string);
}

const BEGIN = '*** Begin Patch';
const FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$/;

/** The patches of `apply_patch`. What a file that is deleted held is not in them. */
function changesOfPatch(text: string): readonly Change[] {
  const start = text.indexOf(BEGIN);
  if (start === -1) return [];
  const changes: Change[] = [];
  let file: { readonly path: string; readonly isNew: boolean } | undefined;
  let before: string[] = [];
  let after: string[] = [];
  const finish = (): void => {
    if (file && before.length + after.length > 0) {
      const oldText = file.isNew ? null : whole(before);
      changes.push({ path: file.path, oldText, newText: whole(after) });
    }
    before = [];
    after = [];
  };
  for (const line of text.slice(start).split(/\r?\n/)) {
    const [, what, path] = FILE.exec(line) ?? [];
    if (path !== undefined) {
      finish();
      file = { path: path.trim(), isNew: what === 'Add' };
    } else if (line.startsWith('@@')) finish();
    else if (line.startsWith('***')) continue;
    else if (line.startsWith('+')) after.push(line.slice(1));
    else if (line.startsWith('-')) before.push(line.slice(1));
    else if (line.startsWith(' ')) {
      before.push(line.slice(1));
      after.push(line.slice(1));
    }
  }
  finish();
  return changes;
}

function whole(lines: readonly string[]): string {
  return lines.map(line => `${line}\n`).join('');
}
