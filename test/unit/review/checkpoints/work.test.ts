/** Other programs' changes during a turn are not the agent's: it says when it is at work. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test, type TestContext } from 'node:test';
import { Emitter } from '../../../../src/base/event';
import { nullLogger } from '../../../../src/base/logger';
import { ChatFeed } from '../../../../src/review/checkpoints/chatFeed';
import type { SessionAction, ToolCallAction } from '../../../../src/session/state/actions';
import type { Chat } from '../../../../src/session/chats';
import { diffView } from '../../../../src/session/translate/edits/diffView';
import { Contents, type FileDiff } from '../../../../src/session/translate/contents';
import { initialSession } from '../../../../src/session/state/initialSession';
import { SessionStore } from '../../../../src/session/state/store';
import { git, repositoryIn } from '../../git/support';
import { shell, text, workspace, type Workspace } from './support';

const FILES = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' };
/** Longer ago than what is told late or works on could explain, in milliseconds. */
const AGO = 60_000;

interface Talk extends Workspace {
  readonly chat: Chat;
  begin(): Promise<void>;
  finish(): void;
  call(id: string, change: Partial<ToolCallAction>, ago?: number): void;
  dispatch(action: SessionAction): void;
  /** Files found to be the agent's, once nothing is left to be told. */
  agents(): Promise<string>;
}

/** A chat whose state is real and whose agent is the test. */
async function talk(t: TestContext): Promise<Talk> {
  const w = await workspace(t, root => repositoryIn(root, FILES));
  const state = initialSession({ chatId: 'chat', agentName: 'Test', cwd: w.root, at: 0 });
  const store = new SessionStore(state);
  const chat = { chatId: 'chat', store, controller: { contents: new Contents() } };
  const added = new Emitter<Chat>();
  const chats = { all: [chat as unknown as Chat], onDidAdd: added.event, onDidDelete: added.event };
  const feed = new ChatFeed(chats, w.tracker, nullLogger);
  t.after(() => feed.dispose());
  let turns = 0;
  const dispatch = (action: SessionAction) => store.dispatch(action);
  return {
    ...w,
    chat: chat as unknown as Chat,
    dispatch,
    async begin() {
      const turnId = `turn-${++turns}`;
      const prompt = { id: turnId, text: 'go', attachments: [] };
      dispatch({ type: 'turnStarted', turnId, prompt, at: Date.now() });
      await feed.promptReady('chat');
    },
    finish() {
      const end = { reason: 'end_turn' } as const;
      dispatch({ type: 'turnEnded', end, planPartId: 'plan', at: Date.now() });
    },
    call(toolCallId, change, ago = 0) {
      dispatch({
        type: 'toolCallChanged',
        turnId: `turn-${turns}`,
        partId: `part-${toolCallId}`,
        toolCallId,
        announced: change.status !== 'completed',
        at: Date.now() - ago,
        ...change,
      });
    },
    async agents() {
      // Whether or not their events have come yet.
      for (const name of Object.keys(FILES)) w.tracker.touch(w.file(name));
      await w.tracker.idle();
      const found = new Set(w.changes.agents.map(({ path }) => path.slice(w.root.length + 1)));
      return [...found].sort().join();
    },
  };
}

test('what changes before, while and after a command runs', { timeout: 30_000 }, async t => {
  const w = await talk(t);
  await w.begin();
  w.call('1', { toolKind: 'execute', title: 'make', status: 'running' }, 2 * AGO);
  w.call('1', { status: 'completed' }, AGO);
  writeFileSync(w.file('b.txt'), 'a build of the user\n');
  assert.equal(await w.agents(), '');
  w.call('2', { toolKind: 'execute', title: 'make', status: 'running' });
  await shell(w.root, 'echo x >> a.txt');
  w.call('2', { status: 'completed' });
  assert.equal(await w.agents(), 'a.txt');
  w.finish();
  await w.tracker.idle();
  assert.equal(await w.agents(), 'a.txt', 'nor is it when the turn’s end is looked at');
});

test('an agent that waits for permission changes nothing', { timeout: 30_000 }, async t => {
  const w = await talk(t);
  await w.begin();
  w.call('1', { toolKind: 'edit', title: 'Edit a.txt', status: 'pending' }, AGO);
  const option = { optionId: 'yes', name: 'Yes', kind: 'allow_once' } as const;
  const request = { id: 'r', toolCallId: '1', title: 'Edit', options: [option] };
  w.dispatch({
    type: 'permissionRequested',
    request: { ...request, requestedAt: Date.now() - AGO },
  });
  writeFileSync(w.file('b.txt'), 'the user, while asked\n');
  assert.equal(await w.agents(), '');
  w.dispatch({
    type: 'permissionAnswered',
    requestId: 'r',
    outcome: 'allowed',
    at: Date.now(),
  });
  await shell(w.root, 'echo x >> a.txt');
  assert.equal(await w.agents(), 'a.txt');
});

