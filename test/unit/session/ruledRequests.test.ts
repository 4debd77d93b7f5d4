/** Rules that answer what a real agent process asks for, and what it does without having asked. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, test } from 'node:test';
import { Emitter } from '../../../src/base/event';
import type { PermissionEntry, PermissionRules } from '../../../src/session/ports';
import { NO_RULES, type PermissionRule, type RuleSet } from '../../../src/session/rules/rule';
import type { SessionState, ToolCallPart } from '../../../src/session/state/state';
import { choose } from './choose';
import { world, type World } from './world';

let open: World | undefined;
afterEach(async () => {
  await open?.end();
  open = undefined;
});

interface Ruled {
  readonly it: World;
  readonly log: readonly PermissionEntry[];
  set(user: readonly PermissionRule[]): void;
}

async function ruled(
  user: readonly PermissionRule[] = [],
  more: Partial<RuleSet> = {},
  options: Parameters<typeof world>[1] = {},
): Promise<Ruled> {
  const changed = new Emitter<void>();
  let current: RuleSet = { ...NO_RULES, user, ...more };
  const rules: PermissionRules = {
    get current() {
      return current;
    },
    onDidChange: changed.event,
  };
  const log: PermissionEntry[] = [];
  const permissionLog = { record: (entry: PermissionEntry) => void log.push(entry) };
  open = await world({}, { ...options, rules, permissionLog });
  return {
    it: open,
    log,
    set(next) {
      current = { ...current, user: next };
      changed.fire();
    },
  };
}

const ONCE = [
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];
const ask = (toolCallId: string, command: string, options: readonly object[] = ONCE): unknown => ({
  ask: {
    method: 'session/request_permission',
    params: {
      toolCall: { toolCallId, title: command, kind: 'execute', rawInput: { command } },
      options,
    },
  },
});
const read = (path: string): unknown => ({
  ask: { method: 'fs/read_text_file', params: { path } },
});
const write = (path: string, content = 'new'): unknown => ({
  ask: { method: 'fs/write_text_file', params: { path, content } },
});
const start = (command: string, args: readonly string[] = []): unknown => ({
  ask: { method: 'terminal/create', params: { command, args } },
});

const calls = (state: SessionState): readonly ToolCallPart[] =>
  [...state.turns, ...(state.activeTurn ? [state.activeTurn] : [])]
    .flatMap(({ parts }) => parts)
    .filter(part => part.kind === 'tool');
const text = (state: SessionState): string =>
  [...state.turns, ...(state.activeTurn ? [state.activeTurn] : [])]
    .flatMap(({ parts }) => parts)
    .map(part => (part.kind === 'text' ? part.text : ''))
    .join('');
const selected = (optionId: string): string =>
  JSON.stringify({ outcome: { outcome: 'selected', optionId } });
const CANCELLED = JSON.stringify({ outcome: { outcome: 'cancelled' } });

/** The user's answer to what waits longest. */
function answer(it: World, optionId: string): void {
  choose(it.chat.controller, it.state.permissions[0]?.id, optionId);
}

/** Notes how many requests were ever shown. */
function counted(it: World): { readonly shown: number } {
  const seen = { shown: 0 };
  it.chat.store.onDidApply(({ action }) => {
    if (action.type === 'permissionRequested') seen.shown += 1;
  });
  return seen;
}

