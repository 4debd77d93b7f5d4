import assert from 'node:assert/strict';
import * as path from 'node:path';
import { test } from 'node:test';
import { gitProcess } from '../../../src/git/gitProcess';
import { GitRepositories } from '../../../src/git/repositories';
import { repositoryIn, temporaryFolder, writeFiles } from './support';

/** Windows takes 32,767 characters; the rest is for git, its options and its folder. */
const MOST = 26_000;

test('many long paths are asked about without a command line that is too long', async () => {
  const root = temporaryFolder();
  const folder = 'long/'.repeat(30);
  const names = Array.from({ length: 400 }, (_, index) => `${folder}${index}.txt`);
  const [first = '', last = ''] = [names[0], names.at(-1)];
  repositoryIn(root, { [first]: 'first\n', [last]: 'last\n' });
  const lengths: number[] = [];
  const git = gitProcess();
  const repositories = new GitRepositories((args, options) => {
    lengths.push(args.join(' ').length);
    return git(args, options);
  });
  const repository = await repositories.of(path.join(root, first));
  assert.ok(repository);

  const entries = await repository.entriesAt('HEAD', names);
  assert.deepEqual(
    [...(entries ?? [])].flatMap(([name, { kind }]) => (kind === 'file' ? [name] : [])),
    [first, last],
  );
  writeFiles(root, { [first]: 'changed\n', [last]: 'changed\n' });
  const changed = await repository.status(names);
  assert.deepEqual(
    changed?.map(one => one.path),
    [first, last],
  );
  assert.ok(Math.max(...lengths) < MOST, `${Math.max(...lengths)} characters`);
  assert.ok(lengths.filter(length => length > MOST / 2).length >= 4, 'nor in ones that are short');
});
