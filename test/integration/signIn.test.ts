import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { runInTerminal } from '../../src/vscode/signIn/signInTerminal';
import { temporaryFolder, until } from './support';

describe('the terminal to sign in with', () => {
  const { root, remove } = temporaryFolder();
  const script = (text: string, env: Readonly<Record<string, string>> = {}) => ({
    command: process.execPath,
    args: ['-e', text],
    env: { ELECTRON_RUN_AS_NODE: '1', ...env },
    cwd: root,
  });
  const named = (name: string) => vscode.window.terminals.find(terminal => terminal.name === name);

  /** Of nobody who gives up. */
  const patient = new AbortController().signal;

  after(remove);

  it('runs the command where and with what it was given, and tells that it went well', async () => {
    const write = `require('fs').writeFileSync('seen', [process.env.KEY, process.stdin.isTTY].join())`;
    assert.equal(await runInTerminal('good', script(write, { KEY: 'a b"c' }), patient), 0);
    assert.equal(readFileSync(path.join(root, 'seen'), 'utf8'), 'a b"c,true');
  });

  it('tells the exit code of what failed', async () => {
    assert.equal(await runInTerminal('bad', script('process.exit(3)'), patient), 3);
  });

  it('tells when the user closed it', async () => {
    const ended = runInTerminal('closed', script('setTimeout(() => {}, 60000)'), patient);
    await until(() => named('closed') !== undefined, [vscode.window.onDidOpenTerminal]);
    await named('closed')?.processId;
    named('closed')?.dispose();
    assert.equal(await ended, undefined);
    assert.equal(named('closed'), undefined);
  });

  it('is closed, and its program ended, when the user does not want to wait any more', async () => {
    const abort = new AbortController();
    const ended = runInTerminal('cancelled', script('setTimeout(() => {}, 60000)'), abort.signal);
    await until(() => named('cancelled') !== undefined, [vscode.window.onDidOpenTerminal]);
    const pid = await named('cancelled')?.processId;
    abort.abort();
    assert.equal(await ended, undefined);
    assert.equal(named('cancelled'), undefined);
    assert.ok(pid !== undefined);
  });
});
