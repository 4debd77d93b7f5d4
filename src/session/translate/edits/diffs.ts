/** What a diff of a tool call says of its file: some agents say it by marks beside the texts. */
import { isObject } from '../../../acp/schema/guards/primitives';
import { fileChange, type FileChange } from '../../../acp/schema/fileChange';
import type * as schema from '../../../acp/schema/schema';

/** A change of one file. */
export interface Change {
  /** Where the file is after the change. */
  readonly path: string;
  /** Null: there was no file, or the text was not given. Like the new text, it may be a snippet. */
  readonly oldText: string | null;
  readonly newText: string;
  readonly change: FileChange;
  /** Where a file that is moved was. */
  readonly oldPath?: string;
  /** 1-based line of the file that the texts begin with, if known. */
  readonly line?: number;
}

const KINDS: { readonly [C in FileChange]: string } = {
  added: 'add',
  modified: 'modify',
  deleted: 'delete',
  moved: 'move',
};

const OLD_PATHS = ['oldPath', 'old_path', 'previousPath', 'movedFrom', 'from'];

/** `change` as a diff of the schema, with marks that `changeOfDiff` reads. */
export function asDiff({ path, oldText, newText, change, oldPath, line }: Change): MarkedDiff {
  const _meta = {
    kind: KINDS[change],
    ...(oldPath !== undefined && { oldPath }),
    ...(line !== undefined && { line }),
  };
  return { type: 'diff', path, oldText, newText, _meta };
}

type MarkedDiff = schema.Diff & { readonly type: 'diff' };

/**
 * What `diff` says of its file. Where marks and texts disagree, a deletion counts, and a file that had text
 * is not new.
 * @param callKind the kind of the tool call
 * @param isOld another diff of the call says that the file exists
 */
export function changeOfDiff(diff: schema.Diff, callKind?: string | null, isOld = false): Change {
  const { path, newText } = diff;
  const meta = isObject(diff._meta) ? diff._meta : {};
  const mark = fileChange(meta['kind']);
  const oldText = diff.oldText ?? null;
  const line = meta['line'];
  const own = { path, ...(typeof line === 'number' && { line }) };
  const isGone = newText === '' || newText === oldText;
  if (mark === 'deleted' || (callKind === 'delete' && mark === undefined && isGone)) {
    return { ...own, oldText: oldText || null, newText: isGone ? '' : newText, change: 'deleted' };
  }
  const oldPath = OLD_PATHS.map(key => meta[key]).find(
    (value): value is string => typeof value === 'string' && value !== '' && value !== path,
  );
  if (mark === 'moved' || (mark === undefined && oldPath !== undefined)) {
    const from = oldPath !== undefined && { oldPath };
    return { ...own, oldText, newText, change: 'moved', ...from };
  }
  const isNew = !oldText && !isOld && mark !== 'modified';
  return { ...own, oldText, newText, change: isNew ? 'added' : 'modified' };
}

/** The paths of files that had text, by these diffs. */
export function pathsWithText(diffs: readonly schema.Diff[]): ReadonlySet<string> {
  return new Set(diffs.flatMap(({ path, oldText }) => (oldText ? [path] : [])));
}

/** Items by the files that they name. Of two paths of one call that name the same file, one may be relative. */
export class ByPath<T> {
  /** By the file's name, then by the whole path. */
  private readonly names = new Map<string, Map<string, T[]>>();

  constructor(items: readonly T[], pathOf: (item: T) => string) {
    for (const item of items) {
      const path = plainPath(pathOf(item));
      const paths = this.names.get(nameOf(path)) ?? new Map<string, T[]>();
      const same = paths.get(path) ?? [];
      same.push(item);
      this.names.set(nameOf(path), paths.set(path, same));
    }
  }

  /** What may name the file of `path`: what has the very path first. */
  at(path: string): readonly T[] {
    const plain = plainPath(path);
    const paths = this.names.get(nameOf(plain));
    if (!paths) return [];
    const others = [...paths].filter(([other]) => other !== plain && isSameFile(other, plain));
    return [...(paths.get(plain) ?? []), ...others.flatMap(([, items]) => items)];
  }
}

function isSameFile(one: string, other: string): boolean {
  if (isAbsolute(one) === isAbsolute(other)) return false;
  return isAbsolute(one) ? one.endsWith(`/${other}`) : other.endsWith(`/${one}`);
}

function nameOf(plain: string): string {
  return plain.slice(plain.lastIndexOf('/') + 1);
}

function plainPath(path: string): string {
  return path
    .replace(/^file:\/\//, '')
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '');
}

function isAbsolute(path: string): boolean {
  return /^(?:\/|[A-Za-z]:)/.test(path);
}
