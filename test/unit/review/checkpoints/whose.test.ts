/**
 * Whose a change is: the ten mixed situations of docs/review.md, each with real files and the real git. `agent a.txt` is
 * a change of an agent's, `while agent a.txt` one in "Changed while agent worked"; what is the user's is not listed.
 */
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { test, type TestContext } from 'node:test';
import { Deferred } from '../../../../src/base/deferred';
import { git, repositoryIn, temporaryFolder } from '../../git/support';
import { chatsOf, type TestChat } from './chatFeed';
import { reviewed, type Reviewed } from './support';

const TIMEOUT = { timeout: 60_000 };
const FILES = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' };

interface World extends Reviewed {
  readonly root: string;
  readonly one: TestChat;
  readonly two: TestChat;
  file(name: string): string;
  write(name: string, text: string): void;
  /** The agent announces an edit of the file, or that it is done. */
  call(chat: TestChat, name: string): void;
  done(chat: TestChat, name: string): void;
  /** Looks at these files, as their events will have it, and at what is pending then. */
  whose(...names: readonly string[]): Promise<string>;
}

async function world(
  t: TestContext,
  prepare: (root: string) => void = () => {},
  firstLook?: Promise<void>,
): Promise<World> {
  const root = temporaryFolder();
  repositoryIn(root, FILES);
  prepare(root);
  const w = await reviewed(t, [root], temporaryFolder(), {
    isQuiet: true,
    ...(firstLook && { firstLook }),
  });
  const [one, two] = chatsOf(t, w.tracker, root, 'One', 'Two');
  assert.ok(one && two);
  const file = (name: string) => path.join(root, name);
  return {
    ...w,
    root,
    one,
    two,
    file,
    write: (name, text) => writeFileSync(file(name), text),
    call: (chat, name) =>
      chat.call(name, {
        toolKind: 'edit',
        title: 'Edit',
        status: 'running',
        locations: [{ path: file(name) }],
      }),
    done: (chat, name) => chat.call(name, { status: 'completed' }),
    async whose(...names) {
      for (const name of names) w.tracker.touch(file(name));
      await w.tracker.idle();
      return w.review.pending
        .map(({ path: found, unclaimed, turns }) => {
          const agents = new Set(turns.map(({ chatId }) => chatId.replace('chat-', '')));
          const who = unclaimed ? `while ${unclaimed.join('+')}` : [...agents].join('+');
          return `${who} ${path.relative(root, found)}`;
        })
        .join(', ');
    },
  };
}

test('1. the user saves with a formatter while the agent works', TIMEOUT, async t => {
  const w = await world(t);
  await w.one.begin();
  await w.one.command('make', async () => {
    w.files.type(w.file('a.txt'), 'typed and formatted\n');
    w.tracker.saved(w.file('a.txt'), await w.files.save(w.file('a.txt')));
    w.write('b.txt', 'built\n');
  });
  assert.equal(await w.whose('a.txt', 'b.txt'), 'One b.txt');
});

test("what the user saves while it is looked at is the user's", TIMEOUT, async t => {
  const w = await world(t);
  await w.one.begin();
  await w.one.command('make', async () => {
    w.files.type(w.file('a.txt'), 'typed\n');
    const text = await w.files.save(w.file('a.txt'));
    // The save ends between the look at the disk and the question whether one is under way.
    let isTold = false;
    t.mock.method(w.files, 'isSaving', (file: string) => {
      if (file === w.file('a.txt')) w.tracker.saved(file, text);
      isTold = true;
      return false;
    });
    assert.equal(await w.whose('a.txt'), '');
    assert.ok(isTold);
  });
});

test("2. the user's own terminal runs an install", TIMEOUT, async t => {
  const w = await world(t);
  await w.one.begin();
  w.write('package-lock.json', '{}\n');
  w.write('a.txt', 'installed\n');
  assert.equal(
    await w.whose('package-lock.json', 'a.txt'),
    'while One a.txt, while One package-lock.json',
  );
  w.write('b.txt', 'mine, too\n');
  await w.whose('b.txt');
  await w.review.notTheAgents([w.file('a.txt')]);
  assert.equal(await w.whose(), 'while One b.txt, while One package-lock.json');
  await w.review.notTheAgents();
  assert.equal(await w.whose('a.txt', 'b.txt', 'package-lock.json'), '');
  assert.equal(w.review.canRedo, false);
});

