import * as path from 'node:path';
import * as vscode from 'vscode';
import { showWarningMessage } from '../messages';

/** Says that an agent changed a file on disk under unsaved text: saving that would overwrite what it wrote. */
export async function showHiddenWrite(uri: vscode.Uri): Promise<void> {
  const compare = vscode.l10n.t('Compare');
  const isNotebook = vscode.workspace.notebookDocuments.some(
    notebook => notebook.uri.toString() === uri.toString(),
  );
  const answer = await showWarningMessage(
    vscode.l10n.t(
      'The agent changed {0} on disk while you have unsaved edits. Save to keep yours, or use "File: Revert File" to take the agent\'s.',
      path.basename(uri.fsPath),
    ),
    // The command is one of text editors.
    ...(isNotebook ? [] : [compare]),
  );
  if (answer !== compare) return;
  await vscode.window.showTextDocument(uri);
  await vscode.commands.executeCommand('workbench.files.action.compareWithSaved');
}
