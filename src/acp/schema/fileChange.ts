/** What a diff does to its file, as `_meta.kind` of the SDK's agents says it. */
export type FileChange = 'added' | 'modified' | 'deleted' | 'moved';

/** The words for changes in `_meta.kind`. */
const CHANGES: ReadonlyMap<unknown, FileChange> = new Map<unknown, FileChange>([
  ['add', 'added'],
  ['added', 'added'],
  ['create', 'added'],
  ['created', 'added'],
  ['new', 'added'],
  ['modify', 'modified'],
  ['modified', 'modified'],
  ['update', 'modified'],
  ['updated', 'modified'],
  ['edit', 'modified'],
  ['delete', 'deleted'],
  ['deleted', 'deleted'],
  ['remove', 'deleted'],
  ['removed', 'deleted'],
  ['move', 'moved'],
  ['moved', 'moved'],
  ['rename', 'moved'],
  ['renamed', 'moved'],
]);

/** `change` by any of the words that agents have for it. */
export function fileChange(word: unknown): FileChange | undefined {
  return CHANGES.get(typeof word === 'string' ? word.toLowerCase() : word);
}
