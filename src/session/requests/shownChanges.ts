/** Whether the diffs of a request show a change that its input makes. Pure. */
import { changeOfDiff, type Change } from '../translate/edits/diffs';
import type { ReadPatch } from '../translate/edits/filePatch';
import type { FileDiff } from '../translate/contents';

/** UTF-16 units that are looked through to find the replaced texts; what takes more counts as not shown. */
const MAX_SEARCHED = 50_000_000;

type Texts = Pick<Change, 'oldText' | 'newText'>;

/** The changes of a request's diffs. */
export class ShownChanges {
  /** The path of a diff by each name that its file may have. */
  private readonly paths = new Map<string, string>();
  private readonly files: ReadonlyMap<string, readonly Change[]>;

  constructor(diffs: readonly FileDiff[], cwd: string) {
    for (const { path, oldPath = path } of diffs) {
      for (const name of [path, oldPath]) {
        this.paths.set(relative(name, cwd), name);
        this.paths.set(name, name);
      }
    }
    this.files = this.byFile(
      diffs.map(diff => ({ ...diff, change: diff.change ?? changeOfDiff({ ...diff }).change })),
    );
  }

  /** Whether `path` is a file of a diff. */
  names(path: string): boolean {
    return this.paths.has(path);
  }

  /** Whether `read` was understood whole, and all of it is shown. */
  say({ changes, complete }: ReadPatch): boolean {
    return (
      complete &&
      changes.length > 0 &&
      [...this.byFile(changes)].every(([file, own]) => showAll(this.files.get(file) ?? [], own))
    );
  }

  /** The changes of each file that have the same fate. */
  private byFile(changes: readonly Change[]): ReadonlyMap<string, readonly Change[]> {
    const files = new Map<string, Change[]>();
    for (const change of changes) {
      const { change: fate, path, oldPath } = change;
      const isWritten = fate === 'added' || fate === 'modified';
      const paths = [path, oldPath].map(name => name && (this.paths.get(name) ?? name));
      const file = JSON.stringify([isWritten || fate, ...paths]);
      const same = files.get(file) ?? [];
      same.push(change);
      files.set(file, same);
    }
    return files;
  }
}

/** Whether the diffs of a file show these changes of it: as they are, whole, or by what they make of the text. */
function showAll(diffs: readonly Change[], changes: readonly Change[]): boolean {
  if (diffs.length === 0) return false;
  const known = new Set(diffs.map(textsOf));
  const results = new Set(diffs.map(({ newText }) => ended(newText)));
  const isShown = (change: Change): boolean => {
    if (known.has(textsOf(change))) return true;
    if (change.oldText !== null) return false;
    // Of the text that is deleted or moved no more may be given.
    return change.change === 'added' || change.change === 'modified'
      ? results.has(ended(change.newText))
      : change.newText === '';
  };
  return changes.every(isShown) || make(diffs, changes);
}

/** Whether the replacements, one after another, make the new texts of the diffs of the old ones. */
function make(diffs: readonly Texts[], changes: readonly Texts[]): boolean {
  const kept = diffs.reduce((sum, { oldText }) => sum + (oldText ?? '').length, 0);
  const size = changes.reduce((sum, { newText }) => sum + newText.length, kept);
  if (size * changes.length > MAX_SEARCHED) return false;
  const texts = diffs.map(({ oldText }) => ended(oldText ?? ''));
  for (const { oldText, newText } of changes) {
    // Where a text goes that replaces nothing is not known.
    if (!oldText) return false;
    const before = plain(oldText);
    const at = texts.findIndex(text => text.includes(before));
    const text = texts[at];
    if (text === undefined) return false;
    texts[at] = text.replace(before, () => plain(newText));
  }
  return diffs.every(({ newText }, index) => ended(texts[index] ?? '') === ended(newText));
}

function textsOf({ oldText, newText }: Texts): string {
  return JSON.stringify([plain(oldText ?? ''), plain(newText)]);
}

/** Patches do not say how lines end. */
function plain(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function ended(text: string): string {
  const lines = plain(text);
  return lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`;
}

function relative(path: string, cwd: string): string {
  const prefix = `${cwd.replace(/[\\/]+$/, '')}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}
