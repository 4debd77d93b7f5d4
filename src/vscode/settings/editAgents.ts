import * as vscode from 'vscode';
import { userValues } from './userValue';

/** Opens the settings file where `parley.agents` stands: the remote one only if it is set there. */
export async function editAgents(): Promise<void> {
  const { remote } = userValues(vscode.workspace.getConfiguration('parley').inspect('agents'));
  await vscode.commands.executeCommand(
    remote === undefined
      ? 'workbench.action.openSettingsJson'
      : 'workbench.action.openRemoteSettingsFile',
    { revealSetting: { key: 'parley.agents', edit: true } },
  );
}
