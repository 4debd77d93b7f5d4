import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle';

/** Counts how often the user, or a formatter of the user's, has edited each document. */
export class UserEdits implements Disposable {
  private readonly counts = new Map<string, number>();
  /** What documents become by an edit of Parley's that is under way. */
  private readonly expected = new Map<string, string>();
  private readonly listener = vscode.workspace.onDidChangeTextDocument(event => {
    const { document, reason } = event;
    // A document that is read again from the disk is not dirty, and no undo made it so. The first key is followed by
    // an event of its own that says so.
    if (!document.isDirty && reason === undefined) return;
    const file = document.uri.fsPath;
    if (this.expected.get(file) === document.getText()) return;
    this.counts.set(file, (this.counts.get(file) ?? 0) + 1);
  });

  /** Edits of a file that goes by any of these names. */
  of(names: readonly string[]): number {
    return names.reduce((sum, name) => sum + (this.counts.get(name) ?? 0), 0);
  }

  /** Runs `edit`, which makes the document say `text`. */
  async except<T>({ uri }: vscode.TextDocument, text: string, edit: () => Thenable<T>): Promise<T> {
    this.expected.set(uri.fsPath, text);
    try {
      return await edit();
    } finally {
      this.expected.delete(uri.fsPath);
    }
  }

  dispose(): void {
    this.listener.dispose();
  }
}
