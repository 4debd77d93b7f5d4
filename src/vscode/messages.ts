import * as vscode from 'vscode';
import { visibleText } from '../base/visibleText';

/**
 * Messages of VS Code, in which names and texts of agents and workspaces may stand. VS Code makes links of what looks
 * like markdown, also to commands: no message of Parley has one.
 */
type Items<T extends string> = readonly T[] | readonly [vscode.MessageOptions, ...T[]];

export function showInformationMessage<T extends string>(
  message: string,
  ...items: Items<T>
): Thenable<T | undefined> {
  return vscode.window.showInformationMessage(plain(message), ...(items as T[]));
}

export function showWarningMessage<T extends string>(
  message: string,
  ...items: Items<T>
): Thenable<T | undefined> {
  return vscode.window.showWarningMessage(plain(message), ...(items as T[]));
}

export function showErrorMessage<T extends string>(
  message: string,
  ...items: Items<T>
): Thenable<T | undefined> {
  return vscode.window.showErrorMessage(plain(message), ...(items as T[]));
}

/** `message` with nothing in it that VS Code makes a link of, and nothing that cannot be seen. */
export function plain(message: string): string {
  return visibleText(message).replaceAll('](', '] (');
}
