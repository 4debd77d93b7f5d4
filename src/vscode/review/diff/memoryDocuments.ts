import * as vscode from 'vscode';
import type { Disposable } from '../../../base/lifecycle';
import { DocumentFileSystem, encodeDocument } from './documentFileSystem';

/** Scheme of read-only documents that live in memory: sides of diffs, whole tool outputs. */
export const MEMORY_SCHEME = 'parley-diff';
/** Scheme of edits that wait for permission: the user may change them, and saving goes nowhere but here. */
export const PROPOSAL_SCHEME = 'parley-proposal';

interface Entry {
  readonly bytes: Uint8Array;
  readonly at: number;
}

/**
 * Documents by id, read-only unless made otherwise. They live as long as the window; `closeStaleTabs` takes
 * away what VS Code restored after a reload.
 */
export class MemoryDocuments extends DocumentFileSystem implements Disposable {
  private readonly entries = new Map<string, Entry>();
  private readonly registration: vscode.Disposable;

  constructor(
    readonly scheme = MEMORY_SCHEME,
    private readonly writable = false,
  ) {
    super();
    this.registration = vscode.workspace.registerFileSystemProvider(scheme, this, {
      isReadonly:
        !writable &&
        new vscode.MarkdownString(
          vscode.l10n.t('This is what the agent sent. Edit the file itself to change it.'),
        ),
      isCaseSensitive: true,
    });
  }

  /**
   * Keeps `text` and returns its address. The same `id` and `path` give the same address, and a changed
   * text shows in the open editor.
   * @param path decides name and language; a file system path or a made-up `/name.txt`.
   */
  put(id: string, path: string, text: string): vscode.Uri {
    const uri = this.uri(id, path);
    const key = uri.toString();
    const known = this.entries.has(key);
    this.entries.set(key, { bytes: encodeDocument(text), at: Date.now() });
    if (known) this.changes.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    return uri;
  }

  /** The address that `put` gives for these. */
  uri(id: string, path: string): vscode.Uri {
    return vscode.Uri.file(path).with({ scheme: this.scheme, query: id });
  }

  forget(uri: vscode.Uri): void {
    this.entries.delete(uri.toString());
  }

  /** Closes tabs of documents that are gone, as after a reload of the window. */
  async closeStaleTabs(): Promise<void> {
    const stale = vscode.window.tabGroups.all
      .flatMap(group => group.tabs)
      .filter(tab =>
        tabUris(tab).some(uri => uri.scheme === this.scheme && !this.entries.has(uri.toString())),
      );
    if (stale.length === 0) return;
    // What VS Code kept of unsaved text would make closing ask where to save it.
    for (const document of vscode.workspace.textDocuments) {
      if (document.isDirty && document.uri.scheme === this.scheme) await document.save();
    }
    await vscode.window.tabGroups.close(stale, true);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const entry = this.entry(uri);
    const { at } = entry;
    return { type: vscode.FileType.File, ctime: at, mtime: at, size: entry.bytes.length };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    return this.entry(uri).bytes;
  }

  override writeFile(uri: vscode.Uri, bytes: Uint8Array): void {
    if (!this.writable) throw vscode.FileSystemError.NoPermissions(uri);
    const at = this.entries.get(uri.toString())?.at ?? 0;
    this.entries.set(uri.toString(), { bytes, at: Math.max(Date.now(), at + 1) });
  }

  /** The text as it stands now: in the editor when it is open there, else as it was saved last. */
  text(uri: vscode.Uri): string | undefined {
    const key = uri.toString();
    const document = vscode.workspace.textDocuments.find(
      other => !other.isClosed && other.uri.toString() === key,
    );
    const bytes = this.entries.get(key)?.bytes;
    return document?.getText() ?? (bytes && new TextDecoder().decode(bytes));
  }

  dispose(): void {
    this.registration.dispose();
    this.changes.dispose();
    this.entries.clear();
  }

  private entry(uri: vscode.Uri): Entry {
    const entry = this.entries.get(uri.toString());
    if (!entry) throw vscode.FileSystemError.FileNotFound(uri);
    return entry;
  }
}

/** The documents a tab shows, as far as the API says. */
export function tabUris(tab: vscode.Tab): readonly vscode.Uri[] {
  const input: unknown = tab.input;
  if (input instanceof vscode.TabInputTextDiff) return [input.original, input.modified];
  if (input instanceof vscode.TabInputText) return [input.uri];
  return [];
}
