/**
 * Commands in a pseudo-terminal, with the node-pty of the VS Code that the other suites run (`.cache/workbench`).
 * Until one of them has installed it these tests are skipped, and say so.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import type { TerminalProcess, TerminalRequest } from '../../../src/session/ports';
import { findNodePty, type FoundPty } from '../../../src/terminals/nodePty';
import { outputOf, rig as pipesRig, said } from './support';

const appRoot = path.resolve('.cache/workbench/node_modules/code-server/lib/vscode');
const isInstalled = existsSync(path.join(appRoot, 'node_modules/node-pty'));

let found: Promise<FoundPty> | undefined;

function rig(t: TestContext, env: Record<string, string> = {}) {
  return pipesRig(t, env, () => (found ??= findNodePty(appRoot)));
}

function ptyTest(name: string, run: (t: TestContext) => Promise<void>): void {
  if (isInstalled) test(name, run);
  else
    test(`SKIPPED, no VS Code in .cache/workbench to take node-pty from: ${name}`, { skip: true });
}

/** Runs a Node script. */
function node(script: string): [string, Partial<TerminalRequest>] {
  return [process.execPath, { args: ['-e', script] }];
}

/** Resolves when what is shown of the command is like that. */
function shows(terminal: TerminalProcess, pattern: RegExp): Promise<string> {
  return new Promise(resolve => {
    let output = '';
    terminal.onOutput(({ data, screen = '' }) => {
      output += data;
      if (pattern.test(output + screen)) resolve(output + screen);
    });
  });
}

test('without VS Code there are pipes, and it says why', async () => {
  const none = await findNodePty(path.resolve('no/such/place'));
  assert.equal(none.kind, 'none');
  assert.match(none.kind === 'none' ? none.reason : '', /Cannot find module/);
});

ptyTest('a program finds a terminal; the agent gets its text', async t => {
  const { create } = rig(t);
  const terminal = await create(
    'test -t 0 && test -t 1 && tput cols; printf "\\033[1;31mred\\033[0m plain"',
  );
  assert.ok(terminal.view);
  assert.equal(await outputOf(terminal), '120\nred plain');
  assert.deepEqual(await terminal.exited, { exitCode: 0, signal: null });
});

ptyTest('colours and links are told for the card, nothing else is', async t => {
  const { create } = rig(t);
  const terminal = await create(
    ...node(`process.stdout.write([
      '\\x1b[32mgreen\\x1b[39m',
      '\\x1b]8;;https://example.com/a\\x1b\\\\page\\x1b]8;;\\x07',
      '\\x1b]8;;x:${'y'.repeat(3000)}\\x07no\\x1b]8;;\\x07',
      '\\x1b]0;title\\x07\\x1b[?25l\\x1bP+q\\x1b\\\\end'].join(' '))`),
  );
  let told = '';
  terminal.onOutput(({ data }) => (told += data));
  assert.equal(await outputOf(terminal), 'green page no end');
  assert.equal(
    told,
    '\x1b[0;32mgreen\x1b[0m \x1b]8;;https://example.com/a\x1b\\\x1b[0;4mpage\x1b[0m\x1b]8;;\x1b\\ \x1b[0;4mno\x1b[0m end',
  );
});

const REDRAWN: [string, string, string][] = [
  ['carriage returns', String.raw`10%\r50%\r100%\ndone\n`, '100%\ndone\n'],
  [
    'a cursor that moves up',
    String.raw`one\ntwo\n\x1b[2A\x1b[2Kchanged\x1b[2B\rend\n`,
    'changed\ntwo\nend\n',
  ],
  [
    'a cursor that goes anywhere',
    String.raw`\x1b[2J\x1b[3;5Hthere\x1b[1;1Hhere\x1b[4;1H`,
    'here\n\n    there\n',
  ],
  [
    'the alternate screen',
    String.raw`before\n\x1b[?1049h\x1b[Hfull screen\x1b[?1049lafter\n`,
    'before\nafter\n',
  ],
  [
    'lines that are taken out and put in',
    String.raw`a\nb\nc\n\x1b[2A\x1b[M\x1b[Lnew\n`,
    'a\nnew\nc',
  ],
  ['a long line', `${'0123456789'.repeat(50)}\\n`, `${'0123456789'.repeat(50)}\n`],
  [
    'a long line of wide characters',
    `${'x' + '漢字'.repeat(200)}\\n`,
    `${'x' + '漢字'.repeat(200)}\n`,
  ],
  ['a screen that is cleared', String.raw`first\n\x1b[H\x1b[2J\x1b[3Jsecond\n`, 'second\n'],
];
for (const [name, script, expected] of REDRAWN) {
  ptyTest(`the agent gets what a person would see: ${name}`, async t => {
    const { create } = rig(t);
    const terminal = await create(...node(`process.stdout.write("${script}")`));
    assert.equal(await outputOf(terminal), expected);
  });
}

