import * as vscode from 'vscode';

export const FOLLOW_SETTING = 'parley.followAgent';

export function isFollowOn(): boolean {
  return vscode.workspace.getConfiguration().get(FOLLOW_SETTING) === true;
}
