import * as vscode from 'vscode';
import type { FileContent } from '../../review/model';

/** How long VS Code may take to read a file that it shows, in milliseconds. */
const MAX_READ_MS = 1_000;

/**
 * VS Code shows at once what it still holds of a file, and reads the file again then, which moves the caret.
 * @param content what the file says
 * @returns true when `document` was not that and has become it; false when there was or is nothing to wait for
 */
export async function wasReloaded(
  document: vscode.TextDocument,
  content: FileContent,
): Promise<boolean> {
  const isRead = (): boolean =>
    document.isDirty ||
    content.kind !== 'text' ||
    withLf(document.getText()) === withLf(content.text);
  if (isRead()) return false;
  return new Promise(resolve => {
    const end = (read: boolean): void => {
      clearTimeout(timer);
      listener.dispose();
      resolve(read);
    };
    const timer = setTimeout(() => end(false), MAX_READ_MS);
    const listener = vscode.workspace.onDidChangeTextDocument(event => {
      if (event.document === document && isRead()) end(true);
    });
  });
}

/** A document has line ends of one kind; a file may have several. */
function withLf(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
