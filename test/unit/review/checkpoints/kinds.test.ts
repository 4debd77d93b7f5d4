/** Files that become something else, and names and contents that are odd. */
import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import * as path from 'node:path';
import { test, type TestContext } from 'node:test';
import { git, repositoryIn, temporaryFolder, writeFiles } from '../../git/support';
import { passFileClock, reviewed, shell, type Reviewed } from './support';

interface World extends Reviewed {
  readonly root: string;
  file(name: string): string;
  /** Runs `command` as an agent would, in a turn that ends with it, and waits until all is found out. */
  agent(command: string): Promise<void>;
  names(): string;
}

async function world(
  t: TestContext,
  inGit: boolean,
  files: Readonly<Record<string, string>>,
  prepare: (root: string) => void = () => undefined,
): Promise<World> {
  const root = temporaryFolder();
  writeFiles(root, files);
  prepare(root);
  if (inGit) repositoryIn(root, {});
  const parts = await reviewed(t, [root], temporaryFolder());
  let turns = 0;
  return {
    ...parts,
    root,
    file: name => path.join(root, name),
    async agent(command) {
      const turn = await parts.start(String(++turns));
      await shell(root, command);
      parts.end(turn);
      await parts.tracker.idle();
    },
    names: () =>
      parts.review.pending
        .map(({ path: file, change }) => `${change} ${path.relative(root, file)}`)
        .join(', '),
  };
}

const read = (file: string) => readFileSync(file, 'utf8');
const ALL = { kind: 'all' } as const;
const TIMEOUT = { timeout: 60_000 };

for (const inGit of [true, false]) {
  const where = inGit ? 'in a repository' : 'without git';

  test(`${where}: a file becomes a folder, a folder a file`, TIMEOUT, async t => {
    const w = await world(t, inGit, { file: 'file\n', 'folder/in/a': 'a\n', 'folder/b': 'b\n' });
    await w.agent('rm file; mkdir file; echo x > file/x; rm -r folder; echo now > folder');
    assert.equal(
      w.names(),
      'deleted file, created file/x, created folder, deleted folder/b, deleted folder/in/a',
    );
    assert.deepEqual((await w.review.undo(ALL)).failures, []);
    assert.equal(read(w.file('file')), 'file\n');
    assert.equal(read(w.file('folder/in/a')), 'a\n');
    assert.equal(read(w.file('folder/b')), 'b\n');
    assert.equal(w.names(), '');
  });

  test(
    `${where}: a file is replaced by a link, which an undo does not write through`,
    TIMEOUT,
    async t => {
      const w = await world(t, inGit, { 'a.txt': 'a\n', 'b.txt': 'b\n' });
      const outside = path.join(temporaryFolder(), 'outside.txt');
      writeFileSync(outside, 'not to be touched\n');
      await w.agent(`ln -sf ${outside} a.txt`);
      assert.equal(w.names(), 'deleted a.txt');
      assert.deepEqual((await w.review.undo(ALL)).failures, []);
      assert.equal(lstatSync(w.file('a.txt')).isFile(), true);
      assert.equal(read(w.file('a.txt')), 'a\n');
      assert.equal(read(outside), 'not to be touched\n');
    },
  );

  test(`${where}: what replaces a link can be kept, and is not made up`, TIMEOUT, async t => {
    const w = await world(t, inGit, { 'a.txt': 'a\n' }, root =>
      symlinkSync('a.txt', path.join(root, 'link')),
    );
    await w.agent('rm link; echo now > link');
    const [file] = w.review.pending;
    assert.deepEqual([file?.path, file?.baselineUnknown], [w.file('link'), true]);
    assert.equal((await w.review.undo(ALL)).failures.length, 1);
    assert.equal(read(w.file('link')), 'now\n');
    await w.review.keep(ALL);
    assert.equal(w.names(), '');
    await w.agent('ln -sf nowhere other');
    assert.equal(readlinkSync(w.file('other')), 'nowhere');
    assert.equal(w.names(), '', 'a new link is nothing to review');
  });

  test(
    `${where}: modes survive an undo, and what is undone comes back with its own`,
    TIMEOUT,
    async t => {
      const w = await world(t, inGit, { 'run.sh': 'echo\n', 'gone.sh': 'echo\n' }, root => {
        chmodSync(path.join(root, 'run.sh'), 0o755);
        chmodSync(path.join(root, 'gone.sh'), 0o755);
      });
      await w.agent(
        "chmod +x run.sh; echo x >> run.sh; rm gone.sh; printf 'caf\\351\\n' > new.sh; chmod 700 new.sh",
      );
      assert.equal(w.names(), 'deleted gone.sh, created new.sh, modified run.sh');
      const mode = (name: string) => statSync(w.file(name)).mode & 0o777;
      await w.review.undo(ALL);
      assert.deepEqual([mode('run.sh'), mode('gone.sh')], [0o755, 0o755]);
      assert.equal(existsSync(w.file('new.sh')), false);
      await w.review.redo();
      assert.equal(mode('new.sh'), 0o700);
      assert.equal(mode('run.sh'), 0o755);
      await w.agent('chmod 600 run.sh');
      assert.equal(w.names(), 'deleted gone.sh, created new.sh, modified run.sh');
    },
  );

  test(`${where}: odd names, deep trees, nothing and no last newline`, TIMEOUT, async t => {
    const deep = Array.from({ length: 60 }, (_, index) => `level ${index}`).join('/');
    const names = [
      'a b.txt',
      'line\nfeed.txt',
      'ü \u{1F99C}.txt',
      `${deep}/f`,
      '-n',
      '*.txt',
      ':(top)x',
    ];
    const w = await world(t, inGit, Object.fromEntries(names.map(name => [name, name])));
    writeFileSync(w.file('empty'), '');
    if (inGit) git(w.root, 'add', '-A');
    w.tracker.touch(w.file('empty'));
    await w.tracker.settled();
    await w.agent(
      "find . -type f -not -path './.git/*' -exec sh -c 'for f; do printf more >> \"$f\"; done' sh {} +",
    );
    assert.deepEqual(
      w.review.pending.map(({ path: file }) => path.relative(w.root, file)),
      [...names, 'empty'].sort(),
    );
    assert.deepEqual((await w.review.undo(ALL)).failures, []);
    for (const name of names) assert.equal(read(w.file(name)), name);
    assert.equal(read(w.file('empty')), '');
    await w.agent(": > 'a b.txt'");
    await w.agent("printf 'x\\r\\ny\\n' > 'a b.txt'");
    await w.review.undo(ALL);
    assert.equal(read(w.file('a b.txt')), 'a b.txt');
  });

  test(`${where}: line ends are changes too`, TIMEOUT, async t => {
    const w = await world(t, inGit, {
      'a.txt': 'one\r\ntwo\r\n',
      'mixed.txt': 'one\r\ntwo\nthree',
    });
    await w.agent("sed -i 's/\\r$//' a.txt mixed.txt");
    assert.equal(w.names(), 'modified a.txt, modified mixed.txt');
    assert.deepEqual((await w.review.undo(ALL)).failures, []);
    assert.equal(read(w.file('a.txt')), 'one\r\ntwo\r\n');
    assert.equal(read(w.file('mixed.txt')), 'one\r\ntwo\nthree');
  });

  test(`${where}: large files are known, but not kept`, TIMEOUT, async t => {
    const w = await world(t, inGit, { 'a.txt': 'a\n' }, root => {
      writeFileSync(path.join(root, 'large.bin'), '');
      truncateSync(path.join(root, 'large.bin'), 200 * 1024 * 1024);
      if (inGit) writeFiles(root, { '.gitattributes': 'large.bin -delta\n' });
    });
    const before = await w.blobs.size();
    await w.agent('echo x >> large.bin; truncate -s 200M new.bin; echo x >> a.txt');
    assert.equal(w.names(), 'modified a.txt, modified large.bin, created new.bin');
    const { failures } = await w.review.undo(ALL);
    assert.deepEqual(
      failures.map(({ path: file }) => file),
      [w.file('large.bin')],
    );
    assert.equal(existsSync(w.file('new.bin')), false);
    assert.ok((await w.blobs.size()) - before < 1_000);
  });

  test(`${where}: what may not be read stays what it was`, TIMEOUT, async t => {
    const w = await world(t, inGit, { 'a.txt': 'a\n', 'b.txt': 'b\n' });
    await w.agent('echo x >> a.txt');
    // In one step: a file that is gone for a moment would be a deleted one.
    await w.agent('mkfifo pipe other; mv other b.txt');
    assert.equal(w.names(), 'modified a.txt');
    assert.deepEqual((await w.review.undo(ALL)).failures, []);
  });
}

