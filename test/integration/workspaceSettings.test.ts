import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../../src/base/event';
import { Settings } from '../../src/vscode/settings/settings';
import { WORKSPACE_RULES } from '../../src/vscode/settings/workspaceRules';
import type { SettingName } from '../../src/vscode/settings/workspaceRules';
import { CASES, type Case } from './settingCases';
import { until } from './support';

const NAMES = Object.keys(WORKSPACE_RULES) as SettingName[];

describe("a workspace's settings", () => {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const file = path.join(folder, '.vscode', 'settings.json');
  const config = () => vscode.workspace.getConfiguration('parley');
  const agreed = new Emitter<void>();
  let isAgreed = false;
  const consent = { isGiven: () => isAgreed, onDidChange: agreed.event };
  const settings = new Settings(consent);
  const granted = new vscode.EventEmitter<void>();
  let isTrusted = false;
  const inRestrictedMode = new Settings(
    { ...consent, isGiven: () => true },
    {
      get isTrusted() {
        return isTrusted;
      },
      onDidGrantWorkspaceTrust: granted.event,
    },
  );

  /** As a repository brings them: in its file. `marker` tells that it was read. */
  const write = async (values: Readonly<Record<string, unknown>>, marker: number) => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ ...values, 'editor.rulers': [marker] }));
    await until(
      () =>
        JSON.stringify(
          vscode.workspace.getConfiguration('editor').inspect('rulers')?.workspaceValue,
        ) === JSON.stringify([marker]),
      [vscode.workspace.onDidChangeConfiguration],
    );
  };
  const setUser = async (value: (one: Case) => unknown) => {
    for (const [name, one] of Object.entries(CASES)) {
      await config().update(name, value(one), vscode.ConfigurationTarget.Global);
    }
  };
  let marker = 100;
  const withWorkspace = (name: SettingName, value: unknown) => {
    marker += 1;
    return write({ [`parley.${name}`]: value }, marker);
  };

  before(() => setUser(({ user }) => user));
  after(async () => {
    settings.dispose();
    inRestrictedMode.dispose();
    granted.dispose();
    rmSync(path.dirname(file), { recursive: true, force: true });
    await setUser(() => undefined);
  });

  it('have a rule each, and all but those for looks are restricted without trust', () => {
    const manifest = vscode.extensions.getExtension('parley.parley-acp')?.packageJSON as {
      readonly contributes: { readonly configuration: { readonly properties: object } };
      readonly capabilities: {
        readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] };
      };
    };
    const keys = (names: readonly SettingName[]) => names.map(name => `parley.${name}`).sort();
    const { properties } = manifest.contributes.configuration;
    assert.deepEqual(Object.keys(properties).sort(), keys(NAMES));
    const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    const protecting = NAMES.filter(name => WORKSPACE_RULES[name] !== 'free');
    assert.deepEqual([...restrictedConfigurations].sort(), keys(protecting));
    assert.deepEqual(Object.keys(CASES).sort(), [...protecting].sort());
  });

  for (const [name, one] of Object.entries(CASES) as [SettingName, Case][]) {
    for (const value of one.lax) {
      it(`cannot set ${name} to ${JSON.stringify(value)}, and that is said`, async () => {
        await withWorkspace(name, value);
        assert.deepEqual(one.read(settings.current), one.user);
        const { problems, asked, workspaceMcpServers } = settings.current;
        if (name === 'mcpServers') assert.deepEqual(workspaceMcpServers, value);
        else if (WORKSPACE_RULES[name] === 'asked') assert.ok(asked);
        else {
          assert.equal(problems.length, 1);
          assert.ok(problems[0]?.includes(`parley.${name} in this workspace is ignored`));
        }
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

  it('do not count without trust, whatever they are, and count from the moment it is granted', async () => {
    for (const [name, one] of Object.entries(CASES) as [SettingName, Case][]) {
      for (const value of [...one.lax, ...one.strict]) {
        await withWorkspace(name, value);
        const { asked, problems, workspaceMcpServers } = inRestrictedMode.current;
        assert.deepEqual(one.read(inRestrictedMode.current), one.user, name);
        assert.deepEqual([asked, problems, workspaceMcpServers], [undefined, [], undefined], name);
      }
    }
    await withWorkspace('limits.lineBytes', 70_000);
    assert.equal(inRestrictedMode.current.lineBytes, 100_000);
    isTrusted = true;
    granted.fire();
    assert.equal(inRestrictedMode.current.lineBytes, 70_000);
  });

  it('can make review.when stricter than the default', async () => {
    await config().update('review.when', undefined, vscode.ConfigurationTarget.Global);
    await withWorkspace('review.when', 'beforeWriting');
    assert.equal(settings.current.reviewWhen, 'beforeWriting');
    assert.deepEqual(settings.current.problems, []);
  });

  it('say how agents start once the user has agreed', async () => {
    await withWorkspace('defaults', { own: { mode: 'bypassPermissions' }, other: { web: true } });
    assert.deepEqual(settings.current.defaults, { own: { mode: 'ask' } });
    let told = 0;
    const listener = settings.onDidChange(() => (told += 1));
    isAgreed = true;
    agreed.fire();
    listener.dispose();
    assert.equal(told, 1);
    const all = { own: { mode: 'bypassPermissions' }, other: { web: true } };
    assert.deepEqual(settings.current.defaults, all);
  });
});
