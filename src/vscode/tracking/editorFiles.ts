import type { Stats } from 'node:fs';
import { chmod, lstat, readFile } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifecycle';
import type { Disposable } from '../../base/lifecycle';
import type { FileContent } from '../../review/model';
import { hashOf, type Blobs } from '../../review/store/blobs';
import { lookAt, makeRoom } from '../../review/checkpoints/diskFile';
import type { EditorFiles } from '../../review/checkpoints/ports';
import type { Written } from '../../review/workingFiles';
import type { Move } from '../../review/checkpoints/tracker';
import { FileError } from '../../session/ports';
import { minimalEdits } from '../files/minimalEdits';
import { decodeText, encodeText, newFileFormat, withEol } from '../files/textEncoding';
import { writeOrPutBack } from '../files/writeOrPutBack';
import type { EditorUris } from '../review/diff/editorUris';
import { NewFolders } from './newFolders';

/** The workspace's files through VS Code: open documents, the disk, and what happens to both. */
export class VscodeEditorFiles implements EditorFiles, Disposable {
  private readonly disposables = new DisposableStore();
  private readonly edited = new vscode.EventEmitter<{ path: string; text: () => string }>();
  readonly onDidEdit = this.edited.event;
  private readonly touched = new vscode.EventEmitter<{ path: string }>();
  readonly onDidTouch = this.touched.event;
  private readonly saved = new vscode.EventEmitter<{ path: string; text: string }>();
  /** The user saved a document (or auto save did). */
  readonly onDidSave = this.saved.event;
  private readonly moved = new vscode.EventEmitter<readonly Move[]>();
  /** The user created, moved or deleted files or folders in the Explorer. */
  readonly onDidManage = this.moved.event;

  /** Files whose save has begun. */
  private readonly saving = new Set<string>();
  readonly newFolders = new NewFolders(() => Date.now());
  /** Resolved paths of open documents, by address. */
  private readonly paths = new Map<string, string>();

