import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ProcessTracker } from '../../src/agents/process/processTracker';
import type { TerminalProcess } from '../../src/session/ports';
import { ProcessTerminals } from '../../src/terminals/processTerminals';
import { PseudoterminalMirror } from '../../src/vscode/terminals/pseudoterminalMirror';
import { logger, temporaryFolder, until } from './support';

describe('the mirror of commands', () => {
  const { root, remove } = temporaryFolder();
  const processes = new ProcessTracker();
  const terminals = new ProcessTerminals({
    logger,
    processes,
    environment: {
      get: () => Promise.resolve({ PATH: process.env['PATH'] ?? '' }),
    },
  });
  const mirror = new PseudoterminalMirror();
  const run = (script: string): Promise<TerminalProcess> =>
    terminals.create({ command: process.execPath, args: ['-e', script], env: {}, cwd: root });
  const tabs = () => vscode.window.terminals.filter(({ name }) => name.startsWith('mirror'));

  after(() => {
    mirror.dispose();
    processes.killAllNow();
    remove();
  });

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
    const tab = vscode.window.terminals.find(({ name }) => name === 'mirror two');
    assert.ok(tab);
    await until(
      () => vscode.window.activeTerminal === tab,
      [vscode.window.onDidChangeActiveTerminal],
    );
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
    const tab = vscode.window.terminals.find(({ name }) => name === 'mirror three');
    assert.ok(tab);
    await until(
      () => vscode.window.activeTerminal === tab,
      [vscode.window.onDidChangeActiveTerminal],
    );
    tab.sendText('\x03', false);
    const exit = await command.exited;
    assert.ok(exit.signal !== null || exit.exitCode !== 0);
  });
});
