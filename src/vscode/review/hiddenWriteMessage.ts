import * as path from 'node:path';
import * as vscode from 'vscode';
import { showWarningMessage } from '../messages';

/** Says that an agent changed a file on disk under unsaved text: saving that would overwrite what it wrote. */
export async function showHiddenWrite(uri: vscode.Uri): Promise<void> {
  const compare = vscode.l10n.t('Compare');
  const answer = await showWarningMessage(
    vscode.l10n.t(
      'The agent has changed {0} on disk, where you have edits that are not saved. Saving keeps yours, “File: Revert File” takes the agent’s.',
      path.basename(uri.fsPath),
    ),
    compare,
  );
  if (answer !== compare) return;
  await vscode.window.showTextDocument(uri);
  await vscode.commands.executeCommand('workbench.files.action.compareWithSaved');
}
