import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { TerminalError, type TerminalRequest } from '../../../src/session/ports';
import { outputOf, rig, said } from './support';

test('a program with arguments', async t => {
  const { create } = rig(t);
  const terminal = await create('printf', { args: ['%s|', 'a b', '$HOME', "it's"] });
  assert.equal(terminal.commandLine, `printf '%s|' 'a b' '$HOME' 'it'\\''s'`);
  assert.deepEqual(await terminal.exited, { exitCode: 0, signal: null });
  assert.deepEqual(terminal.snapshot(), {
    output: "a b|$HOME|it's|",
    truncated: false,
    exit: { exitCode: 0, signal: null },
  });
});

test('a whole command line', async t => {
  const { create } = rig(t);
  const terminal = await create('cd / && pwd; echo "$((1 + 1))" | cat; exit 3');
  assert.equal(terminal.commandLine, 'cd / && pwd; echo "$((1 + 1))" | cat; exit 3');
  assert.equal(await outputOf(terminal), '/\n2\n');
  assert.deepEqual(await terminal.exited, { exitCode: 3, signal: null });
});

test('a command line with arguments besides', async t => {
  const { create } = rig(t);
  const terminal = await create('printf %s,', { args: ['a b', '$HOME'] });
  assert.equal(await outputOf(terminal), 'a b,$HOME,');
});

test("the user's shell runs command lines, unless it is one of its own kind", async t => {
  const line = 'echo "$BASH_VERSION" x';
  const bash = await rig(t, { SHELL: '/bin/bash' }).create(line);
  assert.match(await outputOf(bash), /^\d.* x/);
  const fish = await rig(t, { SHELL: '/usr/bin/fish' }).create(line);
  assert.match(await outputOf(fish), / x\n$/);
});

test('a program whose path has spaces is no command line', async t => {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley term '));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'my tool');
  writeFileSync(file, '#!/bin/sh\necho ran\n', { mode: 0o755 });
  assert.equal(await outputOf(await rig(t).create(file)), 'ran\n');
  assert.equal(await outputOf(await rig(t).create('./my tool', { cwd: folder })), 'ran\n');
});

test('stdout and stderr come in the order they were written', async t => {
  const { create } = rig(t);
  const line = 'for i in 1 2 3 4 5 6 7 8 9; do echo out$i; echo err$i >&2; done';
  const expected = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(i => `out${i}\nerr${i}\n`).join('');
  assert.equal(await outputOf(await create(line)), expected);
});

test('scripts can open /dev/stderr and /dev/stdout', async t => {
  const { create } = rig(t);
  const terminal = await create('echo one > /dev/stderr; echo two > /dev/stdout');
  assert.equal(await outputOf(terminal), 'one\ntwo\n');
});

test('output is never cut inside a character', async t => {
  const { create } = rig(t);
  const script = `
    const bytes = Buffer.from('é€𝄞'.repeat(50));
    let i = 0;
    (function next() {
      if (i < bytes.length) process.stdout.write(bytes.subarray(i, ++i), next);
    })();`;
  const terminal = await create(process.execPath, { args: ['-e', script] });
  let heard = '';
  terminal.onOutput(({ data: text }) => {
    assert.ok(!text.includes('\ufffd'), 'half a character');
    heard += text;
  });
  assert.equal(await outputOf(terminal), 'é€𝄞'.repeat(50));
  assert.equal(heard, 'é€𝄞'.repeat(50));
});

test('the byte limit keeps the end', async t => {
  const { create } = rig(t);
  const args = ['-e', 'process.stdout.write("€".repeat(1000) + "end")'];
  const terminal = await create(process.execPath, { args, outputByteLimit: 100 });
  await terminal.exited;
  const { output, truncated } = terminal.snapshot();
  assert.equal(output, `${'€'.repeat(32)}end`);
  assert.equal(truncated, true);
  const none = await create('echo hello', { outputByteLimit: 0 });
  assert.equal(await outputOf(none), '');
  assert.equal(none.snapshot().truncated, true);
});

test('100 MB of output do not grow the heap', async t => {
  const { create } = rig(t);
  const terminal = await create('yes 0123456789012345678901234567890123456789 | head -c 104857600');
  let heard = 0;
  let peak = 0;
  const before = process.memoryUsage().rss;
  terminal.onOutput(({ data }) => {
    heard += data.length;
    peak = Math.max(peak, process.memoryUsage().rss - before);
  });
  await terminal.exited;
  assert.equal(heard, 104_857_600);
  const { output, truncated } = terminal.snapshot();
  assert.ok(truncated && output.length <= 1024 * 1024);
  // Garbage that is not collected yet is part of it, so this is generous; keeping it all would need more.
  assert.ok(peak < 60 * 1024 * 1024, `grew by ${Math.round(peak / 1024 / 1024)} MB`);
});

