/** What users do to files under review: move, delete, bring back, ignore. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { test, type TestContext } from 'node:test';
import { repositoryIn, temporaryFolder, writeFiles } from '../../git/support';
import { reviewed, shell, type Reviewed } from './support';

const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
const FILES = { 'src/a.txt': LINES, 'src/b.txt': 'b\n', 'c.txt': 'c\n' };
const ALL = { kind: 'all' } as const;
const TIMEOUT = { timeout: 60_000 };
const read = (file: string) => readFileSync(file, 'utf8');

interface World extends Reviewed {
  readonly root: string;
  readonly store: string;
  file(name: string): string;
  names(): string;
  agent(command: string): Promise<void>;
}

async function world(t: TestContext, inGit = true): Promise<World> {
  const root = temporaryFolder();
  const store = temporaryFolder();
  if (inGit) repositoryIn(root, FILES);
  else writeFiles(root, FILES);
  const parts = await reviewed(t, [root], store);
  let turns = 0;
  return {
    ...parts,
    root,
    store,
    file: name => path.join(root, name),
    names: () =>
      parts.review.pending
        .map(({ path: file, change }) => `${change} ${path.relative(root, file)}`)
        .join(', '),
    async agent(command) {
      const turn = await parts.start(String(++turns));
      await shell(root, command);
      parts.end(turn);
      await parts.tracker.idle();
    },
  };
}

/** The user moves it in the Explorer: done first, told then. What the disk tells of it may come before. */
async function move(
  w: World,
  from: string,
  to: string,
  early: readonly string[] = [],
): Promise<void> {
  mkdirSync(path.dirname(w.file(to)), { recursive: true });
  renameSync(w.file(from), w.file(to));
  for (const name of early) {
    w.tracker.touch(w.file(name));
    await w.tracker.idle();
  }
  await w.tracker.managed([{ from: w.file(from), to: w.file(to) }]);
  for (const name of [from, to]) w.tracker.touch(w.file(name));
  await w.tracker.idle();
}

async function remove(w: World, name: string): Promise<void> {
  rmSync(w.file(name), { recursive: true });
  await w.tracker.managed([{ from: w.file(name) }]);
  w.tracker.touch(w.file(name));
  await w.tracker.idle();
}

for (const inGit of [true, false]) {
  const where = inGit ? 'in a repository' : 'without git';

  for (const early of [[], ['src/a.txt'], ['lib/moved.txt']]) {
    const when = early.length === 0 ? '' : `, told of ${early.join()} first`;
    test(
      `${where}: what is pending goes along with a file that the user moves${when}`,
      TIMEOUT,
      async t => {
        const w = await world(t, inGit);
        await w.agent("sed -i -e 's/two/TWO/' -e 's/six/SIX/' src/a.txt");
        const [first] = w.review.get(w.file('src/a.txt'))?.hunks ?? [];
        assert.ok(first);
        await w.review.undo({ kind: 'hunk', path: w.file('src/a.txt'), hunkId: first.id });
        await move(w, 'src/a.txt', 'lib/moved.txt', early);
        assert.equal(w.names(), 'modified lib/moved.txt');
        assert.equal(w.review.get(w.file('lib/moved.txt'))?.hunks.length, 1);
        await w.review.redo();
        assert.equal(w.review.get(w.file('lib/moved.txt'))?.hunks.length, 2);
        assert.deepEqual((await w.review.undo(ALL)).failures, []);
        assert.equal(read(w.file('lib/moved.txt')), LINES);
        assert.deepEqual(readdirSync(w.file('src')), ['b.txt']);
        // Restoring to before the prompt finds the file where it is now, too.
        await w.review.redo();
        assert.deepEqual(await w.rewind.restoreFiles('chat', ['1']), []);
        assert.equal(read(w.file('lib/moved.txt')), LINES);
      },
    );
  }

  test(
    `${where}: a folder that the user moves takes along what is pending in it`,
    TIMEOUT,
    async t => {
      const w = await world(t, inGit);
      await w.agent("sed -i 's/two/TWO/' src/a.txt; rm src/b.txt; echo new > src/new.txt");
      await move(w, 'src', 'lib/src');
      assert.equal(
        w.names(),
        'modified lib/src/a.txt, deleted lib/src/b.txt, created lib/src/new.txt',
      );
      assert.deepEqual((await w.review.undo(ALL)).failures, []);
      assert.equal(read(w.file('lib/src/a.txt')), LINES);
      assert.equal(read(w.file('lib/src/b.txt')), 'b\n');
    },
  );

  test(`${where}: moved by a command of the user's own, between turns`, TIMEOUT, async t => {
    const w = await world(t, inGit);
    await w.agent("sed -i 's/two/TWO/' src/a.txt");
    await shell(w.root, 'mv src/a.txt elsewhere.txt');
    for (const name of ['src/a.txt', 'elsewhere.txt']) w.tracker.touch(w.file(name));
    await w.tracker.idle();
    assert.equal(w.names(), 'modified elsewhere.txt');
  });

  test(
    `${where}: a user's move during a turn is the user's, contents and all`,
    TIMEOUT,
    async t => {
      const w = await world(t, inGit);
      const turn = await w.start('1');
      await move(w, 'src', 'moved');
      await shell(w.root, 'echo x >> c.txt');
      w.end(turn);
      await w.tracker.idle();
      assert.equal(w.names(), 'modified c.txt');
    },
  );

  test(`${where}: deleted by the user, and brought back as it was`, TIMEOUT, async t => {
    const w = await world(t, inGit);
    await w.agent("sed -i 's/two/TWO/' src/a.txt; echo x >> c.txt");
    const text = read(w.file('src/a.txt'));
    await remove(w, 'src');
    assert.equal(w.names(), 'modified c.txt');
    mkdirSync(w.file('src'));
    writeFileSync(w.file('src/a.txt'), text);
    await w.tracker.managed([{ to: w.file('src/a.txt') }]);
    assert.equal(w.names(), 'modified c.txt, modified src/a.txt');
    assert.deepEqual((await w.review.undo(ALL)).failures, []);
    assert.equal(read(w.file('src/a.txt')), LINES);

    await w.review.redo();
    await remove(w, 'src/a.txt');
    writeFileSync(w.file('src/a.txt'), 'something else\n');
    await w.tracker.managed([{ to: w.file('src/a.txt') }]);
    assert.equal(w.names(), 'modified c.txt', "another file of that name is the user's");
  });
}

