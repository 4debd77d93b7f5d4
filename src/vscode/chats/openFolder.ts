import * as vscode from 'vscode';
import type { OtherFolders } from './otherFolders';

/** Shows a chat of another folder where it belongs: in a window of that. */
export async function openFolder(
  folders: OtherFolders,
  { folderId, chatId }: { readonly folderId: string; readonly chatId: string },
): Promise<void> {
  const uri = await folders.uriOf(folderId);
  if (uri === undefined) return;
  await folders.ask(folderId, chatId);
  const options = { forceNewWindow: true };
  await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.parse(uri), options);
}
