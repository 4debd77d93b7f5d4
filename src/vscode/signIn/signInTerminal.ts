import * as vscode from 'vscode';
import type { LaunchSpec } from '../../agents/process/agentProcess';

/** Runs `command` in a terminal of the editor, shown and focused; see `SignInPrompts.runInTerminal`. */
export function runInTerminal(
  title: string,
  command: LaunchSpec,
  signal: AbortSignal,
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    let terminal: vscode.Terminal | undefined;
    // Its program goes with it.
    const close = () => terminal?.dispose();
    const listener = vscode.window.onDidCloseTerminal(closed => {
      if (closed !== terminal) return;
      listener.dispose();
      signal.removeEventListener('abort', close);
      resolve(signal.aborted ? undefined : closed.exitStatus?.code);
    });
    try {
      terminal = vscode.window.createTerminal({
        name: title,
        shellPath: command.command,
        shellArgs: [...command.args],
        cwd: command.cwd,
        env: command.env,
        iconPath: new vscode.ThemeIcon('key'),
        isTransient: true,
      });
      terminal.show();
      if (signal.aborted) close();
      else signal.addEventListener('abort', close);
    } catch (error) {
      listener.dispose();
      reject(error instanceof Error ? error : new Error(String(error)));
    }
  });
}
