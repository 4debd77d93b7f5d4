import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';
import { gitProcess } from '../../../src/git/gitProcess';
import { GitRepositories } from '../../../src/git/repositories';
import { readFiles } from '../../../src/git/treeFiles';
import { git, repositoryIn, temporaryFolder, writeFiles } from './support';

const repositories = () => new GitRepositories(gitProcess());

test('a repository tells its root, its HEAD and what differs from it', async () => {
  const root = temporaryFolder();
  repositoryIn(root, {
    'a.txt': 'a\n',
    'b c.txt': 'b\n',
    'gone.txt': 'x\n',
    '.gitignore': 'out/\n',
  });
  const repository = await repositories().of(path.join(root, 'deep', 'not', 'there.txt'));
  assert.ok(repository);
  assert.equal(repository.root, root);
  assert.equal(await repository.head(), git(root, 'rev-parse', 'HEAD').trim());
  assert.deepEqual(await repository.status(), []);

  writeFiles(root, { 'b c.txt': 'changed\n', 'neu ö "x".txt': 'new\n', 'out/built.js': 'x' });
  rmSync(path.join(root, 'gone.txt'));
  git(root, 'mv', 'a.txt', 'z.txt');
  const entries = await repository.status();
  assert.deepEqual(
    entries?.map(({ path: name, kind }) => `${kind} ${name}`).sort(),
    [
      'changed a.txt',
      'changed b c.txt',
      'changed gone.txt',
      'changed z.txt',
      'untracked neu ö "x".txt',
    ].sort(),
  );
  assert.deepEqual(
    (await repository.status(['b c.txt', '.gitignore']))?.map(entry => entry.path),
    ['b c.txt'],
  );
});

test('many files come in one go, each as a checkout would write it', async () => {
  const root = temporaryFolder();
  const many = Object.fromEntries(
    Array.from({ length: 1_200 }, (_, index) => [`many/${index}.txt`, `${index}\n`]),
  );
  repositoryIn(root, {
    ...many,
    '.gitattributes': '*.txt text eol=crlf\n',
    'a.txt': 'one\ntwo\n',
    'with space ö.bin': '\nblob 3\n\n',
    'line\nfeed.txt': 'x\n',
    empty: '',
  });
  const repository = await repositories().of(path.join(root, 'a.txt'));
  assert.ok(repository);
  const names = [
    'a.txt',
    'with space ö.bin',
    'line\nfeed.txt',
    'empty',
    'none',
    ...Object.keys(many),
  ];
  const entries = await repository.entriesAt('HEAD', names);
  assert.ok(entries);
  const read = await readFiles(repository, entries, 1_000);
  assert.equal(read.get('a.txt')?.toString(), 'one\r\ntwo\r\n');
  assert.equal(read.get('with space ö.bin')?.toString(), '\nblob 3\n\n');
  assert.equal(read.get('line\nfeed.txt')?.toString(), 'x\r\n');
  assert.equal(read.get('empty')?.length, 0);
  assert.equal(read.has('none'), false);
  for (const [name, text] of Object.entries(many)) {
    assert.equal(read.get(name)?.toString(), text.replace('\n', '\r\n'), name);
  }
  // The limit is for what a checkout writes, too.
  assert.equal((await readFiles(repository, entries, 9)).has('a.txt'), false);
});

test('what a commit has at paths: a file, a link, folders, nothing', async () => {
  const root = temporaryFolder();
  repositoryIn(root, { 'dir/a*.txt': 'a' });
  symlinkSync('dir', path.join(root, 'link'));
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'link');
  const repository = await repositories().of(path.join(root, 'x'));
  assert.ok(repository);
  const entries = await repository.entriesAt('HEAD', ['dir/a*.txt', 'link', 'dir', 'dir/a1.txt']);
  const kinds = [...(entries ?? [])].map(([name, { kind, size }]) => [name, kind, size]);
  assert.deepEqual(kinds, [
    ['dir', 'folder', 0],
    ['dir/a*.txt', 'file', 1],
    ['link', 'link', 3],
  ]);
  assert.deepEqual(await repository.filesBelow('HEAD', 'dir'), ['dir/a*.txt']);
});

