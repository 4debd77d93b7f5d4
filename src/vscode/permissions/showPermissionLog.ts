import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { showInformationMessage } from '../messages';
import type { FilePermissionLog } from './filePermissionLog';

/** Opens the log at its end. */
export async function showPermissionLog(log: FilePermissionLog): Promise<void> {
  await log.flush();
  const info = await stat(log.file).catch(() => undefined);
  if (!info) {
    void showInformationMessage(
      vscode.l10n.t('No request has been answered in this workspace yet.'),
    );
    return;
  }
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(log.file));
  const end = document.lineAt(document.lineCount - 1).range.end;
  const editor = await vscode.window.showTextDocument(document, { preview: true });
  editor.revealRange(new vscode.Range(end, end));
}
