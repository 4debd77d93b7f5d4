import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { ProcessTracker } from '../../src/agents/process/processTracker';
import { ConfiguredAgents } from '../../src/vscode/settings/configuredAgents';
import { Logs } from '../../src/vscode/logs';
import { Settings } from '../../src/vscode/settings/settings';
import { remoteServer, type RemoteServer } from '../unit/agents/remoteServer';
import { Chat, prompt } from '../unit/agents/support';
import { logger, until } from './support';

describe('an agent with a url in parley.agents', () => {
  const config = () => vscode.workspace.getConfiguration('parley');
  const settings = new Settings();
  const logs = new Logs();
  let server: RemoteServer;
  let agents: ConfiguredAgents;

  before(async () => {
    server = await remoteServer();
    agents = new ConfiguredAgents({
      settings,
      logs,
      trust: vscode.workspace,
      demoScript: '',
      demoData: path.join(os.tmpdir(), 'parley-demo-data'),
      host: {
        logger,
        processes: new ProcessTracker(),
        environment: { get: () => Promise.resolve({ REMOTE_KEY: 'remote-key-1' }) },
        workspaceFolder: () => undefined,
        clientVersion: '0.0.0',
        now: () => Date.now(),
      },
    });
    const headers = { Authorization: 'Bearer ${env:REMOTE_KEY}', 'X-Own': 'written-here' };
    const entry = { remote: { url: server.url, headers } };
    await config().update('agents', entry, vscode.ConfigurationTarget.Global);
    await until(() => 'remote' in settings.current.agents, [settings.onDidChange]);
  });
  after(async () => {
    await agents.stopAll();
    agents.dispose();
    settings.dispose();
    logs.dispose();
    await server.close();
    await config().update('agents', undefined, vscode.ConfigurationTarget.Global);
  });

  it('is offered with its address', () => {
    const choice = agents.choices().find(({ name }) => name === 'remote');
    assert.deepEqual(choice, { name: 'remote', builtIn: false, detail: server.url });
  });

  it('answers a prompt, and the logs hide what its headers say', async () => {
    const link = await agents.agent('remote').connect();
    const { chat, sessionId } = await Chat.open(link);
    await link.prompt(prompt(sessionId, 'hello there'));
    assert.equal(chat.text, 'hello there');
    assert.equal(server.requests[0]?.headers.authorization, 'Bearer remote-key-1');
    assert.equal(logs.masker.mask('remote-key-1, written-here'), '•••, •••');
  });
});
