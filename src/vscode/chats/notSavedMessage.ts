import * as vscode from 'vscode';
import { showErrorMessage } from '../messages';

export function showNotSaved(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  void showErrorMessage(
    vscode.l10n.t(
      'Chats cannot be saved: {0}. They stay until this window closes. Make room on the disk, or check who may write to the folder; Parley tries again.',
      message,
    ),
  );
}
