import type { Event } from '../base/event';
import type { FileContent } from './model';

/** What a write left on disk: these bytes, or no file. */
export interface Written {
  readonly bytes: Uint8Array | undefined;
}

/** The files of the workspace as the editor sees them: unsaved text counts. Paths are absolute. */
export interface WorkingFiles {
  read(path: string): Promise<FileContent>;
  /**
   * Makes the file say `content`. Bytes on disk where the editor holds no unsaved text (so that nothing is
   * formatted, and encoding, byte-order mark and line endings stay), else edits of the document, unsaved.
   * `absent` deletes the file; a binary content is taken from the blobs.
   * @param original for a file that is to come back: bytes whose encoding and byte-order mark it had, and
   * its mode
   * @returns undefined when only the document was changed
   * @throws FileError
   */
  write(
    path: string,
    content: FileContent,
    original?: { readonly bytes: Uint8Array; readonly mode?: number },
  ): Promise<Written | undefined>;
  /** Somebody typed, pasted, undid or formatted in a document; `text()` is all of it when it is called. */
  readonly onDidEdit: Event<{ readonly path: string; readonly text: () => string }>;
  /** Something happened to the file on disk, by whomever, Parley included. */
  readonly onDidTouch: Event<{ readonly path: string }>;
}
