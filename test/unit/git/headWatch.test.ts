import assert from 'node:assert/strict';
import * as path from 'node:path';
import { test } from 'node:test';
import type { Event } from '../../../src/base/event';
import { gitProcess } from '../../../src/git/gitProcess';
import { HeadWatch } from '../../../src/git/headWatch';
import { GitRepositories } from '../../../src/git/repositories';
import { git, repositoryIn, temporaryFolder, writeFiles } from './support';

function next(event: Event<void>): Promise<void> {
  return new Promise(resolve => {
    const subscription = event(() => {
      subscription.dispose();
      resolve();
    });
  });
}

for (const [what, run] of [
  ['commit', (root: string) => git(root, 'commit', '-q', '-am', 'second')],
  ['checkout', (root: string) => git(root, 'checkout', '-q', '-b', 'other')],
  ['stash', (root: string) => git(root, 'stash', '-q')],
  ['reset --soft', (root: string) => git(root, 'reset', '-q', '--soft', 'HEAD~1')],
  ['reset --hard', (root: string) => git(root, 'reset', '-q', '--hard')],
  ['add', (root: string) => git(root, 'add', '-A')],
] as const) {
  test(`${what} is told`, { timeout: 20_000 }, async t => {
    const root = temporaryFolder();
    repositoryIn(root, { 'a.txt': 'a\n' });
    git(root, 'commit', '-q', '--allow-empty', '-m', 'more');
    writeFiles(root, { 'a.txt': 'changed\n' });
    const repository = await new GitRepositories(gitProcess()).of(path.join(root, 'a.txt'));
    assert.ok(repository);
    const watch = new HeadWatch(repository);
    t.after(() => watch.dispose());
    const moved = next(watch.onDidMove);
    run(root);
    await moved;
  });
}
