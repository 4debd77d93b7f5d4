import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Logger } from '../../base/logger';
import { FileError } from '../../session/ports';
import type { FileScope, TextFiles } from '../../session/ports';
import { KeyedQueue } from './keyedQueue';
import { refuseGitFolder, resolveInScope } from './scopedPath';
import type { ScopedPath } from './scopedPath';
import { decodeText, encodeText, newFileFormat, withEol } from './textEncoding';

/** Largest file an agent may read or replace through the editor unless the user sets it, in bytes. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

/**
 * Text files through the editor. Unsaved text counts, and is what the agent reads; a write always ends on
 * disk, because the agent's next command looks there. Requests for one path are carried out in order.
 */
export class VscodeTextFiles implements TextFiles {
  private readonly queue = new KeyedQueue();

  constructor(
    private readonly logger: Logger,
    private readonly maxFileBytes: () => number = () => MAX_FILE_BYTES,
  ) {}

  read(
    file: string,
    range: { readonly line?: number; readonly limit?: number },
    scope: FileScope,
  ): Promise<string> {
    return this.queue.run(path.normalize(file), () =>
      this.guarded('read', file, async () => {
        const target = await resolveInScope(file, scope);
        const text = await this.currentText(target, file);
        return linesOf(text, range);
      }),
    );
  }

  write(file: string, content: string, scope: FileScope): Promise<void> {
    return this.queue.run(path.normalize(file), () =>
      this.guarded('write', file, async () => {
        const target = await resolveInScope(file, scope);
        refuseGitFolder(target);
        const info = await statOf(target.real);
        if (info?.isDirectory() === true) throw isDirectory(file);
        if (info && !info.isFile()) throw new FileError('notText', `Not a regular file: ${file}`);
        if (info && (info.mode & 0o222) === 0) throw readOnly(file);
        const document = openDocument(target);
        if (document?.isDirty === true) await this.writeUnsaved(document, content, file);
        else await this.writeDisk(target, document, info, content, file);
      }),
    );
  }

  /** The file's text now, for showing it to the user; undefined when there is none or it is no text. */
  async peek(file: string): Promise<string | undefined> {
    const name = path.normalize(file);
    try {
      return await this.currentText({ given: name, real: name, spellings: [name] }, file);
    } catch {
      return undefined;
    }
  }

  private async currentText(target: ScopedPath, file: string): Promise<string> {
    const document = openDocument(target);
    // A document without unsaved text says what the disk said; the disk itself is never behind, while the
    // document is for up to a second after a write from outside.
    if (document?.isDirty === true) return document.getText();
    const info = await statOf(target.real);
    if (!info) throw new FileError('notFound', `The file does not exist: ${file}`);
    if (info.isDirectory()) throw isDirectory(file);
    if (!info.isFile()) throw new FileError('notText', `Not a regular file: ${file}`);
    this.checkSize(info, file);
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.file(target.real));
    return (await decodeText(bytes, encodingFor(target, document))).text;
  }

  private checkSize({ size }: Stats, file: string): void {
    const limit = this.maxFileBytes();
    if (size > limit) throw tooLarge(file, limit);
  }

  /**
   * Clean or closed: bytes on disk. The editor reloads the document within a second, Ctrl+Z takes the
   * change back, nothing gets dirty, and no formatter runs over lines the agent did not touch.
   */
  private async writeDisk(
    target: ScopedPath,
    document: vscode.TextDocument | undefined,
    info: Stats | undefined,
    content: string,
    file: string,
  ): Promise<void> {
    const uri = document?.uri ?? vscode.Uri.file(target.real);
    let format = newFileFormat(encodingFor(target, document));
    let before: Uint8Array | undefined;
    if (info) {
      this.checkSize(info, file);
      before = await vscode.workspace.fs.readFile(uri);
      format = (await decodeText(before, encodingFor(target, document))).format;
    } else {
      await vscode.workspace.fs.createDirectory(vscode.Uri.file(path.dirname(target.real)));
    }
    const bytes = await encodeText(content, format);
    if (document?.isDirty === true) return this.writeUnsaved(document, content, file);
    await writeBytes(uri, bytes, before, file);
  }

  /**
   * Unsaved text: bytes written underneath would make the user's next save fail ("the content of the file
   * is newer"), so the change goes through the document as small edits and is saved. Saving runs
   * formatters and code actions; if they changed anything, the agent's exact text follows as bytes: the
   * document is clean by then, so that is the case above.
   */
  private async writeUnsaved(
    document: vscode.TextDocument,
    content: string,
    file: string,
  ): Promise<void> {
    const { minimalEdits } = await import('./minimalEdits');
    const eol = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
    const wanted = withEol(content.replace(/^\uFEFF/, ''), eol);
    const edit = new vscode.WorkspaceEdit();
    for (const change of minimalEdits(document.getText(), wanted)) {
      const range = new vscode.Range(
        document.positionAt(change.start),
        document.positionAt(change.end),
      );
      edit.replace(document.uri, range, change.text);
    }
    if (edit.size > 0 && !(await vscode.workspace.applyEdit(edit))) {
      throw new FileError('failed', `The editor refused the change: ${file}`);
    }
    if (document.isDirty && !(await document.save())) {
      throw new FileError(
        'changedOnDisk',
        `The user has unsaved changes in this file and it has changed on disk: ${file}`,
      );
    }
    if (document.getText() === wanted) return;
    const before = await vscode.workspace.fs.readFile(document.uri);
    const { format } = await decodeText(before, document.encoding);
    const bytes = await encodeText(content, format);
    await writeBytes(document.uri, bytes, before, file);
  }

  /** Turns whatever goes wrong into a FileError that tells an agent nothing about the machine. */
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

function openDocument(target: ScopedPath): vscode.TextDocument | undefined {
  const names = new Set(target.spellings.map(name => vscode.Uri.file(name).toString()));
  return vscode.workspace.textDocuments.find(
    document => !document.isClosed && names.has(document.uri.toString()),
  );
}

function encodingFor(target: ScopedPath, document: vscode.TextDocument | undefined): string {
  if (document) return document.encoding;
  const uri = vscode.Uri.file(target.given);
  return vscode.workspace.getConfiguration('files', uri).get('encoding', 'utf8');
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

/** The lines asked for, line endings included; nothing when they lie behind the end. */
function linesOf(text: string, range: { readonly line?: number; readonly limit?: number }): string {
  const first = Math.max(1, Math.floor(range.line ?? 1));
  if (first === 1 && range.limit === undefined) return text;
  const start = offsetOfLine(text, 0, first - 1);
  if (range.limit === undefined) return text.slice(start);
  return text.slice(start, offsetOfLine(text, start, Math.max(0, Math.floor(range.limit))));
}

/** Offset behind `count` line ends from `offset`. */
function offsetOfLine(text: string, offset: number, count: number): number {
  let at = offset;
  for (let index = 0; index < count; index++) {
    const end = text.indexOf('\n', at);
    if (end < 0) return text.length;
    at = end + 1;
  }
  return at;
}

function isDirectory(file: string): FileError {
  return new FileError('isDirectory', `This is a directory: ${file}`);
}

function readOnly(file: string, cause?: unknown): FileError {
  return new FileError('readOnly', `The file is read-only: ${file}`, { cause });
}

async function writeBytes(
  uri: vscode.Uri,
  bytes: Uint8Array,
  before: Uint8Array | undefined,
  file: string,
): Promise<void> {
  const { writeOrPutBack } = await import('./writeOrPutBack');
  const full = `The disk is full, so the file was left as it is: ${file}`;
  await writeOrPutBack(uri, bytes, before, full);
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
