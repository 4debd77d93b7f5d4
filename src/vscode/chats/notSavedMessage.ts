import * as vscode from 'vscode';
import { showErrorMessage } from '../messages';

export function showNotSaved(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  void showErrorMessage(
    vscode.l10n.t(
      'Chats cannot be saved: {0}. They are kept until this window closes. Free some disk space, or check the permissions of the folder. Parley will try again.',
      message,
    ),
  );
}