test(
  'an agent that tells nothing beforehand is not trusted with it',
  { timeout: 30_000 },
  async t => {
    const w = await talk(t);
    await w.begin();
    writeFileSync(w.file('a.txt'), 'before anything was told\n');
    assert.equal(await w.agents(), 'a.txt');
    w.call('1', { toolKind: 'execute', title: 'make', status: 'running' }, 2 * AGO);
    w.call('1', { status: 'completed' }, AGO);
    writeFileSync(w.file('b.txt'), 'who?\n');
    assert.equal(await w.agents(), 'a.txt');
    // A call that is only told when it is over: others may have been told as late.
    w.call('2', { toolKind: 'edit', title: 'Edit b.txt', status: 'completed', announced: true });
    assert.equal(await w.agents(), 'a.txt,b.txt');
    assert.deepEqual(w.changes.agents.at(-1)?.before, text('b\n'), 'with what it was before');
    w.finish();
    await w.begin();
    writeFileSync(w.file('c.txt'), 'who?\n');
    assert.equal(await w.agents(), 'a.txt,b.txt,c.txt');
  },
);

test('commands that run on, in terminals and behind a shell', { timeout: 30_000 }, async t => {
  const w = await talk(t);
  await w.begin();
  w.call('1', { toolKind: 'execute', title: 'npm run dev', status: 'running' }, 2 * AGO);
  w.dispatch({
    type: 'terminalStarted',
    terminalId: 't',
    command: 'npm run dev',
    owned: true,
    at: Date.now() - AGO,
  });
  w.call('1', { status: 'completed' }, AGO);
  await shell(w.root, 'echo x >> a.txt');
  assert.equal(await w.agents(), 'a.txt');
  w.dispatch({
    type: 'terminalExited',
    terminalId: 't',
    exit: { exitCode: 0, signal: null },
    at: Date.now() - AGO / 2,
  });
  writeFileSync(w.file('b.txt'), 'the user\n');
  assert.equal(await w.agents(), 'a.txt');
  const rawInput = { text: '{"command":"watch","run_in_background":true}', truncated: false };
  w.call('2', { toolKind: 'execute', title: 'watch', rawInput, status: 'running' }, AGO);
  w.call('2', { status: 'completed' }, AGO / 2);
  await shell(w.root, 'echo x >> c.txt');
  assert.equal(await w.agents(), 'a.txt,c.txt');
});

test('a call that reads changes at most what it names', { timeout: 30_000 }, async t => {
  const w = await talk(t);
  await w.begin();
  w.call('1', { toolKind: 'edit', title: 'Edit', status: 'running' }, 2 * AGO);
  w.call('1', { status: 'completed' }, AGO);
  const locations = [{ path: w.file('a.txt') }];
  w.call('2', { toolKind: 'read', title: 'Read', status: 'running', locations }, AGO);
  await w.tracker.settled();
  await shell(w.root, 'echo x >> a.txt; echo x >> b.txt');
  assert.equal(await w.agents(), 'a.txt');
});

test(
  'the agent’s git shows what it takes away, the user’s does not',
  { timeout: 30_000 },
  async t => {
    const w = await talk(t);
    writeFileSync(w.file('a.txt'), 'not committed\n');
    assert.equal(await w.agents(), '');
    await w.begin();
    const title = 'git checkout -- .';
    w.call('1', { toolKind: 'execute', title, status: 'running' });
    git(w.root, 'checkout', '-q', '--', '.');
    assert.equal(await w.agents(), 'a.txt');
    const [seen] = w.changes.agents;
    assert.deepEqual([seen?.before, seen?.after], [text('not committed\n'), text('a\n')]);
    w.call('1', { status: 'completed' }, AGO);

    writeFileSync(w.file('b.txt'), 'not committed\n');
    assert.equal(await w.agents(), 'a.txt');
    git(w.root, 'checkout', '-q', '--', '.');
    assert.equal(await w.agents(), 'a.txt');
  },
);

test('the tracker is told of a file’s text before only by diffs that know it', async t => {
  const w = await talk(t);
  const told = t.mock.method(w.tracker, 'told', () => undefined);
  const named = t.mock.method(w.tracker, 'named', () => undefined);
  await w.begin();
  const diffs: readonly (readonly [diff: Omit<FileDiff, 'path'>, knows: boolean])[] = [
    [{ oldText: null, newText: 'x', change: 'added' }, true],
    [{ oldText: 'a', newText: 'x', change: 'modified' }, true],
    [{ oldText: null, newText: 'x', change: 'modified' }, false],
    [{ oldText: 'a', newText: '', change: 'deleted' }, true],
    [{ oldText: null, newText: '', change: 'deleted' }, false],
    [{ oldText: 'a', newText: 'x', change: 'moved', oldPath: 'old.txt' }, false],
  ];
  const content = diffs.map(([diff], index) => {
    const whole = { ...diff, path: `${index}.txt` };
    const ref = w.chat.controller.contents.put(`d${index}`, { kind: 'diff', diff: whole });
    return { kind: 'diff', diff: diffView(ref, whole) } as const;
  });
  w.call('1', { toolKind: 'edit', title: 'Patch', status: 'running', content });
  assert.deepEqual(
    told.mock.calls.map(({ arguments: [, file] }) => file),
    diffs.flatMap(([, knows], index) => (knows ? [w.file(`${index}.txt`)] : [])),
  );
  assert.ok(
    named.mock.calls.some(({ arguments: [, files] }) => files?.includes(w.file('old.txt'))),
  );
});