test('3. a pull during a turn', TIMEOUT, async t => {
  const w = await world(t, root => {
    git(root, 'checkout', '-q', '-b', 'upstream');
    writeFileSync(path.join(root, 'a.txt'), 'upstream\n');
    rmSync(path.join(root, 'c.txt'));
    writeFileSync(path.join(root, 'new.txt'), 'new\n');
    git(root, 'add', '-A');
    git(root, 'commit', '-qm', 'upstream');
    git(root, 'checkout', '-q', 'main');
  });
  await w.one.begin();
  git(w.root, 'merge', '-q', '--ff-only', 'upstream');
  await w.one.command('make', () => w.write('b.txt', 'built\n'));
  assert.equal(await w.whose('a.txt', 'c.txt', 'new.txt', 'b.txt'), 'One b.txt');
});

test("a pull while a command of the agent runs may be either's", TIMEOUT, async t => {
  const w = await world(t, root => {
    git(root, 'checkout', '-q', '-b', 'upstream');
    writeFileSync(path.join(root, 'a.txt'), 'upstream\n');
    git(root, 'commit', '-qam', 'upstream');
    git(root, 'checkout', '-q', 'main');
  });
  await w.one.begin();
  await w.one.command('make', () => git(w.root, 'merge', '-q', '--ff-only', 'upstream'));
  assert.equal(await w.whose('a.txt'), 'while One a.txt');
});

test('4. stash and pop', TIMEOUT, async t => {
  const w = await world(t);
  await w.one.begin();
  await w.one.command('edit', () => w.write('a.txt', 'agent\n'));
  assert.equal(await w.whose(), 'One a.txt');
  git(w.root, 'stash', '-q');
  assert.equal(await w.whose('a.txt'), '');
  git(w.root, 'stash', 'pop', '-q');
  assert.equal(await w.whose('a.txt'), 'One a.txt');
});

test('a stash that was popped before the turn explains nothing', TIMEOUT, async t => {
  const w = await world(t);
  w.write('a.txt', 'stashed\n');
  await w.whose('a.txt');
  git(w.root, 'stash', '-q');
  await w.whose('a.txt');
  git(w.root, 'stash', 'pop', '-q');
  await w.whose('a.txt');
  git(w.root, 'checkout', '-q', 'a.txt');
  await w.whose('a.txt');
  await w.one.begin();
  await w.one.command('edit', () => w.write('a.txt', 'stashed\n'));
  assert.equal(await w.whose(), 'One a.txt');
});

test(
  'what git did before a turn explains nothing of it, also while an earlier turn is open',
  TIMEOUT,
  async t => {
    const w = await world(t);
    await w.two.begin();
    w.write('a.txt', 'stashed\n');
    await w.whose('a.txt');
    git(w.root, 'stash', '-q');
    await w.whose('a.txt');
    git(w.root, 'stash', 'pop', '-q');
    await w.whose('a.txt');
    git(w.root, 'checkout', '-q', 'a.txt');
    await w.whose('a.txt');
    await w.one.begin();
    await w.one.command('edit', () => w.write('a.txt', 'stashed\n'));
    assert.equal(await w.whose(), 'One a.txt');
  },
);

test('5. a watcher or a code generator writes', TIMEOUT, async t => {
  const w = await world(t);
  await w.one.begin();
  w.call(w.one, 'a.txt');
  w.write('a.txt', 'edited\n');
  w.done(w.one, 'a.txt');
  await w.whose('a.txt');
  w.write('generated.txt', 'made of it\n');
  assert.equal(await w.whose('generated.txt'), 'One a.txt, while One generated.txt');
});

test('6. a background process of the agent writes after its turn', TIMEOUT, async t => {
  const w = await world(t);
  await w.one.begin();
  w.children.add('job');
  w.one.finish();
  assert.equal(await w.whose(), '');
  w.write('a.txt', 'later\n');
  assert.equal(await w.whose('a.txt'), 'while One a.txt');
  // Another turn does not make it another’s.
  await w.one.begin();
  w.one.finish();
  w.write('b.txt', 'later still\n');
  assert.equal(await w.whose('b.txt'), 'while One a.txt, while One b.txt');
  w.children.clear();
  await w.tracker.poll();
  w.write('c.txt', 'the user\n');
  assert.equal(await w.whose('c.txt'), 'while One a.txt, while One b.txt');
});

