/** What an agent started is gone with it, also what has left it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { ProcessTracker } from '../../../src/agents/process/processTracker';
import { nullLogger } from '../../../src/base/logger';
import { ProcessTerminals } from '../../../src/terminals/processTerminals';
import { eventually } from '../../workbench/eventually';
import {
  assertGone,
  browserIn,
  Chat,
  killAllWith,
  marked,
  problemOf,
  processesWith,
  prompt,
  rig,
  type Rig,
} from './support';

/** Environments of other processes are read on Linux alone. */
const LINUX = { skip: process.platform !== 'linux', timeout: 60_000 };

const ENDS: Readonly<
  Record<string, (rig: Rig, lease: { dispose(): void }) => Promise<void> | void>
> = {
  'the agent is stopped': ({ host }) => host.stop(),
  'the last chat is closed': (_, lease) => lease.dispose(),
  'the window closes': ({ processes }) => processes.killAllNow(),
};

for (const [what, end] of Object.entries(ENDS)) {
  test(`${what}: nothing is left of what left the agent`, LINUX, async t => {
    const r = rig(t, 'leavesDaemons');
    const lease = r.host.lease();
    const link = await r.host.connect();
    const { sessionId } = await Chat.open(link);
    await link.prompt(prompt(sessionId, 'leave'));
    assert.equal(r.running().length, 3);
    await end(r, lease);
    await r.host.stop();
    assert.deepEqual(r.running(), []);
  });
}

test('the user goes on with another agent: nothing is left of the first', LINUX, async t => {
  const [first, second] = [rig(t, 'leavesDaemons'), rig(t, 'leavesDaemons')];
  const lease = first.host.lease();
  for (const { host } of [first, second]) {
    const link = await host.connect();
    const { sessionId } = await Chat.open(link);
    await link.prompt(prompt(sessionId, 'leave'));
  }
  lease.dispose();
  await eventually('nothing is left of it', () => first.running().length === 0);
  assert.equal(second.running().length, 3);
});

test('the agent crashes: nothing is left of what left it', LINUX, async t => {
  const r = rig(t, 'leavesDaemons');
  const link = await r.host.connect();
  const { sessionId } = await Chat.open(link);
  await problemOf(link.prompt(prompt(sessionId, 'crash')));
  await r.host.stop();
  assert.deepEqual(r.running(), []);
});

test(
  'a command is closed: nothing is left of what left it, also when it has ended',
  LINUX,
  async t => {
    const processes = new ProcessTracker();
    t.after(() => processes.killAllNow());
    const environment = { get: () => Promise.resolve({ PATH: process.env['PATH'] ?? '' }) };
    const terminals = new ProcessTerminals({ logger: nullLogger, processes, environment });
    for (const end of ['kill', 'window'] as const) {
      const id = randomUUID();
      const terminal = await terminals.create({
        command: '/bin/sh',
        args: ['-c', 'setsid sleep 600 >/dev/null 2>&1 & sleep 0'],
        cwd: tmpdir(),
        env: marked(id),
      });
      await terminal.exited;
      assert.equal(processesWith(id).length, 1, 'a server that was asked for runs on');
      if (end === 'kill') await terminal.kill();
      else processes.killAllNow();
      await assertGone(id);
    }
  },
);

for (const place of ['setsid ', '']) {
  for (const flags of ['', ' --user-data-dir=/nowhere']) {
    for (const end of ['kill', 'window'] as const) {
      const where = place === '' ? 'the group of a command' : 'a session of its own';
      const whose = flags === '' ? "user's browser lives on" : 'browser of the agent ends';
      test(`the ${whose}, in ${where}: ${end}`, LINUX, async t => {
        const processes = new ProcessTracker();
        const id = randomUUID();
        const folder = mkdtempSync(path.join(tmpdir(), 'parley-browser-'));
        t.after(() => {
          processes.killAllNow();
          killAllWith(id);
          rmSync(folder, { recursive: true });
        });
        const environment = { get: () => Promise.resolve({ PATH: process.env['PATH'] ?? '' }) };
        const terminals = new ProcessTerminals({ logger: nullLogger, processes, environment });
        const terminal = await terminals.create({
          command: '/bin/sh',
          args: ['-c', `${place}${browserIn(folder)}${flags} & sleep 500; :`],
          cwd: tmpdir(),
          env: marked(id),
        });
        const programs = () => processesWith(id).map(commandLine);
        await eventually(
          'all run',
          () => programs().filter(line => /^sleep/.test(line)).length === 2,
        );
        const browser = programs().filter(line => /^\S*firefox|^sleep 600/.test(line));
        assert.equal(browser.length, 2);
        if (end === 'kill') await terminal.kill();
        else processes.killAllNow();
        if (flags !== '') return assertGone(id);
        await eventually('the command and its shell are gone', () =>
          programs().every(line => !line.includes('sleep 500')),
        );
        assert.deepEqual(programs().sort(), browser.sort());
      });
    }
  }
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

test('another process of the agent lives on: it may have been started again', LINUX, async t => {
  const [ended, other] = [rig(t, 'leavesDaemons'), rig(t, 'leavesDaemons')];
  await ended.host.connect();
  const link = await other.host.connect();
  await ended.host.stop();
  const { sessionId } = await Chat.open(link);
  await link.prompt(prompt(sessionId, 'leave'));
  assert.equal(other.running().length, 3);
});
