import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { parseAgents } from '../../src/agents/definitions';
import { ProcessTracker } from '../../src/agents/process/processTracker';
import { AgentSearch } from '../../src/vscode/agents/agentSearch';
import { Logs } from '../../src/vscode/logs';
import { addAgent } from '../../src/vscode/settings/addAgent';
import { ConfiguredAgents } from '../../src/vscode/settings/configuredAgents';
import { DEMO_AGENT } from '../../src/vscode/settings/readSettings';
import { Settings } from '../../src/vscode/settings/settings';
import { logger, temporaryFolder, until } from './support';

describe('agents found on this machine', () => {
  const { root, remove } = temporaryFolder();
  const bin = path.join(root, 'bin');
  const settings = new Settings();
  const logs = new Logs();
  const processes = new ProcessTracker();
  const granted = new vscode.EventEmitter<void>();
  const trust = { isTrusted: true, onDidGrantWorkspaceTrust: granted.event };
  const stored = new Map<string, unknown>();
  const memory = {
    get: (key: string) => stored.get(key),
    update: (key: string, value: unknown) => Promise.resolve(void stored.set(key, value)),
  } as Pick<vscode.Memento, 'get' | 'update'>;
  const config = () => vscode.workspace.getConfiguration('parley');
  const environment = { get: () => Promise.resolve({ PATH: bin }) };
  const disposables: { dispose(): void }[] = [settings, logs, granted];

  const start = () => {
    const search = new AgentSearch({
      trust,
      environment,
      processes,
      memory,
      machine: 'here',
      configured: () => parseAgents(settings.current.agents),
      workspaceFolder: () => undefined,
      now: () => Date.now(),
      logger,
    });
    const agents = new ConfiguredAgents({
      settings,
      logs,
      trust,
      search,
      demoScript: '',
      demoData: os.tmpdir(),
      host: {
        logger,
        processes,
        environment,
        workspaceFolder: () => undefined,
        clientVersion: '0.0.0',
        now: () => Date.now(),
      },
    });
    disposables.push(agents, search);
    return { search, agents, names: () => agents.choices().map(({ name }) => name) };
  };

  before(() => {
    mkdirSync(bin);
    for (const name of ['gemini', 'npx']) {
      const file = path.join(bin, name);
      writeFileSync(file, `#!/bin/sh\necho 1.2.3\n`);
      chmodSync(file, 0o755);
    }
  });
  after(async () => {
    for (const each of disposables) each.dispose();
    await config().update('agents', undefined, vscode.ConfigurationTarget.Global);
    remove();
  });

  it('are choices before the demo, and what npx can run is offered after it', async () => {
    const { agents, names } = start();
    assert.deepEqual(names(), [DEMO_AGENT]);
    await agents.search();
    const [first, second, ...offers] = agents.choices();
    assert.equal(first?.name, 'Gemini CLI');
    assert.equal(first.found, true);
    assert.match(first.detail, /^1\.2\.3 · (signed in · )?.*gemini --acp$/);
    assert.equal(second?.name, DEMO_AGENT);
    assert.ok(offers.length > 5);
    assert.ok(offers.every(({ offer }) => offer !== undefined));
    assert.equal(agents.defaultAgent, DEMO_AGENT);
  });

  it('are remembered for the next window', () => {
    assert.equal(start().names()[0], 'Gemini CLI');
  });

  it('are neither shown nor looked for in an untrusted workspace', async () => {
    trust.isTrusted = false;
    const { agents, names } = start();
    const looked: unknown[] = [];
    disposables.push(agents.onDidChange(() => void looked.push(1)));
    await agents.search();
    assert.deepEqual(names(), [DEMO_AGENT]);
    assert.deepEqual(looked, []);
    trust.isTrusted = true;
    granted.fire();
    assert.equal(names()[0], 'Gemini CLI');
  });

  it('give way to an entry of the settings, which is added beside the others', async () => {
    const { agents, names } = start();
    const changed = (agent: string) =>
      until(() => agent in settings.current.agents, [settings.onDidChange]);
    await addAgent('Mine', { command: path.join(bin, 'gemini'), args: ['--acp'] });
    await changed('Mine');
    await addAgent('Gone', { command: 'parley-no-such-command', args: [] });
    await changed('Gone');
    await agents.search();
    assert.deepEqual(names().slice(0, 3), ['Mine', 'Gone', DEMO_AGENT]);
    assert.deepEqual(
      agents
        .choices()
        .map(({ found }) => found)
        .slice(0, 2),
      [true, false],
    );
  });
});
