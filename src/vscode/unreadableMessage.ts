import * as path from 'node:path';
import * as vscode from 'vscode';
import { showWarningMessage } from './messages';

/** Says what could not be read of what an earlier window stored, and opens where it is. */
export async function showUnreadable(
  places: readonly string[],
  what: 'chats' | 'changes',
): Promise<void> {
  const [first = ''] = places;
  const open = vscode.l10n.t('Open File');
  const message =
    what === 'changes'
      ? vscode.l10n.t(
          'The pending changes of the last window could not be read. Your files are as they are; the list was kept in {0}.',
          path.basename(first),
        )
      : places.length === 1
        ? vscode.l10n.t(
            'A stored chat could not be read completely. It was kept in {0}.',
            path.basename(first),
          )
        : vscode.l10n.t(
            '{0} stored chats could not be read completely. They were kept, the first in {1}.',
            places.length,
            path.basename(first),
          );
  if ((await showWarningMessage(message, open)) !== open) return;
  await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(first));
}
