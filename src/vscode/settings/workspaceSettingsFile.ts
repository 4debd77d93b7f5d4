import * as vscode from 'vscode';

/** The file with the workspace's settings. */
export function workspaceSettingsFile(): vscode.Uri | undefined {
  const { workspaceFile, workspaceFolders } = vscode.workspace;
  const folder = workspaceFolders?.[0]?.uri;
  return workspaceFile ?? (folder && vscode.Uri.joinPath(folder, '.vscode', 'settings.json'));
}
