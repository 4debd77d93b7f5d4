/** An agent on a server works on this machine's workspace: the official SDK's server, in a process of its own. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { world } from '../session/world';
import { WIRES } from './remoteServer';
import { serverProcess } from './serverProcess';

const ask = (method: string, params: object = {}) => ({ ask: { method, params } });
const create = (command: string, args: readonly string[]) =>
  ask('terminal/create', { command, args });
const wait = ask('terminal/wait_for_exit', { terminalId: '$LAST' });
const output = ask('terminal/output', { terminalId: '$LAST' });
const release = ask('terminal/release', { terminalId: '$LAST' });

for (const wire of WIRES) {
  describe(`over ${wire}`, () => {
    test('commands run in the workspace here, are read, killed and released', async t => {
      const server = await serverProcess(t, wire);
      const it = await world({}, { url: server.url });
      t.after(() => it.end());
      writeFileSync(path.join(it.cwd, 'here.txt'), 'on this machine');
      const state = await it.run([
        create('cat', ['here.txt']),
        wait,
        output,
        release,
        output,
        create('sh', ['-c', 'echo $$; exec sleep 600']),
        ask('terminal/kill', { terminalId: '$LAST' }),
        wait,
        release,
      ]);
      assert.equal(state.turns.at(-1)?.end?.reason, 'end_turn');
      const told = state.turns
        .flatMap(({ parts }) => parts)
        .flatMap(part => (part.kind === 'text' ? [part.text] : []))
        .join('');
      assert.match(
        told,
        /"exitCode":0.*"output":"on this machine".*[Tt]erminal.*"signal":"SIG(TERM|KILL|HUP)"/s,
      );
      const terminals = Object.values(state.terminals);
      assert.equal(terminals.length, 2);
    });

    test('files are read and written in the workspace here', async t => {
      const server = await serverProcess(t, wire);
      const it = await world({}, { url: server.url });
      t.after(() => it.end());
      const file = path.join(it.cwd, 'made.txt');
      const state = await it.run([
        ask('fs/write_text_file', { path: file, content: 'made elsewhere' }),
        ask('fs/read_text_file', { path: file }),
      ]);
      assert.equal(readFileSync(file, 'utf8'), 'made elsewhere');
      assert.match(JSON.stringify(state.turns.at(-1)?.parts), /made elsewhere/);
    });

    test('a command that runs when the connection is lost ends with it', async t => {
      const server = await serverProcess(t, wire);
      const it = await world({}, { url: server.url });
      t.after(() => it.end());
      it.send([create('sh', ['-c', 'exec sleep 600']), { waitCancel: true }]);
      const running = await it.until(({ terminals }) => Object.keys(terminals).length === 1);
      const [id = ''] = Object.keys(running.terminals);
      await server.kill();
      await it.until(({ terminals }) => terminals[id]?.exit !== undefined);
    });
  });
}