ptyTest('a full-screen program is shown as it stands, and what was before comes back', async t => {
  const { create } = rig(t);
  const terminal = await create(
    ...node(`process.stdout.write('before\\r\\n\\x1b[?1049h\\x1b[2;3Hfull screen');
      process.stdin.once('data', () => { process.stdout.write('\\x1b[?1049lafter'); process.exit(); })`),
  );
  await shows(terminal, /full screen/);
  assert.equal(terminal.snapshot().output, 'before\n\n\n  full screen');
  terminal.view?.write('\r');
  // The line discipline shows what is typed, where the cursor is.
  assert.match(await outputOf(terminal), /^before\nafter/);
});

ptyTest('what is typed reaches the command', async t => {
  const { create } = rig(t);
  const terminal = await create('printf "name? "; read name; echo "hello $name"');
  await said(terminal, 'name?');
  terminal.view?.write('you\r');
  assert.equal(await outputOf(terminal), 'name? you\nhello you\n');
});

ptyTest('Ctrl+C is typed too: the command may answer it', async t => {
  const { create } = rig(t);
  const terminal = await create(
    'trap "echo caught; exit 7" INT; echo ready; while :; do sleep 1; done',
  );
  await said(terminal, 'ready');
  terminal.view?.write('\x03');
  assert.deepEqual(await terminal.exited, { exitCode: 7, signal: null });
  assert.match(terminal.snapshot().output, /caught/);
});

ptyTest('its size follows: the program hears of it, lines stay whole', async t => {
  const { create } = rig(t);
  const line = 'abcdefghij'.repeat(20);
  const terminal = await create(
    ...node(`console.log('${line}');
      process.on('SIGWINCH', () => { console.log(process.stdout.columns + 'x' + process.stdout.rows); process.exit(); });
      setInterval(() => {}, 1000); console.log('ready');`),
  );
  await said(terminal, 'ready');
  terminal.view?.resize({ columns: 50, rows: 10 });
  assert.equal(await outputOf(terminal), `${line}\nready\n50x10\n`);
});

ptyTest(
  'the terminal answers what programs ask it, unless another stands in its place',
  async t => {
    const { create } = rig(t);
    const ask = node(`process.stdin.setRawMode(true);
    process.stdin.on('data', answer => { console.log(JSON.stringify(String(answer))); process.exit(); });
    process.stdout.write('asked\\x1b[6n')`);
    assert.match(await outputOf(await create(...ask)), /"\\u001b\[1;6R"/);
    const watched = await create(...ask);
    let written = '';
    watched.view?.attach(text => (written += text));
    await said(watched, 'asked');
    watched.view?.write('mine');
    assert.match(await outputOf(watched), /"mine"/);
    assert.ok(written.includes('\x1b[6n'));
  },
);