describe('a request that a rule answers', () => {
  test('is never shown; its call says by which rule, and so does the log', async () => {
    const { it, log } = await ruled([
      { command: 'npm test', decision: 'allow' },
      { command: 'rm', decision: 'reject' },
    ]);
    const seen = counted(it);
    const state = await it.run([ask('a', 'npm test'), ask('b', 'npm test && rm -rf x')]);
    assert.equal(text(state), selected('yes') + selected('no'));
    assert.equal(seen.shown, 0);
    const notes = calls(state).map(({ status, note }) => [status, note]);
    assert.deepEqual(notes[0]?.[1], 'Allowed by your rule `npm test`');
    assert.deepEqual(notes[1], ['rejected', 'Rejected by the rule `rm`']);
    assert.deepEqual(
      log.map(({ by, outcome, command, rules }) => ({ by, outcome, command, rules })),
      [
        { by: 'rule', outcome: 'allowed', command: 'npm test', rules: ['npm test'] },
        { by: 'rule', outcome: 'rejected', command: 'npm test && rm -rf x', rules: ['rm'] },
      ],
    );
  });

  test('is answered for this once only', async () => {
    const { it, log } = await ruled([{ command: '*', decision: 'allow' }]);
    const twice = [
      { optionId: 'one', name: 'This', kind: 'allow_once' },
      { optionId: 'two', name: 'That', kind: 'allow_once' },
    ];
    for (const options of [[ONCE[0]], twice] as readonly (readonly object[])[]) {
      it.send([ask(`a${options.length}`, 'ls', options)]);
      const { permissions } = await it.until(state => state.permissions.length > 0);
      assert.ok(permissions[0]);
      it.chat.controller.stop();
      await it.until(state => !state.activeTurn);
    }
    assert.deepEqual(log, []);
  });

  test('is cancelled where no option says no', async () => {
    const { it } = await ruled([{ command: 'rm', decision: 'reject' }]);
    const yes = ONCE.filter(({ kind }) => kind === 'allow_once');
    const sameId = [...yes, { optionId: 'yes', name: 'No', kind: 'reject_once' }];
    const state = await it.run([ask('a', 'rm x', yes), ask('b', 'rm x', sameId)]);
    assert.equal(text(state), CANCELLED + CANCELLED);
    assert.deepEqual(
      calls(state).map(({ status }) => status),
      ['rejected', 'rejected'],
    );
  });

  test('may wait already: new rules answer its siblings, and nothing that was changed', async () => {
    const { it, set, log } = await ruled();
    const begin = (toolCallId: string, command: string) => ({
      method: 'session/request_permission',
      params: {
        toolCall: { toolCallId, title: command, kind: 'execute', rawInput: { command } },
        options: ONCE,
      },
    });
    it.send([
      { asks: [begin('a', 'npm test'), begin('b', 'npm test'), begin('c', 'npm test')] },
      {
        update: {
          sessionUpdate: 'tool_call_update',
          toolCallId: 'c',
          rawInput: { command: 'npm test; evil' },
        },
      },
      { waitCancel: true },
    ]);
    await it.until(({ permissions }) => permissions[2]?.changed);
    set([{ command: 'npm test', decision: 'allow' }]);
    const { permissions } = it.state;
    assert.deepEqual(
      permissions.map(({ toolCallId }) => toolCallId),
      ['c'],
    );
    assert.equal(log.length, 2);
    set([
      { command: 'evil', decision: 'reject' },
      { command: 'npm test', decision: 'allow' },
    ]);
    assert.equal(it.state.permissions.length, 1);
    it.chat.controller.stop();
    await it.until(state => !state.activeTurn);
  });

  test('is written down when the user answers it, too', async () => {
    const { it, log } = await ruled();
    it.send([ask('a', 'ls')]);
    await it.until(state => state.permissions.length > 0);
    answer(it, 'yes');
    await it.until(state => !state.activeTurn);
    assert.equal(log.length, 1);
    assert.equal(log[0]?.by, 'user');
  });
});

