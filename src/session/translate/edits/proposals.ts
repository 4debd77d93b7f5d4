/**
 * Changes of files that agents send only in the input of the tool that makes them, as the diffs of the
 * schema: what a user is asked to allow must be seen.
 */
import { isObject, type Json } from '../../../acp/schema/guards/primitives';
import type * as schema from '../../../acp/schema/schema';
import { isApplyPatch, readApplyPatch } from './applyPatch';
import { fileChange } from '../../../acp/schema/fileChange';
import { AFTER, BEFORE, PATCHES, PATHS, WHOLE } from '../../state/changeFields';
import { asDiff, ByPath, changeOfDiff, pathsWithText, type Change } from './diffs';
import type { ReadPatch } from './filePatch';
import { isUnifiedDiff, readUnifiedDiff } from './unifiedDiff';

type Call = schema.ToolCall | schema.ToolCallUpdate;
type Kind = string | null | undefined;

/** Kinds of calls whose input may be a change. */
const KINDS = new Set<unknown>([undefined, null, 'edit', 'delete', 'move', 'other']);

/** Fields of a change by path: its patch, and where its file goes. */
export const UNIFIED = ['unified_diff', 'unifiedDiff', 'diff'];
export const TARGETS = ['move_path', 'movePath'];

/** Diffs of one input; further changes are named. */
const MAX_DIFFS = 200;
/** Changes of one input that are compared with what the content shows, and of what it shows. */
const MAX_COMPARED = 1000;
/** As `locations` are bounded. */
const MAX_PLACES = 5000;

const NOTHING: ReadPatch = { changes: [], complete: true, rest: '' };

/**
 * The call with the changes that its input proposes and its content does not show.
 * @param known the kind of the call, where it does not say one
 */
export function withProposal<T extends Call>(call: T, known?: Kind): T {
  const { content, kind, rawInput, locations } = call;
  const read = proposalOf(rawInput, kind ?? known);
  if (read.changes.length === 0) return call;
  const compared = byPath(read.changes);
  const items = (content ?? []).map((item, index) =>
    index < MAX_COMPARED ? marked(item, compared) : item,
  );
  const unshown = unshownIn(read, items.flatMap(shownBy), true);
  const places = read.changes.slice(0, MAX_PLACES).map(({ path, line }) => ({
    path,
    ...(line !== undefined && { line }),
  }));
  const isVague = (kind ?? known ?? 'other') === 'other';
  return {
    ...call,
    ...(isVague && { kind: 'edit' }),
    content: items.some(({ type }) => type === 'diff')
      ? [...items, ...unshown]
      : [...unshown, ...items],
    ...(!locations?.length && { locations: places }),
  };
}

/** What `input` proposes and `shown` does not say, as content of a call. */
export function unshownChanges(
  input: unknown,
  kind: Kind,
  shown: readonly Change[],
): readonly schema.ToolCallContent[] {
  return unshownIn(proposalOf(input, kind), shown, false);
}

/** The changes of files in the input of a call of this kind. */
export function proposalOf(input: unknown, kind: Kind): ReadPatch {
  if (!KINDS.has(kind)) return NOTHING;
  if (typeof input === 'string') return changesOfPatch(input);
  if (!isObject(input)) return NOTHING;
  const path = textAt(input, PATHS);
  const patches = PATCHES.flatMap(key => {
    const text = input[key];
    return typeof text === 'string' ? [changesOfPatch(text, path)] : [];
  });
  const fields = [...replacements(input, path), ...(kind === 'edit' ? written(input, path) : [])];
  return joined([...patches, changesByPath(input['changes']), { ...NOTHING, changes: fields }]);
}

function joined(read: readonly ReadPatch[]): ReadPatch {
  return {
    changes: read.flatMap(({ changes }) => changes),
    complete: read.every(({ complete }) => complete),
    rest: read.flatMap(({ rest }) => (rest === '' ? [] : [rest])).join('\n'),
  };
}

function changesOfPatch(text: string, path?: string): ReadPatch {
  if (isApplyPatch(text)) return readApplyPatch(text);
  return isUnifiedDiff(text) ? readUnifiedDiff(text, path) : NOTHING;
}

/** One replacement beside the path, or a list of them. */
function replacements(input: Json, path: string | undefined): readonly Change[] {
  const edits: unknown = input['edits'];
  const listed: readonly unknown[] = Array.isArray(edits) ? edits : [];
  const found = [input, ...listed].flatMap(edit => {
    const file = isObject(edit) ? (textAt(edit, PATHS) ?? path) : undefined;
    if (!isObject(edit) || !file) return [];
    const oldText = textAt(edit, BEFORE);
    const newText = textAt(edit, AFTER);
    return oldText === undefined || newText === undefined ? [] : [{ path: file, oldText, newText }];
  });
  const old = pathsWithText(found);
  return found.map(edit => changeOfDiff(edit, undefined, old.has(edit.path)));
}

