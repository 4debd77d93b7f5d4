import * as vscode from 'vscode';

/** VS Code's own page, where the user trusts the workspace or does not. */
export async function manageTrust(): Promise<void> {
  await vscode.commands.executeCommand('workbench.trust.manage');
}
