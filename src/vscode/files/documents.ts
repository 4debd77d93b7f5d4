import * as path from 'node:path';
import * as vscode from 'vscode';
import type { EditorUris } from '../review/diff/editorUris';

/** The open document among those that `isIt` says are of a file; one with unsaved text goes before others. */
export function openDocument(isIt: (uri: vscode.Uri) => boolean): vscode.TextDocument | undefined {
  const open = vscode.workspace.textDocuments.filter(
    ({ isClosed, uri }) => !isClosed && uri.scheme === 'file' && isIt(uri),
  );
  return open.find(({ isDirty }) => isDirty) ?? open[0];
}

/** The encoding that a file has where it is not open. */
export function usualEncoding(uri: vscode.Uri): string {
  return vscode.workspace.getConfiguration('files', uri).get('encoding', 'utf8');
}

export function eolOf({ eol }: vscode.TextDocument): '\n' | '\r\n' {
  return eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
}

/** Files by their resolved paths, and the documents that are open of them, perhaps through a link. */
export class DocumentPaths {
  /** Of open documents, by address: the same one may be asked about with every key. */
  private readonly paths = new Map<string, string>();

  constructor(private readonly uris: EditorUris) {}

  of(uri: vscode.Uri): string {
    const key = uri.toString();
    const known = this.paths.get(key);
    if (known !== undefined) return known;
    const file = this.uris.path(uri);
    this.paths.set(key, file);
    return file;
  }

  /** Where the editor says a file is: links are followed, but not when it is one itself. */
  place(uri: vscode.Uri): string {
    const folder = this.uris.path(vscode.Uri.file(path.dirname(uri.fsPath)));
    return path.join(folder, path.basename(uri.fsPath));
  }

  document(file: string): vscode.TextDocument | undefined {
    return openDocument(uri => this.of(uri) === file);
  }

  closed(uri: vscode.Uri): void {
    this.paths.delete(uri.toString());
  }

  /** Folders may have moved. */
  forget(): void {
    this.paths.clear();
  }
}