/** The whole text of a file. What it takes the place of, and whether there is any, is not given. */
function written(input: Json, path: string | undefined): readonly Change[] {
  const newText = textAt(input, WHOLE);
  if (!path || newText === undefined) return [];
  return [{ path, oldText: null, newText, change: 'modified' }];
}

/** Codex: `{ "/a": { "type": "add", "content": "…" } }`, formerly `{ "/a": { "add": { "content": "…" } } }`. */
function changesByPath(value: unknown): ReadPatch {
  if (!isObject(value)) return NOTHING;
  return joined(Object.entries(value).map(([path, entry]) => changeAt(path, entry)));
}

function changeAt(path: string, entry: unknown): ReadPatch {
  if (!isObject(entry)) return NOTHING;
  const [former = ''] = Object.keys(entry).filter(key => fileChange(key) && isObject(entry[key]));
  const inner = entry[former];
  const fields = isObject(inner) ? inner : entry;
  const kind = fileChange(former) ?? fileChange(entry['type'] ?? entry['kind']);
  if (kind === undefined) return NOTHING;
  const content = textAt(fields, WHOLE) ?? '';
  if (kind === 'deleted') {
    return { ...NOTHING, changes: [{ path, oldText: content || null, newText: '', change: kind }] };
  }
  if (kind === 'added') {
    return { ...NOTHING, changes: [{ path, oldText: null, newText: content, change: kind }] };
  }
  const target = textAt(fields, TARGETS);
  const read = readUnifiedDiff(textAt(fields, UNIFIED) ?? '', path);
  const found: readonly Change[] =
    read.changes.length > 0 ? read.changes : [{ path, oldText: null, newText: '', change: kind }];
  if (!target) return { ...read, changes: found.map(change => ({ ...change, path })) };
  return {
    ...read,
    changes: found.map(change => ({ ...change, path: target, oldPath: path, change: 'moved' })),
  };
}

/** The text in the first of these fields that has one. */
export function textAt(input: Json, keys: readonly string[]): string | undefined {
  const key = keys.find(candidate => typeof input[candidate] === 'string');
  return key === undefined ? undefined : (input[key] as string);
}

/** A diff without marks, with what the input says of its file. */
function marked(item: schema.ToolCallContent, changes: ByPath<Change>): schema.ToolCallContent {
  if (item.type !== 'diff' || (isObject(item._meta) && fileChange(item._meta['kind']))) return item;
  const [own] = changes.at(item.path);
  if (own?.change === 'moved') return asDiff({ ...own, ...textsOf(item) });
  const isGone = item.newText === '' || item.newText === item.oldText;
  if (own?.change === 'deleted' && isGone) return asDiff({ ...textsOf(item), change: 'deleted' });
  return item;
}

function textsOf(item: schema.Diff): Pick<Change, 'path' | 'oldText' | 'newText'> {
  return { path: item.path, oldText: item.oldText ?? null, newText: item.newText };
}

function shownBy(item: schema.ToolCallContent): readonly Change[] {
  return item.type === 'diff' ? [changeOfDiff(item)] : [];
}

/** The first of `changes`: as many as are compared. */
function byPath(changes: readonly Change[]): ByPath<Change> {
  return new ByPath(changes.slice(0, MAX_COMPARED), ({ path }) => path);
}

/** @param withRest also when all changes are shown */
function unshownIn(
  { changes, rest }: ReadPatch,
  shown: readonly Change[],
  withRest: boolean,
): readonly schema.ToolCallContent[] {
  const known = byPath(shown);
  const unshown = changes.filter(
    (change, index) =>
      index >= MAX_COMPARED || !known.at(change.path).some(other => says(other, change)),
  );
  const named = unshown.slice(MAX_DIFFS).map(({ change, path, oldPath }) => {
    const from = oldPath === undefined ? '' : ` (${oldPath})`;
    return `${change}: ${path}${from}`;
  });
  const words = [...named, ...(rest === '' ? [] : [rest])].join('\n');
  const diffs = unshown.slice(0, MAX_DIFFS).map(asDiff);
  return words === '' || (diffs.length === 0 && !withRest) ? diffs : [...diffs, verbatim(words)];
}

function verbatim(words: string): schema.ToolCallContent {
  return { type: 'content', content: { type: 'text', text: fenced(words) } };
}

/** `text` as a block of code that nothing in it ends. */
export function fenced(text: string, language = ''): string {
  const runs = text.match(/`{3,}/g) ?? [];
  const fence = '`'.repeat(runs.reduce((most, run) => Math.max(most, run.length + 1), 3));
  return `${fence}${language}\n${text}\n${fence}`;
}

/** Whether `shown` says of its file what happens to it by `change`, which is of the same file. */
function says(shown: Change, change: Change): boolean {
  if (change.change === 'deleted') return shown.change === 'deleted';
  if (change.change !== 'moved') return shown.change !== 'deleted';
  const { oldPath } = change;
  return shown.change === 'moved' && (oldPath === undefined || shown.oldPath === oldPath);
}
