import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { eventually } from '../../workbench/eventually';
import { workspaceRoots } from '../agentAtWork';
import { temporaryFolder } from '../support';

const AGENT = 'New session fixture';
const OWN = { mine: { command: '${workspaceFolder}/mine' } };

describe('a new session in a workspace of several folders', () => {
  const [first = '', ...others] = workspaceRoots();
  const { root, remove } = temporaryFolder();
  const seen = path.join(root, 'new-session.json');
  const inFolder = path.join(first, '.vscode', 'mcp.json');
  const workspaceFile = vscode.workspace.workspaceFile?.fsPath ?? '';
  const written = readFileSync(workspaceFile, 'utf8');
  const settings = vscode.workspace.getConfiguration('parley');

  before(async () => {
    const fixture = path.join('test', 'agents', 'tellsNewSession.mjs');
    const extension = vscode.extensions.getExtension('parley.parley-acp');
    const args = [path.join(extension?.extensionPath ?? '', fixture), seen];
    await settings.update(
      'agents',
      { [AGENT]: { command: 'node', args } },
      vscode.ConfigurationTarget.Global,
    );
    await settings.update('defaultAgent', AGENT, vscode.ConfigurationTarget.Global);
    await settings.update('mcpServers', OWN, vscode.ConfigurationTarget.Global);
    const servers = (name: string, command: string) => ({ servers: { [name]: { command } } });
    const mcp = servers('of the workspace', '${workspaceFolder}/one');
    writeFileSync(workspaceFile, JSON.stringify({ ...JSON.parse(written), settings: { mcp } }));
    mkdirSync(path.dirname(inFolder), { recursive: true });
    writeFileSync(inFolder, JSON.stringify(servers('of a folder', '${workspaceFolder}/two')));
  });

  after(async () => {
    await settings.update('agents', undefined, vscode.ConfigurationTarget.Global);
    await settings.update('defaultAgent', undefined, vscode.ConfigurationTarget.Global);
    await settings.update('mcpServers', undefined, vscode.ConfigurationTarget.Global);
    writeFileSync(workspaceFile, written);
    rmSync(path.dirname(inFolder), { recursive: true });
    remove();
  });

  // No dialog can be answered here, so what must be asked about is not used.
  it("is told all folders and the user's MCP servers, and none that nobody has agreed to", async () => {
    await vscode.commands.executeCommand('parley.newChat');
    // What a server needs of the network (`env`) is the machine's.
    const without = (key: string, value: unknown) => (key === 'env' ? undefined : value);
    const told = await eventually('the agent is asked for a session', () =>
      existsSync(seen) ? (JSON.parse(readFileSync(seen, 'utf8'), without) as unknown) : undefined,
    );
    assert.deepEqual(told, {
      cwd: first,
      additionalDirectories: others,
      mcpServers: [{ name: 'mine', command: `${first}/mine`, args: [] }],
    });
  });
});