test('there is no input to wait for', async t => {
  const { create } = rig(t);
  const terminal = await create('read answer || echo "no input"');
  assert.equal(await outputOf(terminal), 'no input\n');
});

test("the environment is the login shell's, plain, with the agent's on top", async t => {
  const { create } = rig(t, { FROM_SHELL: 'yes', FORCE_COLOR: '3', COLORTERM: 'truecolor' });
  const print = 'echo "$FROM_SHELL|$TERM|$FORCE_COLOR|$COLORTERM|$MINE"';
  assert.equal(await outputOf(await create(print, { env: { MINE: 'm' } })), 'yes|dumb|||m\n');
  const colourful = await create(print, { env: { TERM: 'xterm-256color', FORCE_COLOR: '1' } });
  assert.equal(await outputOf(colourful), 'yes|xterm-256color|1||\n');
});

test('what cannot be started is told plainly', async t => {
  const { create } = rig(t);
  const cases: [string, Partial<TerminalRequest>, RegExp][] = [
    ['no-such-command', {}, /^Command not found: no-such-command$/],
    ['no-such-command', { args: ['x'] }, /^Command not found/],
    ['/etc/passwd', {}, /^Command is not executable: \/etc\/passwd$/],
    ['', {}, /^The command is empty/],
    ['echo x', { cwd: '/no/such/folder' }, /^No such folder: \/no\/such\/folder$/],
    ['echo x', { cwd: 'relative' }, /^No such folder/],
  ];
  for (const [command, request, message] of cases) {
    await assert.rejects(create(command, request), (error: unknown) => {
      assert.ok(error instanceof TerminalError);
      assert.match(error.message, message);
      return true;
    });
  }
});

test('kill ends the command and its children; the output stays', async t => {
  const { create, running } = rig(t);
  const terminal = await create('echo started; sleep 1000 & sleep 1000 | cat');
  await said(terminal, 'started');
  await terminal.kill();
  assert.deepEqual(running(), []);
  assert.deepEqual(await terminal.exited, { exitCode: null, signal: 'SIGTERM' });
  assert.equal(terminal.snapshot().output, 'started\n');
  assert.deepEqual(terminal.snapshot().exit, { exitCode: null, signal: 'SIGTERM' });
  // Twice is no harm.
  await terminal.kill();
});

test('kill ends what ignores SIGTERM, also in a group of its own', async t => {
  const { create, running } = rig(t);
  const terminal = await create(
    `trap '' TERM; (trap '' TERM; exec setsid sleep 1000) & echo started; while :; do sleep 1; done`,
  );
  await said(terminal, 'started');
  await terminal.kill();
  assert.deepEqual(running(), []);
  assert.deepEqual(await terminal.exited, { exitCode: null, signal: 'SIGKILL' });
});

test('the exit does not wait for what runs on in the background; kill ends that too', async t => {
  const { create, running } = rig(t);
  const terminal = await create('sleep 1000 & echo done');
  assert.deepEqual(await terminal.exited, { exitCode: 0, signal: null });
  assert.equal(terminal.snapshot().output, 'done\n');
  assert.equal(running().length, 1);
  await terminal.kill();
  assert.deepEqual(running(), []);
});

test('dispose kills and forgets', async t => {
  const { create, running } = rig(t);
  const terminal = await create('echo secret; sleep 1000');
  await said(terminal, 'secret');
  const heard: string[] = [];
  terminal.onOutput(({ data }) => void heard.push(data));
  terminal.dispose();
  assert.equal(terminal.snapshot().output, '');
  await terminal.exited;
  assert.deepEqual(running(), []);
  assert.deepEqual(heard, []);
});

test('when there is no time, everything is killed at once', async t => {
  const { create, processes } = rig(t);
  const one = await create(`trap '' TERM; echo started; sleep 1000; sleep 1000`);
  const two = await create('sleep 1000');
  await said(one, 'started');
  processes.killAllNow();
  assert.equal((await one.exited).signal, 'SIGKILL');
  assert.equal((await two.exited).signal, 'SIGKILL');
});

test('the last output before the exit is not lost', async t => {
  const { create } = rig(t);
  for (let i = 0; i < 20; i++) {
    const terminal = await create('head -c 50000 /dev/zero | tr "\\0" x; echo end');
    assert.equal(await outputOf(terminal), `${'x'.repeat(50_000)}end\n`);
  }
});