test('back to where an agent had moved it from: only what it changed is left', TIMEOUT, async t => {
  const w = await world(t);
  await w.agent("mv src/a.txt away.txt; sed -i 's/two/TWO/' away.txt");
  assert.equal(w.names(), 'renamed away.txt');
  await move(w, 'away.txt', 'src/a.txt');
  assert.equal(w.names(), 'modified src/a.txt');
  await w.review.undo(ALL);
  assert.equal(read(w.file('src/a.txt')), LINES);
});

test('what the user ignores from now on is not kept any more', TIMEOUT, async t => {
  const w = await world(t);
  writeFileSync(w.file('mine.env'), 'MINE=secret\n');
  await w.agent("echo TOKEN=secret > agent.env; sed -i 's/two/TWO/' src/a.txt");
  const stored = () =>
    readdirSync(path.join(w.store, 'blobs'))
      .map(name => read(path.join(w.store, 'blobs', name)))
      .concat(read(path.join(w.store, 'review.json')))
      .join('\n');
  await w.storage.flush();
  assert.match(stored(), /TOKEN=secret/);
  writeFileSync(w.file('.gitignore'), '*.env\n');
  w.tracker.touch(w.file('.gitignore'));
  await w.tracker.idle();
  assert.equal(w.names(), 'modified src/a.txt');
  await w.storage.flush();
  assert.doesNotMatch(stored(), /secret|agent\.env|mine\.env/);
  assert.match(stored(), /TWO/);
});

test(
  'of two agents in one file each has its hunks, and an undo of one leaves the other',
  TIMEOUT,
  async t => {
    const w = await world(t);
    const one = await w.start('1', 'one');
    w.tracker.named(one, [w.file('src/a.txt')]);
    const two = await w.start('2', 'two');
    await shell(w.root, "sed -i 's/two/TWO/' src/a.txt");
    await w.until(() => w.review.pending.length === 1);
    w.end(one);
    await w.tracker.idle();
    await shell(w.root, "sed -i 's/six/SIX/' src/a.txt");
    w.tracker.touch(w.file('src/a.txt'));
    w.end(two);
    await w.tracker.idle();
    assert.deepEqual(
      w.review.get(w.file('src/a.txt'))?.hunks.map(({ turns }) => turns),
      [[one], [two]],
    );
    await w.review.undo({ kind: 'turn', turn: one });
    assert.equal(read(w.file('src/a.txt')), LINES.replace('six', 'SIX'));
    await w.review.redo();
    await w.review.undo({ kind: 'chat', chatId: 'two' });
    assert.equal(read(w.file('src/a.txt')), LINES.replace('two', 'TWO'));
  },
);

test(
  'the agent writes, the user edits inside of that, the agent writes again',
  TIMEOUT,
  async t => {
    const w = await world(t);
    const a = w.file('src/a.txt');
    await w.agent("sed -i -e 's/three/THREE/' -e 's/four/FOUR/' src/a.txt");
    w.files.type(a, read(a).replace('THREE\n', 'THREE\nmine\n').replace('one', 'ONE'));
    w.tracker.saved(a, await w.files.save(a));
    await w.tracker.idle();
    await w.agent("sed -i 's/FOUR/VIER/' src/a.txt");
    const [hunk] = w.review.get(a)?.hunks ?? [];
    assert.deepEqual(
      [hunk?.current, hunk?.baseline],
      [
        { start: 2, count: 3 },
        { start: 2, count: 2 },
      ],
    );
    await w.review.undo(ALL);
    assert.equal(read(a), LINES.replace('one', 'ONE'));
  },
);
