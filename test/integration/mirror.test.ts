import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ProcessTracker } from '../../src/agents/process/processTracker';
import type { TerminalProcess } from '../../src/session/ports';
import { findNodePty } from '../../src/terminals/nodePty';
import { ProcessTerminals } from '../../src/terminals/processTerminals';
import { PseudoterminalMirror } from '../../src/vscode/terminals/pseudoterminalMirror';
import { logger, temporaryFolder, until } from './support';

const { root, remove } = temporaryFolder();
const processes = new ProcessTracker();
const mirror = new PseudoterminalMirror();
const environment = { get: () => Promise.resolve({ PATH: process.env['PATH'] ?? '' }) };

after(() => {
  mirror.dispose();
  processes.killAllNow();
  remove();
});

/** The tab of that name, once it is in front: VS Code has opened it then. */
async function shown(name: string): Promise<vscode.Terminal> {
  const tab = vscode.window.terminals.find(other => other.name === name);
  assert.ok(tab);
  await until(
    () => vscode.window.activeTerminal === tab,
    [vscode.window.onDidChangeActiveTerminal],
  );
  return tab;
}

describe('the mirror of commands on pipes', () => {
  const terminals = new ProcessTerminals({ logger, processes, environment });
  const run = (script: string): Promise<TerminalProcess> =>
    terminals.create({ command: process.execPath, args: ['-e', script], env: {}, cwd: root });
  const tabs = () => vscode.window.terminals.filter(({ name }) => name.startsWith('mirror'));

  it('opens a tab only when asked, and the same one again', async () => {
    const command = await run('console.log("hello"); setTimeout(() => {}, 60000)');
    const attached = mirror.attach('t1', 'mirror one', command);
    assert.equal(tabs().length, 0);
    mirror.reveal('t1');
    mirror.reveal('t1');
    assert.equal(tabs().length, 1);
    await command.kill();
    attached.dispose();
  });

  it('does not end the command when its tab is closed, and opens it again', async () => {
    const command = await run('process.stdin.resume(); setTimeout(() => {}, 60000)');
    mirror.attach('t2', 'mirror two', command);
    mirror.reveal('t2');
    const tab = await shown('mirror two');
    tab.dispose();
    await until(() => !vscode.window.terminals.includes(tab), [vscode.window.onDidCloseTerminal]);
    assert.equal(command.snapshot().exit, undefined);
    mirror.reveal('t2');
    assert.ok(vscode.window.terminals.some(other => other.name === 'mirror two'));
    await command.kill();
  });

  it('ends the command at Ctrl+C', async () => {
    const command = await run('setTimeout(() => {}, 60000)');
    mirror.attach('t3', 'mirror three', command);
    mirror.reveal('t3');
    const tab = await shown('mirror three');
    tab.sendText('\x03', false);
    const exit = await command.exited;
    assert.ok(exit.signal !== null || exit.exitCode !== 0);
  });
});

describe("commands in a pseudo-terminal of VS Code's own node-pty", () => {
  const findPty = () => findNodePty(vscode.env.appRoot);
  const terminals = new ProcessTerminals({ logger, processes, environment, findPty });
  const run = (script: string): Promise<TerminalProcess> =>
    terminals.create({ command: process.execPath, args: ['-e', script], env: {}, cwd: root });

  before(async function () {
    const found = await findPty();
    if (process.platform === 'win32') this.skip();
    assert.equal(found.kind, 'found', found.kind === 'none' ? found.reason : '');
  });

  /** Resolves when the text for the agent has it. */
  async function said(command: TerminalProcess, text: string): Promise<void> {
    await until(() => command.snapshot().output.includes(text), [command.onOutput]);
  }

  it('are the same process in a tab: what is typed reaches it, closing the tab does not end it', async () => {
    const command = await run(
      `process.stdout.write('name? '); process.stdin.on('data', name => console.log('hello ' + name))`,
    );
    const attached = mirror.attach('p1', 'pty one', command);
    await said(command, 'name?');
    mirror.reveal('p1');
    const tab = await shown('pty one');
    tab.sendText('one');
    await said(command, 'hello one');
    tab.dispose();
    await until(() => !vscode.window.terminals.includes(tab), [vscode.window.onDidCloseTerminal]);
    mirror.reveal('p1');
    (await shown('pty one')).sendText('two');
    await said(command, 'hello two');
    assert.equal(command.snapshot().exit, undefined);
    attached.dispose();
    await command.kill();
  });

  it('have the size of the tab', async () => {
    const command = await run(
      `const tell = () => console.log('columns ' + process.stdout.columns);
      process.stdout.on('resize', tell); tell(); setInterval(() => {}, 60000);`,
    );
    mirror.attach('p2', 'pty two', command);
    await said(command, 'columns 120\n');
    mirror.reveal('p2');
    await shown('pty two');
    await until(() => /columns (?!120\n)\d+\n/.test(command.snapshot().output), [command.onOutput]);
    await command.kill();
  });

  it('get Ctrl+C as it is typed', async () => {
    const command = await run(
      `process.on('SIGINT', () => { console.log('caught'); process.exit(7); }); console.log('ready'); setInterval(() => {}, 60000);`,
    );
    mirror.attach('p3', 'pty three', command);
    await said(command, 'ready');
    mirror.reveal('p3');
    (await shown('pty three')).sendText('\x03', false);
    assert.deepEqual(await command.exited, { exitCode: 7, signal: null });
    assert.match(command.snapshot().output, /caught/);
  });
});
