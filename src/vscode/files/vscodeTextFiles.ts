import type { Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/logger';
import { FileError } from '../../session/ports';
import type { FileScope, KnownText, TextFiles } from '../../session/ports';
import type { AgentText } from './agentWrite';
import { eolOf, openDocument, usualEncoding } from './documents';
import { readConfined } from './confinedFile';
import { KeyedQueue } from './keyedQueue';
import { unsavedNotebook } from './notebooks';
import { realPath } from './realPath';
import { refuseGitFolder, resolveInScope } from './scopedPath';
import type { ScopedPath } from './scopedPath';
import { decodeText, encodeText, newFileFormat, type TextFormat } from './textEncoding';
import { UserEdits } from './userEdits';

/** Largest file an agent may read or replace through the editor unless the user sets it, in bytes. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

/**
 * Text files through the editor. Unsaved text counts, and is what the agent reads; a write always ends on
 * disk, because the agent's next command looks there. Requests for one path are carried out in order.
 */
export class VscodeTextFiles implements TextFiles, Disposable {
  private readonly queue = new KeyedQueue();
  private readonly edits = new UserEdits();

  constructor(
    private readonly logger: Logger,
    private readonly maxFileBytes: () => number = () => MAX_FILE_BYTES,
  ) {}

  read(file: string, scope: FileScope): Promise<KnownText> {
    return this.queue.run(path.normalize(file), () =>
      this.guarded('read', file, async () => {
        const target = await resolveInScope(file, scope);
        const edits = this.edits.of(target.spellings);
        return { text: await this.currentText(target, file), edits };
      }),
    );
  }

  write(file: string, content: string, scope: FileScope, known?: KnownText): Promise<KnownText> {
    return this.queue.run(path.normalize(file), () =>
      this.guarded('write', file, async () => {
        const target = await resolveInScope(file, scope);
        refuseGitFolder(target);
        const info = await statOf(target.real);
        if (info?.isDirectory() === true) throw isDirectory(file);
        if (info && !info.isFile()) throw new FileError('notText', `Not a regular file: ${file}`);
        if (info && (info.mode & 0o222) === 0) throw readOnly(file);
        if (unsavedNotebook(isOf(target))) throw unsavedCells(file);
        return this.writeNow({ target, content, known }, info);
      }),
    );
  }

  realPath(file: string): string {
    return realPath(file);
  }

  dispose(): void {
    this.edits.dispose();
  }

  /** The file's text now, for showing it to the user; undefined when there is none or it is no text. */
  async peek(file: string): Promise<string | undefined> {
    const name = path.normalize(file);
    try {
      const real = await realpath(name);
      return await this.currentText({ given: name, real, spellings: [name, real] }, file);
    } catch {
      return undefined;
    }
  }

  private async currentText(target: ScopedPath, file: string): Promise<string> {
    const document = documentOf(target);
    // A document without unsaved text says what the disk said; the disk itself is never behind, while the
    // document is for up to a second after a write from outside.
    if (document?.isDirty === true) return document.getText();
    const notebook = unsavedNotebook(isOf(target));
    if (notebook) return (await import('./notebookText')).notebookText(notebook);
    const info = await statOf(target.real);
    if (!info) throw new FileError('notFound', `The file does not exist: ${file}`);
    if (info.isDirectory()) throw isDirectory(file);
    if (!info.isFile()) throw new FileError('notText', `Not a regular file: ${file}`);
    const bytes = await readConfined(target.real, size => this.checkSize(size, file));
    return (await decodeText(bytes, encodingFor(target, document))).text;
  }

  private checkSize(size: number, file: string): void {
    const limit = this.maxFileBytes();
    if (size > limit) throw tooLarge(file, limit);
  }

  /**
   * A document with unsaved text, or that the user looks at, is edited and saved: bytes written underneath would
   * make the user's next save fail, or lose keys. Else bytes on disk: the editor reloads the document within a
   * second, Ctrl+Z takes the change back, and no formatter runs over lines the agent did not touch.
   */
  private async writeNow(text: AgentText, info: Stats | undefined): Promise<KnownText> {
    const { target, content } = text;
    const { merged, isInFront, wasReloaded, writeBytes, writeDocument } =
      await import('./agentWrite');
    const edits = this.edits.of(target.spellings);
    const document = documentOf(target);
    let format = newFileFormat(encodingFor(target, document));
    let before: Uint8Array | undefined;
    let now = '';
    if (info) {
      before = await readConfined(target.real, size => this.checkSize(size, target.given));
      ({ text: now, format } = await decodeText(before, encodingFor(target, document)));
    }
    const isShown = document && isInFront(document) && isLossless(document, format);
    // It is behind the disk, or a key was pressed: only a moment later it is known which.
    if (isShown) await wasReloaded(document, { kind: 'text', text: now });
    // An agent that has not read unsaved text made its own from what is on disk.
    const known = text.known ?? { text: now, edits: document?.isDirty === true ? -1 : edits };
    const wanted = { target, content, known };
    const isEdited = (): boolean =>
      document?.isDirty === true || (isShown === true && document?.getText() === now);
    const bytes = isEdited()
      ? undefined
      : await encodeText(merged(wanted, edits, now, format.eol), format);
    if (document && (!bytes || isEdited())) await writeDocument(document, wanted, this.edits);
    else if (bytes) await writeBytes(target, bytes, before);
    // What was merged in is the user's, and nothing that the agent knows of: its next write rests on its own text.
    const isMerged = known.edits < edits;
    return { text: content, edits: isMerged ? known.edits : edits, before: known.text };
  }

  /** Turns whatever goes wrong into a FileError that says nothing about the machine to an agent. */
  private async guarded<T>(
    what: 'read' | 'write',
    file: string,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof FileError) throw error;
      this.logger.warn(`Could not ${what} a file for the agent: ${String(error)}`);
      throw toFileError(error, what, file);
    }
  }
}

