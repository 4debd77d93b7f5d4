import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { ProcessTracker } from '../../src/agents/process/processTracker';
import { AgentError } from '../../src/session/ports';
import { ConfiguredAgents } from '../../src/vscode/settings/configuredAgents';
import { Logs } from '../../src/vscode/logs';
import { DEMO_AGENT } from '../../src/vscode/settings/readSettings';
import { Settings } from '../../src/vscode/settings/settings';
import { remoteServer, type RemoteServer } from '../unit/agents/remoteServer';
import { logger } from './support';

describe('trust', () => {
  const granted = new vscode.EventEmitter<void>();
  let isTrusted = false;
  const settings = new Settings();
  const logs = new Logs();
  const config = () => vscode.workspace.getConfiguration('parley');
  const extension = vscode.extensions.getExtension('parley.parley-acp');
  assert.ok(extension);
  const processes = new ProcessTracker();
  let agents: ConfiguredAgents;
  let server: RemoteServer;

  before(async () => {
    server = await remoteServer();
    const entry = {
      own: { command: 'parley-no-such-command' },
      elsewhere: { url: server.url },
    };
    await config().update('agents', entry, vscode.ConfigurationTarget.Global);
    await config().update('defaultAgent', 'own', vscode.ConfigurationTarget.Global);
    agents = new ConfiguredAgents({
      settings,
      logs,
      trust: {
        get isTrusted() {
          return isTrusted;
        },
        onDidGrantWorkspaceTrust: granted.event,
      },
      demoScript: path.join(extension.extensionPath, 'dist', 'demoAgent.js'),
      demoData: path.join(os.tmpdir(), 'parley-demo-data'),
      host: {
        logger,
        processes,
        environment: { get: () => Promise.resolve({ PATH: '' }) },
        workspaceFolder: () => undefined,
        clientVersion: '0.0.0',
        now: () => Date.now(),
      },
    });
  });
  after(async () => {
    await agents.stopAll();
    agents.dispose();
    settings.dispose();
    logs.dispose();
    processes.killAllNow();
    await server.close();
    await config().update('agents', undefined, vscode.ConfigurationTarget.Global);
    await config().update('defaultAgent', undefined, vscode.ConfigurationTarget.Global);
  });

  const failure = async (name: string) => {
    const error: unknown = await agents
      .agent(name)
      .connect()
      .then(undefined, (e: unknown) => e);
    assert.ok(error instanceof AgentError, String(error));
    return error.problem;
  };

  it('lets an untrusted workspace use the demo agent and no other', async () => {
    assert.deepEqual(
      agents.choices().map(({ name }) => name),
      [DEMO_AGENT],
    );
    assert.equal(agents.defaultAgent, DEMO_AGENT);
    const problem = await failure('own');
    assert.equal(problem.title, 'This workspace is not trusted');
    const link = await agents.agent(DEMO_AGENT).connect();
    assert.equal(link.initialized.protocolVersion, 1);
  });

  it('connects to no server from an untrusted workspace', async () => {
    assert.equal((await failure('elsewhere')).title, 'This workspace is not trusted');
    assert.equal(server.connections, 0);
  });

  it('offers the configured agents once trust is granted', async () => {
    isTrusted = true;
    granted.fire();
    assert.deepEqual(
      agents.choices().map(({ name }) => name),
      ['own', 'elsewhere', DEMO_AGENT],
    );
    assert.equal(agents.defaultAgent, 'own');
    // The same agent object, as a chat holds it, now goes by the setting.
    assert.equal((await failure('own')).kind, 'commandNotFound');
    await agents.agent('elsewhere').connect();
    assert.equal(server.connections, 1);
  });
});
