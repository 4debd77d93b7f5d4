import * as vscode from 'vscode';
import type { SignInMethod } from '../../agents/backends/acp/authMethods';
import type { Env } from '../../agents/process/environmentVariables';

/**
 * Asks for each variable in an input box; undefined as soon as the user gives up on one, or `signal` aborts: it
 * closes the box.
 */
export async function askVariables(
  agentName: string,
  method: Extract<SignInMethod, { type: 'env_var' }>,
  signal: AbortSignal,
): Promise<Env | undefined> {
  const source = new vscode.CancellationTokenSource();
  signal.addEventListener('abort', () => source.cancel());
  const values: Record<string, string> = {};
  for (const { name, label, isSecret, isOptional } of method.variables) {
    const options: vscode.InputBoxOptions = {
      title: vscode.l10n.t('{0}: {1}', agentName, method.name),
      prompt:
        method.keeper !== undefined
          ? vscode.l10n.t('{0}. {1} keeps it with its own sign-in.', label, method.keeper)
          : isOptional
            ? vscode.l10n.t("{0} (optional). It is kept in the system's secret storage.", label)
            : vscode.l10n.t("{0}. It is kept in the system's secret storage.", label),
      placeHolder: name,
      password: isSecret,
      ignoreFocusOut: true,
      validateInput: text =>
        text.trim() === '' && !isOptional
          ? vscode.l10n.t('{0} is required. Press Escape to cancel.', name)
          : undefined,
    };
    const value = await vscode.window.showInputBox(options, source.token);
    if (value === undefined || signal.aborted) return undefined;
    if (value.trim() !== '') values[name] = value.trim();
  }
  return values;
}
