/** A server that an agent left running is the user's to end or to leave; all else ends with the agent. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { test, type TestContext } from 'node:test';
import type { LeftServer } from '../../../src/agents/process/leftServers';
import { ProcessTracker } from '../../../src/agents/process/processTracker';
import { nullLogger } from '../../../src/base/logger';
import { ProcessTerminals } from '../../../src/terminals/processTerminals';
import { eventually } from '../../workbench/eventually';
import { isListening } from '../../workbench/isListening';
import { runningHost } from './builtHost';
import {
  assertGone,
  Chat,
  killAllWith,
  marked,
  problemOf,
  processesWith,
  prompt,
  rig,
} from './support';

/** Which process listens is known on Linux alone. */
const LINUX = { skip: process.platform !== 'linux', timeout: 60_000 };

/** An agent that has done what `text` says, and what is told of it. */
async function leaving(t: TestContext, text: string) {
  const r = rig(t, 'leavesServers');
  const told: LeftServer[] = [];
  r.processes.onDidLeave(servers => void told.push(...servers));
  const lease = r.host.lease();
  const link = await r.host.connect();
  const { chat, sessionId } = await Chat.open(link);
  const asked = link.prompt(prompt(sessionId, text));
  return { ...r, told, lease, chat, asked };
}

for (const text of ['own session', "the agent's group"]) {
  for (const answer of ['end', 'leave', 'nothing'] as const) {
    test(`a server in ${text} is told of, and then: ${answer}`, LINUX, async t => {
      const { host, told, lease, chat, asked, processes, running } = await leaving(t, text);
      await asked;
      const port = Number(chat.text);
      if (answer === 'end') await host.stop();
      else lease.dispose();
      await eventually('all else is gone', () => running().length === 1);
      await host.stop();
      assert.deepEqual(
        told.map(({ ports }) => ports),
        [[port]],
      );
      assert.match(told[0]?.command ?? '', /createServer/);
      assert.ok(await isListening(port));
      if (answer === 'end') processes.endServers(told);
      if (answer === 'leave') processes.keepServers(told);
      if (answer !== 'end') processes.killAllNow();
      if (answer === 'leave') {
        assert.ok(await isListening(port), 'it outlives the window');
        for (const pid of running()) process.kill(pid, 'SIGKILL');
      }
      await eventually('it is gone', () => running().length === 0);
    });
  }
}

test(
  'an agent that crashes takes its servers with it: nobody can tell any more whose they were',
  LINUX,
  async t => {
    const { host, told, asked, running } = await leaving(t, 'crash');
    await problemOf(asked);
    await host.stop();
    assert.deepEqual(running(), []);
    assert.deepEqual(told, []);
  },
);

test('the window closes: servers end with it, and nobody is asked', LINUX, async t => {
  const { told, asked, processes, running } = await leaving(t, 'own session');
  await asked;
  processes.killAllNow();
  await eventually('nothing is left', () => running().length === 0);
  assert.deepEqual(told, []);
});

for (const [what, line, isTold] of [
  ['one that it left', '"$NODE" -e "$SERVE" & sleep 0', true],
  ['one in a session of its own', 'setsid "$NODE" -e "$SERVE" & sleep 0', true],
  ['itself', 'exec "$NODE" -e "$SERVE"', false],
  ['its child', '"$NODE" -e "$SERVE" & wait', false],
] as const) {
  test(
    `the server of a command is ${what}: it is ${isTold ? 'told of' : 'ended'}`,
    LINUX,
    async t => {
      const processes = new ProcessTracker();
      const id = randomUUID();
      t.after(() => {
        processes.killAllNow();
        killAllWith(id);
      });
      const told: LeftServer[] = [];
      processes.onDidLeave(servers => void told.push(...servers));
      const environment = { get: () => Promise.resolve({ PATH: process.env['PATH'] ?? '' }) };
      const terminals = new ProcessTerminals({ logger: nullLogger, processes, environment });
      const SERVE =
        "require('net').createServer().listen(0, function () { console.log('on ' + this.address().port) })";
      const terminal = await terminals.create({
        command: '/bin/sh',
        args: ['-c', line],
        cwd: tmpdir(),
        env: { ...marked(id), NODE: process.execPath, SERVE },
      });
      const port = () => Number(/on (\d+)/.exec(terminal.snapshot().output)?.[1]);
      await eventually('it listens', () => port() > 0);
      if (isTold) await terminal.exited;
      await terminal.kill();
      if (!isTold) return assertGone(id);
      assert.deepEqual(
        told.map(({ ports }) => ports),
        [[port()]],
      );
      processes.endServers(told);
      await eventually('it is gone', () => processesWith(id).length === 0);
    },
  );
}

for (const answer of ['ask', 'keep'] as const) {
  test(
    `when the extension host is killed, a server lives on only if it was left: ${answer}`,
    LINUX,
    async t => {
      const id = randomUUID();
      t.after(() => killAllWith(id));
      const host = await runningHost(id, 'leavesServers', 'leave', answer);
      // The host, the second agent with its child, its server and its deaf daemon, and the server of the first.
      assert.equal(processesWith(id).length, 6);
      host.kill('SIGKILL');
      await once(host, 'exit');
      // The daemon ends last.
      const left = answer === 'keep' ? 1 : 0;
      await eventually('all else is gone', () => processesWith(id).length === left);
    },
  );
}
