import * as vscode from 'vscode';
import { gitProcess, type Git } from '../git/gitProcess';

/** Git as the editor runs it. */
export function editorGit(): Git {
  const command = vscode.workspace.getConfiguration('git').get<unknown>('path');
  return gitProcess(typeof command === 'string' && command !== '' ? command : 'git');
}
