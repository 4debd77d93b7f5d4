import * as vscode from 'vscode';

/**
 * Documents that Parley makes, served as files: without folders, and read-only unless a subclass takes
 * writes. A file system rather than a content provider, because then the editor treats them as files:
 * language by path, read-only mark, and tabs that come back after a reload of the window.
 */
export abstract class DocumentFileSystem implements vscode.FileSystemProvider {
  protected readonly changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changes.event;

  abstract stat(uri: vscode.Uri): vscode.FileStat | Promise<vscode.FileStat>;

  abstract readFile(uri: vscode.Uri): Uint8Array | Promise<Uint8Array>;

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  /** A save in the editor. */
  writeFile(uri: vscode.Uri, _bytes: Uint8Array): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
}

/** With a mark where it counts: VS Code then reads it as UTF-8 whatever `files.encoding` says. */
export function encodeDocument(text: string): Uint8Array {
  return new TextEncoder().encode(/[^\0-\x7f]/.test(text) ? `\uFEFF${text}` : text);
}
