import type { Stats } from 'node:fs';
import { chmod, lstat } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle';
import type { FileContent } from '../../review/model';
import { hashOf, type Blobs } from '../../review/store/blobs';
import { lookAt, makeRoom } from '../../review/checkpoints/diskFile';
import type { EditorFiles } from '../../review/checkpoints/ports';
import type { Written } from '../../review/workingFiles';
import { FileError } from '../../session/ports';
import { readConfined, removeConfined } from './confinedFile';
import { decodeText, encodeText, newFileFormat } from './textEncoding';
import { writeOrPutBack } from './writeOrPutBack';
import type { EditorUris } from '../review/diff/editorUris';
import { changesOf, workspaceEdit } from './documentEdits';
import { DocumentPaths, usualEncoding } from './documents';
import { EditorEvents } from './editorEvents';
import { NewFolders } from './newFolders';
import { unsavedNotebook } from './notebooks';

/** The workspace's files through VS Code: open documents, the disk, and what happens to both. */
export class VscodeEditorFiles implements EditorFiles, Disposable {
  private readonly events: EditorEvents;
  private readonly paths: DocumentPaths;
  readonly newFolders = new NewFolders(() => Date.now());

  constructor(
    private readonly uris: EditorUris,
    private readonly blobs: Blobs,
  ) {
    this.paths = new DocumentPaths(uris);
    this.events = new EditorEvents(this.paths);
    this.events.onDidCreate(place => void this.newFolders.created(place));
    this.events.onDidManage(moves => {
      for (const { to } of moves) if (to !== undefined) this.newFolders.forget(to);
    });
  }

  get onDidEdit(): EditorEvents['onDidEdit'] {
    return this.events.onDidEdit;
  }

  get onDidTouch(): EditorEvents['onDidTouch'] {
    return this.events.onDidTouch;
  }

  get onDidSave(): EditorEvents['onDidSave'] {
    return this.events.onDidSave;
  }

  get onDidManage(): EditorEvents['onDidManage'] {
    return this.events.onDidManage;
  }

  isSaving(file: string): boolean {
    return this.events.isSaving(file);
  }

  unsaved(file: string): string | undefined {
    const document = this.paths.document(file);
    return document?.isDirty === true ? document.getText() : undefined;
  }

  hasUnsavedCells(file: string): boolean {
    return unsavedNotebook(uri => this.paths.of(uri) === file) !== undefined;
  }

  async read(file: string): Promise<FileContent> {
    const unsaved = this.unsaved(file);
    if (unsaved !== undefined) return { kind: 'text', text: unsaved };
    const found = await lookAt(file);
    if (found.kind !== 'file') return { kind: 'absent' };
    if (!found.bytes) return { kind: 'binary', hash: found.hash, bytes: found.size };
    return this.decode(file, found.bytes);
  }

  async decode(file: string, bytes: Uint8Array): Promise<FileContent> {
    try {
      return { kind: 'text', text: (await decodeText(bytes, this.encoding(file))).text };
    } catch {
      return { kind: 'binary', hash: hashOf(bytes), bytes: bytes.length };
    }
  }

  async write(
    file: string,
    content: FileContent,
    original?: { readonly bytes: Uint8Array; readonly mode?: number },
  ): Promise<Written | undefined> {
    const document = this.paths.document(file);
    if (document?.isDirty === true && content.kind === 'text') {
      await this.edit(document, content.text);
      return undefined;
    }
    if (content.kind !== 'absent' && !(await makeRoom(file))) {
      throw new FileError(
        'failed',
        vscode.l10n.t('A folder with files is in the way. Move it, then try again.'),
      );
    }
    const info = await statOf(file);
    if (info && !info.isFile()) {
      // Nothing is left of the file: what stands there is not its.
      if (content.kind === 'absent') return { bytes: undefined };
      throw new FileError('failed', vscode.l10n.t('The file is no longer a regular file.'));
    }
    if (info && (info.mode & 0o222) === 0) {
      throw new FileError(
        'readOnly',
        vscode.l10n.t('The file is read-only. Make it writable, then try again.'),
      );
    }
    if (content.kind === 'absent') {
      if (info) await removeConfined(file);
      await this.newFolders.removeEmpty(path.dirname(file));
      return { bytes: undefined };
    }
    const before = info && (await readConfined(file));
    const bytes =
      (await this.unchangedBytes(file, content, original?.bytes)) ??
      (await this.bytesFor(file, content, before ?? original?.bytes));
    if (document?.isDirty === true && content.kind === 'text') {
      await this.edit(document, content.text);
      return undefined;
    }
    const full = vscode.l10n.t('The disk is full. Free some space, then try again.');
    await writeOrPutBack(file, bytes, before, full);
    if (!info && original?.mode !== undefined && process.platform !== 'win32') {
      await chmod(file, original.mode & 0o777).catch(() => undefined);
    }
    return { bytes };
  }

  dispose(): void {
    this.events.dispose();
  }

  /**
   * `original` if it says `content`: the agent may have written the file in another encoding, which is undone
   * too. Not when the user has since chosen an encoding for the file.
   */
  private async unchangedBytes(
    file: string,
    content: FileContent,
    original: Uint8Array | undefined,
  ): Promise<Uint8Array | undefined> {
    if (!original || content.kind !== 'text') return undefined;
    try {
      const { text, format } = await decodeText(original, this.encoding(file));
      if (text !== content.text) return undefined;
      const its = format.encoding === 'utf8' && format.bom ? 'utf8bom' : format.encoding;
      const now = this.paths.document(file)?.encoding ?? its;
      return now === its || now === usualEncoding(this.uris.uri(file)) ? original : undefined;
    } catch {
      return undefined;
    }
  }

  /** @param like bytes whose encoding and byte-order mark it is to have */
  private async bytesFor(
    file: string,
    content: Exclude<FileContent, { kind: 'absent' }>,
    like: Uint8Array | undefined,
  ): Promise<Uint8Array> {
    if (content.kind === 'binary') {
      const bytes = await this.blobs.get(content.hash);
      if (bytes) return bytes;
      throw new FileError(
        'failed',
        vscode.l10n.t(
          'The original content of this file is no longer available. You can only keep this change.',
        ),
      );
    }
    let format = newFileFormat(this.encoding(file));
    try {
      if (like) format = (await decodeText(like, this.encoding(file))).format;
    } catch {
      // It was text and is binary now, or the other way: a new file, then.
    }
    // The text knows its own line ends, mixed ones included.
    return encodeText(content.text, { ...format, eol: undefined });
  }

  /** Unsaved text stays unsaved: saving would run formatters and could damage the encoding. */
  private async edit(document: vscode.TextDocument, text: string): Promise<void> {
    const changes = changesOf(document, document.getText(), text);
    const edit = workspaceEdit(document, changes);
    if (changes.length > 0 && !(await vscode.workspace.applyEdit(edit))) {
      throw new FileError(
        'failed',
        vscode.l10n.t('The editor did not apply the change. Try again.'),
      );
    }
  }

  private encoding(file: string): string {
    return this.paths.document(file)?.encoding ?? usualEncoding(this.uris.uri(file));
  }
}

async function statOf(file: string): Promise<Stats | undefined> {
  return lstat(file).catch(() => undefined);
}
