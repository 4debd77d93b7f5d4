import * as vscode from 'vscode';

/** True when the tab in front is a chat. What is opened then goes beside it, so that the chat stays in sight. */
export function chatTabIsActive(): boolean {
  const input: unknown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputWebview && input.viewType.endsWith('parley.chatEditor');
}
