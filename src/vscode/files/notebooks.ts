/** Notebooks with unsaved cells. Their file is what a serializer makes of them: no text document has it. */
import * as vscode from 'vscode';

/** The open notebook with unsaved changes that `isIt` says is of a file. */
export function unsavedNotebook(
  isIt: (uri: vscode.Uri) => boolean,
): vscode.NotebookDocument | undefined {
  return vscode.workspace.notebookDocuments.find(
    ({ isDirty, isClosed, uri }) => isDirty && !isClosed && uri.scheme === 'file' && isIt(uri),
  );
}
