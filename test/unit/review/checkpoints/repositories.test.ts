/** What the user's git does while something is pending, and what an agent does right after. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { test, type TestContext } from 'node:test';
import { git, repositoryIn, temporaryFolder } from '../../git/support';
import { reviewed, shell, type Reviewed } from './support';

const TIMEOUT = { timeout: 60_000 };
const BOM = '\uFEFF';

interface World extends Reviewed {
  readonly root: string;
  file(name: string): string;
  names(): readonly string[];
  told(...names: readonly string[]): Promise<void>;
  /** Resolves when HEAD is known to be where it is. */
  headSeen(): Promise<void>;
}

async function world(t: TestContext): Promise<World> {
  const root = temporaryFolder();
  repositoryIn(root, { 'a.txt': 'a\n', 'marked.txt': `${BOM}one\ntwo\n` });
  writeFileSync(path.join(root, 'mine.txt'), 'mine\n');
  const w = await reviewed(t, [root], temporaryFolder(), { isQuiet: true });
  return {
    ...w,
    root,
    file: name => path.join(root, name),
    names: () =>
      w.review.pending.map(({ path: file, change }) => `${change} ${path.relative(root, file)}`),
    async told(...names) {
      for (const name of names) w.tracker.touch(path.join(root, name));
      await w.tracker.settled();
    },
    async headSeen() {
      const head = git(root, 'rev-parse', 'HEAD').trim();
      const watched = await w.git.containing(root);
      await new Promise<void>(resolve => {
        if (watched?.head === head) return resolve();
        const subscription = w.git.onDidMove(() => {
          if (watched?.head !== head) return;
          subscription.dispose();
          resolve();
        });
      });
      await w.tracker.settled();
    },
  };
}

test(
  'what was never committed and an agent deletes is shown, also when the index moved',
  TIMEOUT,
  async t => {
    const w = await world(t);
    await w.start('1');
    await shell(w.root, 'rm mine.txt');
    git(w.root, 'add', 'a.txt');
    writeFileSync(w.file('staged.txt'), 'staged\n');
    git(w.root, 'add', 'staged.txt');
    await w.told('mine.txt');
    assert.deepEqual(w.names(), ['deleted mine.txt']);
    await w.review.undo({ kind: 'all' });
    assert.equal(readFileSync(w.file('mine.txt'), 'utf8'), 'mine\n');
  },
);

test(
  'a stash takes away what was never committed; once it is popped, an agent can',
  TIMEOUT,
  async t => {
    const w = await world(t);
    await w.start('1');
    git(w.root, 'stash', '-q', '--include-untracked');
    await w.told('mine.txt');
    assert.deepEqual(w.names(), []);
    git(w.root, 'stash', 'pop', '-q');
    await w.told('mine.txt');
    assert.deepEqual(w.names(), []);
    await shell(w.root, 'mv mine.txt moved.txt');
    await w.told('mine.txt', 'moved.txt');
    assert.deepEqual(w.names(), ['renamed moved.txt']);
  },
);

test('a commit says nothing of files that it does not have', TIMEOUT, async t => {
  const w = await world(t);
  await w.start('1');
  await shell(w.root, 'rm mine.txt');
  await w.told('mine.txt');
  writeFileSync(w.file('other.txt'), 'other\n');
  git(w.root, 'add', 'other.txt');
  git(w.root, 'commit', '-qm', 'other');
  await w.headSeen();
  assert.deepEqual(w.names(), ['deleted mine.txt']);
});

test('a moved file is one through a stash and back, whatever is told first', TIMEOUT, async t => {
  for (const order of [
    ['marked.txt', 'moved.txt'],
    ['moved.txt', 'marked.txt'],
  ]) {
    const w = await world(t);
    await w.start('1');
    await shell(w.root, 'mv marked.txt moved.txt');
    await w.told('marked.txt', 'moved.txt');
    assert.deepEqual(w.names(), ['renamed moved.txt']);
    git(w.root, 'stash', '-q', '--include-untracked');
    await w.told(...order);
    assert.deepEqual(w.names(), []);
    git(w.root, 'stash', 'pop', '-q');
    await w.told(...order);
    assert.deepEqual(w.names(), ['renamed moved.txt']);
  }
});

test(
  'a moved file comes back with its byte-order mark, also after it was stored',
  TIMEOUT,
  async t => {
    const w = await world(t);
    await w.start('1');
    await shell(w.root, 'mv marked.txt moved.txt');
    await w.told('marked.txt', 'moved.txt');
    await w.storage.flush();
    await w.review.undo({ kind: 'all' });
    assert.equal(readFileSync(w.file('marked.txt'), 'utf8'), `${BOM}one\ntwo\n`);
  },
);

test('the case of a name alone', TIMEOUT, async t => {
  const w = await world(t);
  await w.start('1');
  await shell(w.root, 'mv a.txt A.txt');
  await w.told('a.txt', 'A.txt');
  assert.deepEqual(w.names(), ['renamed A.txt']);
  assert.deepEqual((await w.review.undo({ kind: 'all' })).failures, []);
  assert.equal(readFileSync(w.file('a.txt'), 'utf8'), 'a\n');
  await w.review.redo();
  assert.equal(readFileSync(w.file('A.txt'), 'utf8'), 'a\n');
  await w.review.keep({ kind: 'all' });
  assert.deepEqual(w.names(), []);
});

test('the first commit of a repository that is made keeps', TIMEOUT, async t => {
  const root = temporaryFolder();
  writeFileSync(path.join(root, 'a.txt'), 'a\n');
  const {
    review,
    tracker,
    git: watched,
    start,
  } = await reviewed(t, [root], temporaryFolder(), {
    isQuiet: true,
  });
  const names = () => review.pending.map(({ path: file }) => path.relative(root, file));
  const told = async (name: string) => {
    tracker.touch(path.join(root, name));
    await tracker.settled();
  };
  await start('1');
  await shell(root, 'echo changed > a.txt; echo new > new.txt');
  await told('a.txt');
  await told('new.txt');
  assert.deepEqual(names(), ['a.txt', 'new.txt']);
  await shell(
    root,
    'git init -q && git add a.txt && git -c user.name=U -c user.email=u@x commit -qm first',
  );
  const moved = new Promise<void>(resolve => void watched.onDidMove(() => resolve()));
  tracker.touch(path.join(root, '.git', 'HEAD'));
  await moved;
  await tracker.settled();
  assert.deepEqual(names(), ['new.txt']);
});
