import type { FileContent } from '../model';
import type { WorkingFiles } from '../workingFiles';

/** What tracking needs of the editor. Paths are absolute with links resolved. */
export interface EditorFiles extends WorkingFiles {
  /** A save of the user's is under way. */
  isSaving(path: string): boolean;
  /** The text of an open document with unsaved changes; undefined when there is none. */
  unsaved(path: string): string | undefined;
  /** It is open as a notebook with unsaved cells. */
  hasUnsavedCells(path: string): boolean;
  /** What `bytes` of the file say: text in its encoding, or binary with their hash. */
  decode(path: string, bytes: Uint8Array): Promise<FileContent>;
}

/** Which files of the workspace count. */
export interface TrackedScope {
  /** Workspace folders: absolute, links resolved. */
  roots(): readonly string[];
  /** Left out of views and searches by the user's settings, or as a rule nobody's source. */
  isExcluded(path: string): boolean;
  /** Left out of views by the user's settings (`files.exclude`). */
  isHidden(path: string): boolean;
  /** True when Parley itself keeps data there. */
  isOwn(path: string): boolean;
}
