import * as vscode from 'vscode';
import type { FolderRecord } from './otherFolders';

/**
 * Where this window's chats are. Undefined where no folder is open: such chats are in every window that has none.
 * @param chats absolute path of the folder in which they are kept
 */
export function ownFolder(chats: string): FolderRecord | undefined {
  const { name, workspaceFile, workspaceFolders } = vscode.workspace;
  const uri = workspaceFile ?? workspaceFolders?.[0]?.uri;
  if (!uri || uri.scheme === 'untitled') return undefined;
  return { uri: uri.toString(), name: name ?? '', chats };
}