  constructor(
    private readonly uris: EditorUris,
    private readonly blobs: Blobs,
  ) {
    const { disposables } = this;
    for (const emitter of [this.edited, this.touched, this.saved, this.moved]) {
      disposables.add(emitter);
    }
    const touch = (uri: vscode.Uri) => {
      // As it is told: tracking asks of a link both what it is and where it leads.
      if (uri.scheme === 'file') this.touched.fire({ path: uri.fsPath });
    };
    const watcher = disposables.add(vscode.workspace.createFileSystemWatcher('**/*'));
    disposables.add(watcher.onDidCreate(touch));
    disposables.add(watcher.onDidCreate(uri => void this.newFolders.created(this.place(uri))));
    disposables.add(watcher.onDidChange(touch));
    disposables.add(watcher.onDidDelete(touch));
    disposables.add(
      // An event without changes tells that a document is dirty now: the one that made it so says it is not.
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.uri.scheme !== 'file') return;
        // Without unsaved text it says what the disk says: it was read again, or an edit was taken back.
        if (!document.isDirty) {
          this.saving.delete(this.pathOf(document.uri));
          touch(document.uri);
        } else
          this.edited.fire({ path: this.pathOf(document.uri), text: () => document.getText() });
      }),
    );
    disposables.add(
      vscode.workspace.onWillSaveTextDocument(({ document }) => {
        if (document.uri.scheme === 'file') this.saving.add(this.pathOf(document.uri));
      }),
    );
    disposables.add(
      vscode.workspace.onDidSaveTextDocument(document => {
        if (document.uri.scheme !== 'file') return;
        const path = this.uris.path(document.uri);
        this.saving.delete(path);
        this.saved.fire({ path, text: document.getText() });
      }),
    );
    disposables.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.paths.delete(uri.toString())),
    );
    const manage = (moves: readonly { from?: vscode.Uri; to?: vscode.Uri }[]) => {
      this.paths.clear();
      const shown = moves.map(({ from, to }) => ({
        ...(from?.scheme === 'file' && { from: this.place(from) }),
        ...(to?.scheme === 'file' && { to: this.place(to) }),
      }));
      for (const { to } of shown) if (to !== undefined) this.newFolders.forget(to);
      if (shown.some(({ from, to }) => from !== undefined || to !== undefined))
        this.moved.fire(shown);
    };
    disposables.add(
      vscode.workspace.onDidCreateFiles(({ files }) => manage(files.map(to => ({ to })))),
    );
    disposables.add(
      vscode.workspace.onDidDeleteFiles(({ files }) => manage(files.map(from => ({ from })))),
    );
    disposables.add(
      vscode.workspace.onDidRenameFiles(({ files }) =>
        manage(files.map(({ oldUri, newUri }) => ({ from: oldUri, to: newUri }))),
      ),
    );
  }

  isSaving(file: string): boolean {
    return this.saving.has(file) && this.document(file) !== undefined;
  }

  unsaved(file: string): string | undefined {
    const document = this.document(file);
    return document?.isDirty === true ? document.getText() : undefined;
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
    const document = this.document(file);
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
      if (info) await vscode.workspace.fs.delete(this.uris.uri(file), { useTrash: false });
      await this.newFolders.removeEmpty(path.dirname(file));
      return { bytes: undefined };
    }
    const before = info && (await readFile(file));
    const bytes =
      (await this.unchangedBytes(file, content, original?.bytes)) ??
      (await this.bytesFor(file, content, before ?? original?.bytes));
    if (document?.isDirty === true && content.kind === 'text') {
      await this.edit(document, content.text);
      return undefined;
    }
    await vscode.workspace.fs.createDirectory(vscode.Uri.file(path.dirname(file)));
    const full = vscode.l10n.t('The disk is full. Free some space, then try again.');
    await writeOrPutBack(this.uris.uri(file), bytes, before, full);
    if (!info && original?.mode !== undefined && process.platform !== 'win32') {
      await chmod(file, original.mode & 0o777).catch(() => undefined);
    }
    return { bytes };
  }

  dispose(): void {
    this.disposables.dispose();
  }

  /** Where the editor says a file is: links are followed, but not when it is one itself. */
  private place(uri: vscode.Uri): string {
    const folder = this.uris.path(vscode.Uri.file(path.dirname(uri.fsPath)));
    return path.join(folder, path.basename(uri.fsPath));
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
      const now = this.document(file)?.encoding ?? its;
      return now === its || now === this.usualEncoding(file) ? original : undefined;
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
    const eol = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
    const edit = new vscode.WorkspaceEdit();
    for (const change of minimalEdits(document.getText(), withEol(text, eol))) {
      const range = new vscode.Range(
        document.positionAt(change.start),
        document.positionAt(change.end),
      );
      edit.replace(document.uri, range, change.text);
    }
    if (edit.size > 0 && !(await vscode.workspace.applyEdit(edit))) {
      throw new FileError(
        'failed',
        vscode.l10n.t('The editor did not apply the change. Try again.'),
      );
    }
  }

  private document(file: string): vscode.TextDocument | undefined {
    // It may be open through a link as well.
    const open = vscode.workspace.textDocuments.filter(
      ({ isClosed, uri }) => !isClosed && uri.scheme === 'file' && this.pathOf(uri) === file,
    );
    return open.find(({ isDirty }) => isDirty) ?? open[0];
  }

  /** The same document may be asked about with every key. */
  private pathOf(uri: vscode.Uri): string {
    const key = uri.toString();
    const known = this.paths.get(key);
    if (known !== undefined) return known;
    const file = this.uris.path(uri);
    this.paths.set(key, file);
    return file;
  }

  private encoding(file: string): string {
    return this.document(file)?.encoding ?? this.usualEncoding(file);
  }

  private usualEncoding(file: string): string {
    return vscode.workspace.getConfiguration('files', this.uris.uri(file)).get('encoding', 'utf8');
  }
}

async function statOf(file: string): Promise<Stats | undefined> {
  return lstat(file).catch(() => undefined);
}