/** Whether an address is one of the file's. */
function isOf({ spellings }: ScopedPath): (uri: vscode.Uri) => boolean {
  const names = new Set(spellings.map(name => vscode.Uri.file(name).toString()));
  return uri => names.has(uri.toString());
}

function documentOf(target: ScopedPath): vscode.TextDocument | undefined {
  return openDocument(isOf(target));
}

function encodingFor(target: ScopedPath, document: vscode.TextDocument | undefined): string {
  return document?.encoding ?? usualEncoding(vscode.Uri.file(target.given));
}

async function statOf(file: string): Promise<Stats | undefined> {
  try {
    return await stat(file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Whether saving the document leaves encoding and line ends of its file as they are. */
function isLossless(document: vscode.TextDocument, { bom, encoding, eol }: TextFormat): boolean {
  const isMarked = bom && encoding === 'utf8';
  return (isMarked ? 'utf8bom' : encoding) === document.encoding && eol === eolOf(document);
}

function isDirectory(file: string): FileError {
  return new FileError('isDirectory', `This is a directory: ${file}`);
}

/** Beneath them the write would show nowhere, and the user's next save undo it. */
function unsavedCells(file: string): FileError {
  return new FileError(
    'changedByUser',
    `The user has unsaved changes in this notebook, so it was not written. Ask for it to be saved: ${file}`,
  );
}

function readOnly(file: string, cause?: unknown): FileError {
  return new FileError('readOnly', `The file is read-only: ${file}`, { cause });
}

function tooLarge(file: string, limit: number): FileError {
  return new FileError(
    'tooLarge',
    `The file is larger than ${limit} bytes (the user's setting parley.limits.fileBytes): ${file}`,
  );
}

function toFileError(error: unknown, what: 'read' | 'write', file: string): FileError {
  const code = (error as { code?: unknown }).code;
  switch (code) {
    case 'FileNotFound':
    case 'ENOENT':
    case 'ENOTDIR':
    case 'FileNotADirectory':
      return new FileError('notFound', `The file does not exist: ${file}`, { cause: error });
    case 'FileIsADirectory':
    case 'EISDIR':
      return isDirectory(file);
    case 'NoPermissions':
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return what === 'write'
        ? readOnly(file, error)
        : new FileError('failed', `The file may not be read: ${file}`, { cause: error });
    default:
      return new FileError('failed', `The file could not be used: ${file}`, { cause: error });
  }
}
