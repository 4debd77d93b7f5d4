import * as vscode from 'vscode';

/**
 * Messages of VS Code, in which names and texts of agents and workspaces may stand. VS Code makes links of what looks
 * like markdown, also to commands: no message of Parley has one.
 */
type Items<T extends string> = readonly T[] | readonly [vscode.MessageOptions, ...T[]];

export async function showInformationMessage<T extends string>(
  message: string,
  ...items: Items<T>
): Promise<T | undefined> {
  return vscode.window.showInformationMessage(await plain(message), ...(items as T[]));
}

export async function showWarningMessage<T extends string>(
  message: string,
  ...items: Items<T>
): Promise<T | undefined> {
  return vscode.window.showWarningMessage(await plain(message), ...(items as T[]));
}

export async function showErrorMessage<T extends string>(
  message: string,
  ...items: Items<T>
): Promise<T | undefined> {
  return vscode.window.showErrorMessage(await plain(message), ...(items as T[]));
}

/** `message` with nothing in it that VS Code makes a link of, and nothing that cannot be seen. */
async function plain(message: string): Promise<string> {
  const { visibleText } = await import('../base/visibleText');
  return visibleText(message).replaceAll('](', '] (');
}