describe('what an agent does through the editor without having asked', () => {
  test('a read that a rule rejects is refused, by any name of the file', async () => {
    const { it } = await ruled([{ path: '.env', decision: 'reject' }]);
    const file = join(it.cwd, '.env');
    writeFileSync(file, 'KEY=secret');
    writeFileSync(join(it.cwd, 'free.txt'), 'free');
    symlinkSync(file, join(it.cwd, 'innocent.txt'));
    const state = await it.run([
      read(file),
      read(join(it.cwd, 'innocent.txt')),
      read(join(it.cwd, 'free.txt')),
    ]);
    assert.doesNotMatch(text(state), /secret/);
    assert.match(text(state), /does not allow this file to be read/);
    assert.match(text(state), /free/);
    const notes = calls(state).map(({ status, note }) => [status, note]);
    const rejected = ['rejected', 'Rejected by the rule `.env`'];
    assert.deepEqual(notes, [rejected, rejected]);
  });

  test('a read that a rule asks about is asked about once a turn', async () => {
    const { it } = await ruled([{ kind: 'read', path: '*.key', decision: 'ask' }]);
    const seen = counted(it);
    const file = join(it.cwd, 'my.key');
    writeFileSync(file, 'opened');
    it.send([read(file), read(file)]);
    await it.until(state => state.permissions.length > 0);
    answer(it, 'allow');
    const state = await it.until(({ activeTurn }) => !activeTurn);
    assert.equal(text(state), JSON.stringify({ content: 'opened' }).repeat(2));
    assert.equal(seen.shown, 1);
    assert.equal(calls(state)[0]?.status, 'completed');
  });

  const PROTECTED = [
    'package.json',
    '.vscode/tasks.json',
    '.husky/pre-commit',
    'LINK/x',
    'mine.cfg',
  ];
  for (const name of PROTECTED) {
    test(`a write to ${name} is asked about, whatever else is set`, async () => {
      const wide: readonly PermissionRule[] = [{ path: '**', decision: 'allow' }];
      const { it } = await ruled(wide, { protectedFiles: ['mine.cfg'] });
      for (const folder of ['.vscode', '.husky']) mkdirSync(join(it.cwd, folder));
      symlinkSync(join(it.cwd, '.vscode'), join(it.cwd, 'LINK'));
      const file = join(it.cwd, name);
      it.send([write(file)]);
      const { permissions } = await it.until(state => state.permissions.length > 0);
      assert.ok(!existsSync(file));
      assert.equal(permissions[0]?.facts.warnings?.[0]?.path, file);
      answer(it, 'reject');
      const state = await it.until(({ activeTurn }) => !activeTurn);
      assert.match(text(state), /rejected this edit/);
      assert.ok(!existsSync(file));
    });
  }

  test('each write that leads to execution is asked about, however its file is spelled', async () => {
    const { it } = await ruled([{ kind: 'edit', decision: 'allow' }]);
    const seen = counted(it);
    const files = [
      ...['settings', 'tasks', 'mcp', 'launch'].map(name => `.vscode/${name}.json`),
      ...['.envrc', '.husky/pre-commit', 'package.json', '.devcontainer/devcontainer.json'],
      ...['.github/workflows/ci.yml', '.gitattributes', '.gitmodules', 'a.code-workspace'],
      ...['.VSCODE/tasks.json', '.vscode /tasks.json', 'PACKAGE.JSON', 'package.json.'],
      ...['x/../package.json', 'pack\u200bage.json', 'sub/package.json', '.claude/settings.json'],
    ].map(name => join(it.cwd, name));
    it.send([
      {
        asks: files.map(path => ({
          method: 'fs/write_text_file',
          params: { path, content: 'evil' },
        })),
      },
      { waitCancel: true },
    ]);
    await it.until(({ permissions }) => permissions.length === files.length);
    it.chat.controller.stop();
    await it.until(({ activeTurn }) => !activeTurn);
    assert.equal(seen.shown, files.length);
    assert.deepEqual(
      files.filter(file => existsSync(file)),
      [],
    );
  });

  test('a command that was allowed is another one in another folder', async () => {
    const { it } = await ruled();
    const seen = counted(it);
    mkdirSync(join(it.cwd, '.vscode'));
    const line = 'echo {} > package.json';
    it.send([
      ask('a', line),
      start(line),
      {
        ask: { method: 'terminal/create', params: { command: line, cwd: join(it.cwd, '.vscode') } },
      },
    ]);
    await it.until(({ permissions }) => permissions.length > 0);
    answer(it, 'yes');
    await it.until(({ permissions }) => permissions.some(({ toolCallId }) => toolCallId !== 'a'));
    answer(it, 'reject');
    await it.until(({ activeTurn }) => !activeTurn);
    assert.equal(seen.shown, 2);
    assert.ok(!existsSync(join(it.cwd, '.vscode', 'package.json')));
  });

  test('a command that was allowed is another one with variables of its own', async () => {
    const { it } = await ruled();
    const seen = counted(it);
    mkdirSync(join(it.cwd, '.vscode'));
    const line = 'echo {} > .vscode/tasks.json';
    const env = [{ name: 'BASH_ENV', value: './evil.sh' }];
    it.send([
      ask('a', line),
      start(line),
      { ask: { method: 'terminal/create', params: { command: line, env } } },
    ]);
    await it.until(({ permissions }) => permissions.length > 0);
    answer(it, 'yes');
    await it.until(({ permissions }) => permissions.some(({ toolCallId }) => toolCallId !== 'a'));
    answer(it, 'reject');
    await it.until(({ activeTurn }) => !activeTurn);
    assert.equal(seen.shown, 2);
  });

  test('what was allowed is not done once a rule rejects it', async () => {
    const { it, set } = await ruled([{ path: '*.key', decision: 'ask' }]);
    const seen = counted(it);
    const file = join(it.cwd, 'my.key');
    const line = 'echo ran > made';
    writeFileSync(file, 'opened');
    it.send([ask('a', line), read(file), ask('b', 'wait'), start(line), read(file)]);
    for (const option of ['yes', 'allow']) {
      await it.until(({ permissions }) => permissions.length > 0);
      answer(it, option);
    }
    await it.until(({ permissions }) => permissions.some(({ toolCallId }) => toolCallId === 'b'));
    set([
      { path: '*.key', decision: 'reject' },
      { command: 'echo', decision: 'reject' },
    ]);
    answer(it, 'yes');
    const state = await it.until(({ activeTurn }) => !activeTurn);
    assert.equal(seen.shown, 3);
    assert.equal(text(state).match(/opened/g)?.length, 1);
    assert.match(text(state), /does not allow this command/);
    assert.ok(!existsSync(join(it.cwd, 'made')));
  });

  test('is free where a rule names it exactly, or an edit of it was allowed', async () => {
    const { it, set, log } = await ruled([
      { path: 'package.json', decision: 'allow' },
      { command: 'echo x', decision: 'allow' },
      { path: '.envrc', decision: 'allow' },
    ]);
    const seen = counted(it);
    const file = join(it.cwd, 'package.json');
    const state = await it.run([write(file, 'by rule'), start('echo x > .envrc')]);
    assert.equal(readFileSync(file, 'utf8'), 'by rule');
    // Where the user would have been asked it is written down that a rule has answered.
    assert.deepEqual(
      log.map(({ by, outcome }) => [by, outcome]),
      [
        ['rule', 'allowed'],
        ['rule', 'allowed'],
      ],
    );
    assert.deepEqual(
      calls(state).map(({ note }) => note?.slice(0, 20)),
      ['Allowed by your rule', 'Allowed by your rule'],
    );
    set([]);
    const content = [{ type: 'diff', path: file, oldText: 'by rule', newText: 'shown' }];
    const toolCall = { toolCallId: 'e', title: 'Edit', kind: 'edit', content };
    it.send([
      { ask: { method: 'session/request_permission', params: { toolCall, options: ONCE } } },
      write(file, 'shown'),
    ]);
    await it.until(state => state.permissions.length > 0);
    answer(it, 'yes');
    await it.until(({ activeTurn }) => !activeTurn);
    assert.equal(readFileSync(file, 'utf8'), 'shown');
    assert.equal(seen.shown, 1);
  });

  for (const name of ['.git', '.GIT', '.git ', '.git.', '.g\u200bit', 'GIT~1', 'x/.git']) {
    test(`a write below ${JSON.stringify(name)} is refused without a question`, async () => {
      const { it } = await ruled([{ path: '**', decision: 'allow' }]);
      const seen = counted(it);
      const state = await it.run([write(join(it.cwd, `${name}/hooks/pre-commit`))]);
      assert.match(text(state), /Git's own files are not written/);
      assert.equal(seen.shown, 0);
    });
  }

  test('a command that a rule rejects does not run; one that writes a protected file is asked about', async () => {
    const { it } = await ruled([{ command: 'touch', decision: 'reject' }]);
    const seen = counted(it);
    const made = join(it.cwd, 'made');
    mkdirSync(join(it.cwd, '.vscode'));
    const state = await it.run([
      start('touch', [made]),
      start(`env touch ${made}`),
      start('sh', ['-c', `touch ${made}`]),
    ]);
    assert.equal(text(state).match(/does not allow this command/g)?.length, 3);
    assert.ok(!existsSync(made));
    assert.equal(seen.shown, 0);
    it.send([start('echo {} > .vscode/tasks.json'), start('echo free')]);
    await it.until(({ permissions }) => permissions.length > 0);
    answer(it, 'reject');
    const last = await it.until(({ activeTurn }) => !activeTurn);
    assert.ok(!existsSync(join(it.cwd, '.vscode', 'tasks.json')));
    assert.match(text(last), /terminalId/);
    assert.equal(seen.shown, 1);
  });
});

test('a call without an input has no command, whatever its terminal is called', async () => {
  const { it } = await ruled();
  const toolCall = {
    ...{ toolCallId: 't', title: 'Run the tests', kind: 'execute', rawInput: {} },
    content: [{ type: 'terminal', terminalId: 't' }],
    _meta: { terminal_info: { terminal_id: 't' } },
  };
  it.send([{ ask: { method: 'session/request_permission', params: { toolCall, options: ONCE } } }]);
  const { permissions } = await it.until(state => state.permissions.length > 0);
  assert.equal(permissions[0]?.title, 'Run the tests');
  assert.equal(permissions[0]?.facts.command, undefined);
  answer(it, 'no');
  await it.until(({ activeTurn }) => !activeTurn);
});

test('a workspace by way of a link is the workspace by each of its names', async () => {
  const { it } = await ruled(
    [{ path: 'src/**', decision: 'reject' }],
    {},
    {
      roots: cwd => [`${cwd}-link`],
    },
  );
  const link = `${it.cwd}-link`;
  symlinkSync(it.cwd, link);
  try {
    mkdirSync(join(it.cwd, 'src'));
    writeFileSync(join(it.cwd, 'src', 'a'), 'of the user');
    const state = await it.run([read(join(link, 'src', 'a')), read(join(it.cwd, 'src', 'a'))]);
    assert.doesNotMatch(text(state), /of the user/);
    it.send([write(join(link, 'package.json'))]);
    const { permissions } = await it.until(({ permissions: all }) => all.length > 0);
    assert.deepEqual(
      permissions[0]?.facts.warnings?.map(({ outside }) => outside),
      [false],
    );
    answer(it, 'reject');
    await it.until(({ activeTurn }) => !activeTurn);
  } finally {
    rmSync(link);
  }
});