test('what a background process wrote last is found when it has ended', TIMEOUT, async t => {
  const w = await world(t);
  await w.one.begin();
  w.children.add('job');
  w.one.finish();
  await w.tracker.idle();
  w.write('a.txt', 'without an event\n');
  w.children.clear();
  await w.tracker.poll();
  assert.equal(await w.whose(), 'while One a.txt');
});

test('who says that it was not the agent ends the waiting for what it left running', async t => {
  const w = await world(t);
  await w.one.begin();
  w.children.add('server');
  w.one.finish();
  await w.tracker.idle();
  w.write('a.txt', 'mine\n');
  assert.equal(await w.whose('a.txt'), 'while One a.txt');
  await w.review.notTheAgents();
  w.write('b.txt', 'mine\n');
  assert.equal(await w.whose('b.txt'), '');
});

test('7. a tool of an MCP server writes', TIMEOUT, async t => {
  const w = await world(t);
  await w.one.begin();
  w.one.call('mcp', { toolKind: 'other', title: 'Generate', status: 'running' });
  w.write('a.txt', 'by a tool\n');
  assert.equal(await w.whose('a.txt'), 'One a.txt');
});

test('8. a subagent edits', TIMEOUT, async t => {
  const w = await world(t);
  await w.one.begin();
  w.one.call('task', { toolKind: 'think', title: 'Task', status: 'running' });
  const edit = { parentToolCallId: 'task', toolKind: 'edit', title: 'Edit' } as const;
  w.one.call('edit', { ...edit, status: 'running', locations: [{ path: w.file('a.txt') }] });
  w.write('a.txt', 'by a subagent\n');
  w.one.call('edit', { status: 'completed' });
  assert.equal(await w.whose('a.txt'), 'One a.txt');
});

test('9. two chats edit one file', TIMEOUT, async t => {
  const w = await world(t);
  await w.one.begin();
  await w.two.begin();
  w.write('a.txt', 'who?\n');
  assert.equal(await w.whose('a.txt'), 'while One+Two a.txt');
  w.call(w.one, 'b.txt');
  w.write('b.txt', 'b\none\n');
  assert.equal(await w.whose('b.txt'), 'while One+Two a.txt, One b.txt');
  w.done(w.one, 'b.txt');
  await w.two.command('edit', () => w.write('b.txt', 'two\nb\none\n'));
  w.call(w.two, 'c.txt');
  w.write('c.txt', 'two\n');
  assert.equal(await w.whose('c.txt'), 'while One+Two a.txt, One b.txt, Two c.txt');
});

test(
  '10. an edit outside any tool call, and one that is named only afterwards',
  TIMEOUT,
  async t => {
    const w = await world(t);
    await w.one.begin();
    w.one.call('read', { toolKind: 'read', title: 'Read', status: 'running' });
    w.one.call('read', { status: 'completed' });
    w.write('a.txt', 'unannounced\n');
    w.write('b.txt', 'announced late\n');
    assert.equal(await w.whose('a.txt', 'b.txt'), 'while One a.txt, while One b.txt');
    const locations = [{ path: w.file('b.txt') }];
    w.one.call('late', { toolKind: 'edit', title: 'Edit', status: 'completed', locations });
    assert.equal(await w.whose(), 'while One a.txt, One b.txt');
    w.one.finish();
    assert.equal(await w.whose(), 'while One a.txt, One b.txt');
  },
);

/** A commit keeps when the user makes it. */
const commitIn = (root: string) => git(root, 'commit', '-qam', 'done');

