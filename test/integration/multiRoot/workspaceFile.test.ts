import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../../../src/base/event';
import { Settings } from '../../../src/vscode/settings/settings';
import { WORKSPACE_RULES, type SettingName } from '../../../src/vscode/settings/workspaceRules';
import { workspaceRoots } from '../agentAtWork';
import { CASES, type Case } from '../settingCases';
import { until } from '../support';

describe("a workspace file's settings", () => {
  const file = vscode.workspace.workspaceFile?.fsPath ?? '';
  const written = readFileSync(file, 'utf8');
  const [folder = ''] = workspaceRoots();
  const ofFolder = path.join(folder, '.vscode', 'settings.json');
  const agreed = new Emitter<void>();
  const settings = new Settings({ isGiven: () => false, onDidChange: agreed.event });
  const rulers = () => vscode.workspace.getConfiguration('editor').inspect('rulers');
  let marker = 100;

  /** As a repository brings them, and the same in the settings of a folder. */
  const withWorkspace = async (name: SettingName, value: unknown) => {
    marker += 1;
    const values = { [`parley.${name}`]: value, 'editor.rulers': [marker] };
    mkdirSync(path.dirname(ofFolder), { recursive: true });
    writeFileSync(ofFolder, JSON.stringify(values));
    writeFileSync(file, JSON.stringify({ ...JSON.parse(written), settings: values }));
    await until(
      () => JSON.stringify(rulers()?.workspaceValue) === JSON.stringify([marker]),
      [vscode.workspace.onDidChangeConfiguration],
    );
  };
  const setUser = async (value: (one: Case) => unknown) => {
    const config = vscode.workspace.getConfiguration('parley');
    for (const [name, one] of Object.entries(CASES)) {
      await config.update(name, value(one), vscode.ConfigurationTarget.Global);
    }
  };

  before(() => setUser(({ user }) => user));
  after(async () => {
    settings.dispose();
    writeFileSync(file, written);
    rmSync(path.dirname(ofFolder), { recursive: true, force: true });
    await setUser(() => undefined);
  });

  for (const [name, one] of Object.entries(CASES) as [SettingName, Case][]) {
    for (const value of one.lax) {
      it(`cannot set ${name} to ${JSON.stringify(value)}`, async () => {
        await withWorkspace(name, value);
        assert.deepEqual(one.read(settings.current), one.user);
        const { problems, asked, workspaceMcpServers } = settings.current;
        if (name === 'mcpServers') assert.deepEqual(workspaceMcpServers, value);
        else if (WORKSPACE_RULES[name] === 'asked') assert.ok(asked);
        else assert.equal(problems.length, 1);
      });
    }
    for (const value of one.strict) {
      it(`can make ${name} stricter: ${JSON.stringify(value)}`, async () => {
        await withWorkspace(name, value);
        assert.deepEqual(one.read(settings.current), value);
        assert.deepEqual(settings.current.problems, []);
      });
    }
  }
});
