/** Diffs of ACP v2: lists of what happens to which file, with a patch of the texts or without. Pure. */
import * as l10n from '@vscode/l10n';
import { fileChange } from '../../../acp/schema/fileChange';
import { isObject, name, type Json } from '../../../acp/schema/guards/primitives';
import type * as schema from '../../../acp/schema/schema';
import { asDiff, type Change } from './diffs';
import { readUnifiedDiff } from './unifiedDiff';

/** The items of a call, with each list of changes as the diffs that it means. */
export function withChangeLists(
  items: readonly schema.ToolCallContent[],
): readonly schema.ToolCallContent[] {
  const isList = ({ type }: { readonly type: string }) => type === 'changes';
  if (!items.some(isList)) return items;
  return items.flatMap(item => (isList(item) ? contentsOf({ ...item }) : [item]));
}

function contentsOf({ changes, patch, ...rest }: Json): readonly schema.ToolCallContent[] {
  const listed = Array.isArray(changes) ? changes.filter(isObject) : [];
  const read = textsOf(patch);
  const shown = new Set<string>();
  const diffs = read.changes.map(change => {
    const own = listed.find(({ path }) => isPathOf(path, change.path));
    const path = name(own?.['path']) ?? change.path;
    shown.add(path);
    const oldPath = name(own?.['oldPath']) ?? change.oldPath;
    return asDiff({ ...change, path, ...(oldPath !== undefined && { oldPath }) });
  });
  const others = listed.filter(({ path }) => !shown.has(name(path) ?? '')).flatMap(withoutText);
  const kept = read.rest === '' ? [] : [text(read.rest)];
  const all = [...diffs, ...others, ...kept];
  if (all.length > 0) return all;
  // Nothing of it can be read: it is shown as it came.
  return [{ ...rest, type: 'changes', changes, patch } as unknown as schema.ToolCallContent];
}

/** A patch of a format that nobody knows is shown as it is. */
function textsOf(patch: unknown): { readonly changes: readonly Change[]; readonly rest: string } {
  const text = isObject(patch) ? name(patch['text']) : undefined;
  if (!isObject(patch) || text === undefined) return { changes: [], rest: '' };
  return patch['format'] === 'git_patch' ? readUnifiedDiff(text) : { changes: [], rest: text };
}

/** Paths of the list are absolute, those of a patch may not be. */
function isPathOf(path: unknown, other: string): boolean {
  return typeof path === 'string' && (path === other || path.endsWith(`/${other}`));
}

/** A change of which only the fate of the file is known. */
function withoutText({ operation, path, oldPath }: Json): readonly schema.ToolCallContent[] {
  const place = name(path);
  if (place === undefined) return [];
  const from = name(oldPath);
  if (operation === 'copy') return [text(l10n.t('Copied {0} to {1}', from ?? '?', place))];
  const change = fileChange(operation);
  if (change === 'deleted' || change === 'moved') {
    const own = { path: place, oldText: null, newText: '', change };
    return [asDiff(change === 'moved' && from !== undefined ? { ...own, oldPath: from } : own)];
  }
  if (change === 'added') return [text(l10n.t('Added {0}', place))];
  if (change === 'modified') return [text(l10n.t('Changed {0}', place))];
  return [text(`${name(operation) ?? ''} ${place}`.trim())];
}

function text(value: string): schema.ToolCallContent {
  return { type: 'content', content: { type: 'text', text: value } };
}
