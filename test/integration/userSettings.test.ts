import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { editAgents } from '../../src/vscode/settings/editAgents';
import { Settings } from '../../src/vscode/settings/settings';
import { closeAllEditors, until } from './support';

describe("the user's settings", () => {
  const config = () => vscode.workspace.getConfiguration('parley');
  const settings = new Settings();
  const mine = { command: 'mine', args: ['--acp'] };

  const setUser = (value: unknown) =>
    config().update('agents', value, vscode.ConfigurationTarget.Global);

  after(async () => {
    settings.dispose();
    await closeAllEditors();
    await setUser(undefined);
  });

  /** Resolves when the settings file in that folder is before the user. */
  const shown = (folder: 'User' | 'Machine') =>
    until(
      () =>
        vscode.window.activeTextEditor?.document.uri.path.endsWith(`/${folder}/settings.json`) ===
        true,
      [vscode.window.onDidChangeActiveTextEditor],
    );

  it('of this machine and of the remote one both count; Edit Agents opens where they stand', async function () {
    if (vscode.env.remoteName === undefined) this.skip();
    await setUser({ mine, both: mine });
    await until(() => 'mine' in settings.current.agents, [settings.onDidChange]);
    await editAgents();
    await shown('User');
    await vscode.commands.executeCommand('workbench.action.openRemoteSettingsFile');
    await shown('Machine');
    const file = vscode.window.activeTextEditor?.document.uri.fsPath ?? '';
    await closeAllEditors();
    const there = { url: 'ws://there/acp' };
    writeFileSync(file, JSON.stringify({ 'parley.agents': { both: there, there } }));
    await until(() => 'there' in settings.current.agents, [settings.onDidChange]);
    assert.deepEqual(settings.current.agents, { mine, both: there, there });
    await editAgents();
    await shown('Machine');
    await closeAllEditors();
    writeFileSync(file, '{}');
    await until(() => !('there' in settings.current.agents), [settings.onDidChange]);
    assert.deepEqual(settings.current.agents, { mine, both: mine });
  });
});
