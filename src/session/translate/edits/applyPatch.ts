/** The patches of `apply_patch`, read leniently: what is not understood is kept, not passed over. */
import type { FileChange } from '../../../acp/schema/fileChange';
import type {} from './diffs';
import { FilePatch, readPatch, type ReadPatch } from './filePatch';

const FILE = /^\s*\*\*\* (Add|Update|Delete) File: *(\S.*)$/;
const MOVE = /^\s*\*\*\* Move to: *(\S.*)$/;
const FRAME = /^\s*\*\*\* (?:Begin Patch|End Patch|End of File)\s*$/;

const CHANGES: ReadonlyMap<unknown, FileChange> = new Map<unknown, FileChange>([
  ['Add', 'added'],
  ['Update', 'modified'],
  ['Delete', 'deleted'],
]);

export function isApplyPatch(text: string): boolean {
  return /^[ \t]*\*\*\* (?:Begin Patch|(?:Add|Update|Delete) File:)/m.test(text);
}

export function readApplyPatch(text: string): ReadPatch {
  const files: FilePatch[] = [];
  const rest: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const file = files.at(-1);
    // Within a file's lines, what is indented is text.
    const isText = file?.change === 'modified' || file?.change === 'moved';
    const [, what, path] = (isText && line.startsWith(' ') ? null : FILE.exec(line)) ?? [];
    if (path !== undefined)
      files.push(new FilePatch(path.trimEnd(), CHANGES.get(what) ?? 'modified'));
    else if (!takes(file, line)) rest.push(line);
  }
  return readPatch(files, rest);
}

function takes(file: FilePatch | undefined, line: string): boolean {
  if (!file) return line.trim() === '' || FRAME.test(line);
  const isText = file.change === 'modified' || file.change === 'moved';
  if (!line.startsWith(' ') && FRAME.test(line)) return true;
  const [, target] = (line.startsWith(' ') ? null : MOVE.exec(line)) ?? [];
  if (target !== undefined && isText) {
    file.oldPath ??= file.path;
    file.path = target.trimEnd();
    file.change = 'moved';
    return true;
  }
  if (line.startsWith('@@')) {
    if (isText) file.begin();
    return isText;
  }
  if (!isText && line.trim() === '') return true;
  if (file.change === 'added' && !line.startsWith('+')) return false;
  if (file.change === 'deleted' && !line.startsWith('-')) return false;
  return file.take(line);
}