test('ignored files are told in one go, and one odd path does not hide the others', async () => {
  const root = temporaryFolder();
  const inner = path.join(root, 'inner');
  repositoryIn(inner, { 'x.txt': 'x' });
  repositoryIn(root, { '.gitignore': '*.log\nout/\n', 'kept.log': '' });
  git(root, 'add', '-f', 'kept.log');
  symlinkSync('inner', path.join(root, 'link'));
  const repository = await repositories().of(path.join(root, 'a'));
  const ignored = await repository?.ignored([
    'a.txt',
    'a.log',
    'link/x.txt',
    'out/deep/b.js',
    'kept.log',
    'inner/x.txt',
  ]);
  assert.deepEqual([...(ignored ?? [])].sort(), ['a.log', 'out/deep/b.js']);
});

test('before the first commit there is no HEAD, and everything is untracked', async () => {
  const root = temporaryFolder();
  git(root, 'init', '-q');
  writeFiles(root, { 'a.txt': 'a' });
  const repository = await repositories().of(path.join(root, 'a.txt'));
  assert.equal(await repository?.head(), undefined);
  assert.deepEqual(
    (await repository?.status())?.map(entry => entry.path),
    ['a.txt'],
  );
});

test('linked work trees and submodules are repositories of their own', async () => {
  const folder = temporaryFolder();
  const root = path.join(folder, 'main');
  const library = path.join(folder, 'library');
  repositoryIn(library, { 'lib.txt': 'lib\n' });
  repositoryIn(root, { 'a.txt': 'a\n' });
  git(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'sub');
  git(root, 'commit', '-q', '-m', 'sub');
  git(root, 'worktree', 'add', '-q', path.join(folder, 'tree'), '-b', 'other');

  const all = repositories();
  const tree = await all.of(path.join(folder, 'tree', 'a.txt'));
  assert.equal(tree?.root, path.join(folder, 'tree'));
  assert.equal(tree.gitDir, path.join(root, '.git', 'worktrees', 'tree'));
  assert.equal(tree.commonDir, path.join(root, '.git'));
  const sub = await all.of(path.join(root, 'sub', 'lib.txt'));
  assert.equal(sub?.root, path.join(root, 'sub'));
  writeFileSync(path.join(root, 'sub', 'lib.txt'), 'changed\n');
  assert.deepEqual(
    (await sub.status())?.map(entry => entry.path),
    ['lib.txt'],
  );
});

test('no git, no repository, a bare and a broken one: nothing is told and nothing thrown', async () => {
  const folder = temporaryFolder();
  const plain = path.join(folder, 'plain', 'a.txt');
  mkdirSync(path.dirname(plain));
  assert.equal(await repositories().of(plain), undefined);

  repositoryIn(path.join(folder, 'repo'), { 'a.txt': 'a' });
  const inRepo = path.join(folder, 'repo', 'a.txt');
  const missing = new GitRepositories(gitProcess(path.join(folder, 'no-such-git')));
  assert.equal(await missing.of(inRepo), undefined);
  assert.equal(await new GitRepositories(gitProcess(), () => false).of(inRepo), undefined);

  mkdirSync(path.join(folder, 'broken', '.git'), { recursive: true });
  assert.equal(await repositories().of(path.join(folder, 'broken', 'a.txt')), undefined);

  git(folder, 'clone', '-q', '--bare', 'repo', path.join(folder, 'bare', '.git'));
  assert.equal(await repositories().of(path.join(folder, 'bare', 'a.txt')), undefined);
});

test('a status writes no index', async () => {
  const root = temporaryFolder();
  repositoryIn(root, { 'a.txt': 'a\n' });
  const repository = await repositories().of(path.join(root, 'a.txt'));
  const index = () => readFileSync(path.join(root, '.git', 'index'));
  // The same text at another time: git's own status would note that in the index.
  const later = new Date(Date.now() + 10_000);
  utimesSync(path.join(root, 'a.txt'), later, later);
  const before = index();
  assert.deepEqual(await repository?.status(), []);
  assert.deepEqual(index(), before);
  git(root, 'status');
  assert.notDeepEqual(index(), before, 'this is what would have been written');
});

test('a status runs no program that the repository names', async () => {
  const root = temporaryFolder();
  repositoryIn(root, { 'a.txt': 'a\n' });
  git(root, 'config', 'core.fsmonitor', 'touch ran; false');
  const repository = await repositories().of(path.join(root, 'a.txt'));
  assert.deepEqual(await repository?.status(), []);
  assert.ok(!existsSync(path.join(root, 'ran')));
  git(root, 'status');
  assert.ok(existsSync(path.join(root, 'ran')), 'git itself would have run it');
});