test('without git, what tools make is left out, but not what an agent names', TIMEOUT, async t => {
  const w = await world(t, false, { 'a.txt': 'a\n', 'dist/old.js': 'old\n' });
  mkdirSync(w.file('dist/deep'));
  // The file system's clock is coarser than ours: what is this new counts as of the turn.
  passFileClock();
  const turn = await w.start('1');
  await w.tracker.record(turn, w.file('dist/written.js'), async () => {
    writeFileSync(w.file('dist/written.js'), 'written\n');
  });
  w.tracker.named(turn, ['dist/old.js', 'dist/deep/named.js', 'x.hidden'].map(w.file));
  await w.tracker.settled();
  await shell(
    w.root,
    'echo x >> dist/old.js; echo x > dist/deep/named.js; echo x > dist/built.js; echo x > x.hidden',
  );
  w.end(turn);
  w.tracker.touch(w.file('dist/old.js'));
  w.tracker.touch(w.file('dist/deep/named.js'));
  await w.tracker.idle();
  assert.equal(
    w.names(),
    'created dist/deep/named.js, modified dist/old.js, created dist/written.js',
  );
  await w.review.undo(ALL);
  assert.equal(read(w.file('dist/old.js')), 'old\n');
  assert.equal(existsSync(w.file('dist/written.js')), false);
});

test(
  'without git, a file in a left out folder that is named too late is not called new',
  TIMEOUT,
  async t => {
    const w = await world(t, false, { 'dist/old.js': 'old\n' });
    const turn = await w.start('1');
    await shell(w.root, 'echo x >> dist/old.js');
    w.tracker.named(turn, [w.file('dist/old.js')]);
    await w.tracker.settled();
    w.tracker.touch(w.file('dist/old.js'));
    await w.tracker.idle();
    assert.equal(w.review.get(w.file('dist/old.js'))?.baselineUnknown, true);
  },
);

test('without git, what a folder got before it was watched is found', TIMEOUT, async t => {
  const w = await world(t, false, { 'a.txt': 'a\n' });
  w.files.stopWatching();
  await w.agent('mkdir -p new/deep; echo x > new/deep/x; echo y >> a.txt; mkdir empty');
  assert.equal(w.names(), 'modified a.txt, created new/deep/x');
});

test('a file that is being written is read again when it is done', TIMEOUT, async t => {
  const w = await world(t, true, { 'a.txt': 'a\n' });
  const line = 'x'.repeat(1_000);
  await w.agent(`for i in 1 2 3 4 5 6 7 8 9 10; do echo ${line} >> a.txt; sync a.txt; done`);
  const file = w.review.get(w.file('a.txt'));
  assert.deepEqual(file?.current, { kind: 'text', text: `a\n${`${line}\n`.repeat(10)}` });
});