ptyTest('another terminal looks the same from the replay on', async t => {
  const { create } = rig(t);
  const terminal = await create(
    'for i in 1 2 3; do printf "\\033[3${i}mline $i\\033[0m\\n"; done; printf "$ "; read x',
  );
  await said(terminal, '$');
  const { text, truncated } = terminal.view?.replay() ?? {};
  assert.match(text ?? '', /\x1b\[31mline 1.*\x1b\[33mline 3.*\$ $/s);
  assert.equal(truncated, false);
  await terminal.kill();
  assert.match(terminal.view?.replay().text ?? '', /line 3/);
});

ptyTest('kill leaves what was written so far', async t => {
  const { create, running } = rig(t);
  const terminal = await create('echo started; printf partial; sleep 1000 & sleep 1000');
  await said(terminal, 'partial');
  await terminal.kill();
  assert.deepEqual(running(), []);
  assert.equal((await terminal.exited).signal, 'SIGTERM');
  assert.equal(terminal.snapshot().output, 'started\npartial');
});

ptyTest('kill ends what ignores the hang-up and SIGTERM, also in a session of its own', async t => {
  const { create, running } = rig(t);
  const terminal = await create(
    `trap '' TERM HUP; (trap '' TERM HUP; exec setsid sleep 1000) & echo started; while :; do sleep 1; done`,
  );
  await said(terminal, 'started');
  await terminal.kill();
  assert.deepEqual(running(), []);
});

ptyTest(
  'what is left in the background ends with its terminal, unless it is told to stay; kill ends that',
  async t => {
    const { create, running } = rig(t);
    const terminal = await create(
      'sleep 1000 & nohup sleep 1001 > /dev/null 2>&1 & sleep 0.2; echo done',
    );
    assert.match(await outputOf(terminal), /done\n$/);
    await terminal.kill();
    assert.deepEqual(running(), []);
  },
);

ptyTest('pagers do not wait for a key', async t => {
  const { create } = rig(t, { PAGER: 'less' });
  assert.equal(
    await outputOf(await create('seq 100 | ${PAGER} | tail -1; echo $GIT_PAGER')),
    '100\ncat\n',
  );
});

const REPOSITORY = `cd "$(mktemp -d)" && git init -q -b main && git config user.name a && git config user.email a@example.com \\
  && git config core.editor 'echo opened an editor; false' && git commit -q --allow-empty -m first \\
  && git switch -q -c other && git commit -q --allow-empty -m second && git switch -q main`;
const GIT: [string, string][] = [
  ['merge', 'git merge -q --no-ff other'],
  ['amend', 'git commit -q --amend --allow-empty'],
  ['rebase', 'git rebase -q -i --root'],
];
for (const [name, command] of GIT) {
  ptyTest(`git opens no editor that nobody would see: ${name}`, async t => {
    const { create } = rig(t);
    const terminal = await create(`${REPOSITORY} && ${command} && echo done; rm -rf "$PWD"`);
    assert.equal(await outputOf(terminal), 'done\n');
  });
}

ptyTest('what would ask does not, unless the user or the agent wants it to', async t => {
  const say = 'echo $GIT_EDITOR $GIT_MERGE_AUTOEDIT $GIT_TERMINAL_PROMPT $npm_config_yes';
  assert.equal(await outputOf(await rig(t).create(say)), 'true no 0 true\n');
  const { create } = rig(t, { GIT_EDITOR: 'mine', GIT_TERMINAL_PROMPT: '1' });
  assert.equal(await outputOf(await create(say)), 'mine no 1 true\n');
  const terminal = await create(say, { env: { GIT_EDITOR: 'its' } });
  assert.equal(await outputOf(terminal), 'its no 1 true\n');
});

ptyTest('the exit of a command', async t => {
  const { create } = rig(t);
  assert.deepEqual(await (await create('exit 3')).exited, { exitCode: 3, signal: null });
  assert.deepEqual(await (await create('kill -KILL $$')).exited, {
    exitCode: null,
    signal: 'SIGKILL',
  });
});

ptyTest('the byte limit keeps the end', async t => {
  const { create } = rig(t);
  const terminal = await create(...node('process.stdout.write("€".repeat(1000) + "end")'));
  assert.equal((await outputOf(terminal)).length, 1003);
  for (const outputByteLimit of [0, 1, 100]) {
    const [command, request] = node('console.log("€".repeat(1000) + "end")');
    const limited = await create(command, { ...request, outputByteLimit });
    const output = await outputOf(limited);
    assert.ok(Buffer.byteLength(output) <= outputByteLimit);
    assert.ok(`${'€'.repeat(1000)}end\n`.endsWith(output), output);
    assert.equal(limited.snapshot().truncated, true);
  }
});

ptyTest('of 100 MB the end is there, and no more is kept than the limit', async t => {
  const { create } = rig(t);
  const terminal = await create(
    'yes 0123456789012345678901234567890123456789 | head -c 104857600; echo; echo end',
  );
  await terminal.exited;
  const { output, truncated } = terminal.snapshot();
  assert.ok(truncated && Buffer.byteLength(output) <= 1024 * 1024);
  const lines = output.split('\n');
  assert.deepEqual(lines.slice(-2), ['end', '']);
  const others = lines.slice(1, -3).filter(line => line !== '0123456789'.repeat(4));
  assert.deepEqual(others.slice(0, 3), []);
});

ptyTest('the end is read whatever the machine does when a command ends', async t => {
  const { create } = rig(t);
  for (let round = 0; round < 10; round += 1) {
    const terminal = await create('seq 1 8000; echo end');
    // Nothing is read for longer than node-pty waits; the command ends meanwhile as far as it can.
    for (let turn = 0; turn < 4; turn += 1) {
      const until = performance.now() + 120;
      while (performance.now() < until);
      await new Promise(resolve => setTimeout(resolve, 1));
    }
    const lines = (await outputOf(terminal)).split('\n');
    assert.deepEqual(lines.slice(-3), ['8000', 'end', '']);
    assert.equal(lines.length, 8002);
  }
});

ptyTest('dispose kills and forgets', async t => {
  const { create, running } = rig(t);
  const terminal = await create('echo secret; sleep 1000');
  await said(terminal, 'secret');
  terminal.dispose();
  assert.equal(terminal.snapshot().output, '');
  assert.equal(terminal.view?.replay().text, '');
  await terminal.exited;
  assert.deepEqual(running(), []);
});
