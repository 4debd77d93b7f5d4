import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/lifecycle';
import type { FileMove } from '../../review/checkpoints/userActions';
import type { DocumentPaths } from './documents';

/** What happens to the files of the workspace: on disk, in documents, and in the Explorer. */
export class EditorEvents implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly edited = new vscode.EventEmitter<{ path: string; text: () => string }>();
  readonly onDidEdit = this.edited.event;
  private readonly touched = new vscode.EventEmitter<{ path: string }>();
  readonly onDidTouch = this.touched.event;
  private readonly created = new vscode.EventEmitter<string>();
  /** A file or folder is there that was not: its path, links of the folders above resolved. */
  readonly onDidCreate = this.created.event;
  private readonly saved = new vscode.EventEmitter<{ path: string; text: string }>();
  /** The user saved a document (or auto save did). */
  readonly onDidSave = this.saved.event;
  private readonly moved = new vscode.EventEmitter<readonly FileMove[]>();
  /** The user created, moved or deleted files or folders in the Explorer. */
  readonly onDidManage = this.moved.event;
  /** Files whose save has begun. */
  private readonly saving = new Set<string>();

  constructor(private readonly paths: DocumentPaths) {
    const { disposables } = this;
    for (const emitter of [this.edited, this.touched, this.created, this.saved, this.moved]) {
      disposables.add(emitter);
    }
    this.watchDisk();
    this.watchDocuments();
    this.watchExplorer();
  }

  /** A save of the user's is under way. */
  isSaving(file: string): boolean {
    return this.saving.has(file) && this.paths.document(file) !== undefined;
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private watchDisk(): void {
    const watcher = this.disposables.add(vscode.workspace.createFileSystemWatcher('**/*'));
    const touch = (uri: vscode.Uri) => this.touch(uri);
    this.disposables.add(watcher.onDidCreate(touch));
    this.disposables.add(watcher.onDidCreate(uri => this.created.fire(this.paths.place(uri))));
    this.disposables.add(watcher.onDidChange(touch));
    this.disposables.add(watcher.onDidDelete(touch));
  }

  private watchDocuments(): void {
    const { disposables, paths } = this;
    disposables.add(
      // An event without changes says that a document is dirty now: the one that made it so says it is not.
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.uri.scheme !== 'file') return;
        const path = paths.of(document.uri);
        if (document.isDirty) this.edited.fire({ path, text: () => document.getText() });
        // Without unsaved text it says what the disk says: it was read again, or an edit was taken back.
        else if (!this.saving.has(path)) this.touch(document.uri);
        else void this.saveEnds(path).then(() => this.touch(document.uri));
      }),
    );
    disposables.add(
      vscode.workspace.onWillSaveTextDocument(({ document: { uri } }) => {
        if (uri.scheme === 'file') this.saving.add(paths.of(uri));
      }),
    );
    disposables.add(
      vscode.workspace.onDidSaveTextDocument(document => {
        if (document.uri.scheme !== 'file') return;
        const path = paths.of(document.uri);
        this.saving.delete(path);
        this.saved.fire({ path, text: document.getText() });
      }),
    );
    disposables.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => paths.closed(uri)));
  }

  /**
   * Resolves when a save whose document is clean has been announced, if that is why it is clean, and not a save that
   * failed and was given up: what VS Code says comes in order, so before its answer to a question that is asked now.
   */
  private async saveEnds(path: string): Promise<void> {
    await vscode.commands.executeCommand('setContext', 'parley.saved', true);
    this.saving.delete(path);
  }

  private watchExplorer(): void {
    const manage = (moves: readonly { from?: vscode.Uri; to?: vscode.Uri }[]) => {
      this.paths.forget();
      const shown = moves.map(({ from, to }) => ({
        ...(from?.scheme === 'file' && { from: this.paths.place(from) }),
        ...(to?.scheme === 'file' && { to: this.paths.place(to) }),
      }));
      const isFile = ({ from, to }: FileMove) => from !== undefined || to !== undefined;
      if (shown.some(isFile)) this.moved.fire(shown);
    };
    for (const listener of [
      vscode.workspace.onDidCreateFiles(({ files }) => manage(files.map(to => ({ to })))),
      vscode.workspace.onDidDeleteFiles(({ files }) => manage(files.map(from => ({ from })))),
      vscode.workspace.onDidRenameFiles(({ files }) =>
        manage(files.map(({ oldUri, newUri }) => ({ from: oldUri, to: newUri }))),
      ),
    ]) {
      this.disposables.add(listener);
    }
  }

  private touch(uri: vscode.Uri): void {
    // Not resolved: tracking asks of a link both what it is and where it leads.
    if (uri.scheme === 'file') this.touched.fire({ path: uri.fsPath });
  }
}