test("what an agent's command commits stays to be decided, whatever is heard of first", async t => {
  for (const isSeenFirst of [true, false]) {
    const w = await world(t);
    await w.one.begin();
    await w.one.command('edit and commit', async () => {
      w.write('a.txt', 'agent\n');
      if (isSeenFirst) assert.equal(await w.whose('a.txt'), 'One a.txt');
      commitIn(w.root);
    });
    assert.match(await w.whose(), /^(One|while One) a\.txt$/);
    w.one.finish();
    assert.match(await w.whose('a.txt'), /^(One|while One) a\.txt$/);
    assert.deepEqual((await w.review.undo({ kind: 'all' })).failures, []);
    assert.equal(readFileSync(w.file('a.txt'), 'utf8'), 'a\n');
  }
});

test('what an agent commits before the first look is over stays, too', TIMEOUT, async t => {
  const firstLook = new Deferred<void>();
  const w = await world(t, () => {}, firstLook.promise);
  await w.one.begin();
  await w.one.command('edit and commit', () => {
    w.write('a.txt', 'agent\n');
    commitIn(w.root);
    firstLook.resolve();
  });
  assert.match(await w.whose('a.txt'), /One a\.txt$/);
});

test('what the user commits between two commands is kept', TIMEOUT, async t => {
  const w = await world(t);
  await w.one.begin();
  await w.one.command('edit', () => w.write('a.txt', 'agent\n'));
  commitIn(w.root);
  await w.one.command('make', () => w.write('b.txt', 'built\n'));
  assert.equal(await w.whose(), 'One b.txt');
});

test("what an agent's git takes away of uncommitted work is shown", TIMEOUT, async t => {
  const w = await world(t, root => writeFileSync(path.join(root, 'a.txt'), 'not committed\n'));
  await w.one.begin();
  await w.one.command('checkout', () => git(w.root, 'checkout', '-q', '--', '.'));
  assert.match(await w.whose('a.txt'), /One a\.txt/);
  await w.review.undo({ kind: 'all' });
  assert.equal(readFileSync(w.file('a.txt'), 'utf8'), 'not committed\n');
});

test('uncommitted text that an agent takes away without git is shown', TIMEOUT, async t => {
  const w = await world(t, root => writeFileSync(path.join(root, 'a.txt'), 'not committed\n'));
  await w.one.begin();
  w.write('a.txt', 'a\n');
  assert.equal(await w.whose('a.txt'), 'while One a.txt');
});

/** What happens to a file that an agent made before it makes it again, and whether that was looked at by then. */
const WAYS_TO_GO = ['kept, then gone', 'gone while pending', 'gone, then kept'] as const;
for (const way of WAYS_TO_GO) {
  for (const isSeen of [true, false]) {
    test(
      `a file that is made again just as it was is pending: ${way}${isSeen ? '' : ', unseen'}`,
      TIMEOUT,
      async t => {
        const w = await world(t);
        await w.one.begin();
        w.one.finish();
        await w.one.begin();
        w.write('made.txt', 'made\n');
        assert.equal(await w.whose('made.txt'), 'while One made.txt');
        w.one.finish();
        await w.tracker.idle();
        const keep = () => w.review.keep({ kind: 'all' });
        if (way === 'kept, then gone') await keep();
        rmSync(w.file('made.txt'));
        if (isSeen) assert.equal(await w.whose('made.txt'), '');
        if (way === 'gone, then kept') await keep();
        await w.one.begin();
        await w.one.command('make', () => w.write('made.txt', 'made\n'));
        assert.equal(await w.whose('made.txt'), 'One made.txt');
      },
    );
  }
}
for (const isTold of [true, false]) {
  test(
    `a repository goes, ${isTold ? 'and events tell' : 'no event tells'} of what an agent does then`,
    TIMEOUT,
    async t => {
      const w = await world(t);
      await w.one.begin();
      w.one.finish();
      await w.whose();
      rmSync(w.file('.git'), { recursive: true });
      rmSync(w.file('c.txt'));
      w.write('user.txt', 'mine\n');
      await w.whose('c.txt', 'user.txt');
      await w.one.begin();
      await w.one.command('make', () => {
        w.write('a.txt', 'changed\n');
        w.write('c.txt', 'again\n');
        w.write('new.txt', 'new\n');
        rmSync(w.file('user.txt'));
      });
      w.one.finish();
      const told = isTold ? ['a.txt', 'c.txt', 'new.txt', 'user.txt'] : [];
      assert.equal(await w.whose(...told), 'One a.txt, One c.txt, One new.txt, One user.txt');
    },
  );
}
