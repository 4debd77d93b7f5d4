/** Changes of files as Codex proposes and reports them, as diffs of ACP. */
import * as l10n from '@vscode/l10n';
import type { Json } from '../../../acp/schema/guards/primitives';
import { asDiff, type Change } from '../../../session/translate/edits/diffs';
import { readUnifiedDiff } from '../../../session/translate/edits/unifiedDiff';
import { shownPath, textContent } from '../inProcess/content';
import { object, objects, text } from '../inProcess/json';

/** @param changes a list with `path`, `kind` and `diff` */
export function changesContent(changes: unknown): readonly object[] {
  return objects(changes).flatMap(({ path, kind, diff }) => {
    const place = text(path);
    if (place === undefined) return [];
    const { type, move_path: target } = object(kind);
    return contentOf(place, type, typeof diff === 'string' ? diff : '', text(target));
  });
}

/** The form of older requests: by path, with `type`, and `content` or `unified_diff`. */
export function asChangeList(fileChanges: unknown): readonly Json[] {
  return Object.entries(object(fileChanges)).map(([path, change]) => {
    const { type, content, unified_diff: diff, move_path: target } = object(change);
    return { path, kind: { type, move_path: target }, diff: diff ?? content };
  });
}

/** Title, kind and places of a call that makes these changes. */
export function shownChanges(list: unknown, cwd: string) {
  const changes = objects(list).filter(({ path }) => text(path) !== undefined);
  const [first] = changes;
  const path = text(first?.['path']);
  const type = object(first?.['kind'])['type'];
  const name = shownPath(path, cwd);
  const titles = new Map<unknown, string>([
    ['add', l10n.t('Write {0}', name)],
    ['delete', l10n.t('Delete {0}', name)],
  ]);
  return {
    title:
      changes.length > 1
        ? l10n.t('Edit {0} files', changes.length)
        : (titles.get(type) ?? l10n.t('Edit {0}', name)),
    kind: changes.length === 1 && type === 'delete' ? ('delete' as const) : ('edit' as const),
    content: changesContent(changes),
    locations: changes.map(change => ({ path: String(change['path']) })),
  };
}

function contentOf(
  path: string,
  type: unknown,
  diff: string,
  target: string | undefined,
): readonly object[] {
  if (type === 'add') return [asDiff({ path, oldText: null, newText: diff, change: 'added' })];
  if (type === 'delete') {
    return [asDiff({ path, oldText: diff === '' ? null : diff, newText: '', change: 'deleted' })];
  }
  const { changes, rest } = readUnifiedDiff(diff, path);
  const moved = target === undefined ? undefined : { path: target, oldPath: path };
  const own = (change: Change): Change =>
    moved ? { ...change, ...moved, change: 'moved' } : { ...change, path, change: 'modified' };
  const known = changes.map(change => asDiff(own(change)));
  const bare = moved && known.length === 0 ? [{ ...moved, oldText: null, newText: '' }] : [];
  return [
    ...known,
    ...bare.map(change => asDiff({ ...change, change: 'moved' })),
    ...(rest === '' ? [] : [textContent(rest)]),
  ];
}
