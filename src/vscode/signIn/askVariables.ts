import * as vscode from 'vscode';
import type { SignInMethod } from '../../agents/authMethods';
import type { Env } from '../../agents/environmentVariables';

/** Asks for each variable in an input box; undefined as soon as the user gives up on one. */
export async function askVariables(
  agentName: string,
  method: Extract<SignInMethod, { type: 'env_var' }>,
): Promise<Env | undefined> {
  const values: Record<string, string> = {};
  for (const { name, label, isSecret, isOptional } of method.variables) {
    const value = await vscode.window.showInputBox({
      title: vscode.l10n.t('{0}: {1}', agentName, method.name),
      prompt: isOptional
        ? vscode.l10n.t(
            '{0} (may be left empty). It is kept in the system’s secret storage.',
            label,
          )
        : vscode.l10n.t('{0}. It is kept in the system’s secret storage.', label),
      placeHolder: name,
      password: isSecret,
      ignoreFocusOut: true,
      validateInput: text =>
        text.trim() === '' && !isOptional
          ? vscode.l10n.t('{0} is needed. Press Escape to give up.', name)
          : undefined,
    });
    if (value === undefined) return undefined;
    if (value.trim() !== '') values[name] = value.trim();
  }
  return values;
}
