import * as vscode from 'vscode';

/** Parley's icon on an editor tab, which VS Code does not color. */
export function tabIcon(extensionUri: vscode.Uri): { light: vscode.Uri; dark: vscode.Uri } {
  const media = (name: string) => vscode.Uri.joinPath(extensionUri, 'media', name);
  return { light: media('parley.svg'), dark: media('parleyOnDark.svg') };
}
