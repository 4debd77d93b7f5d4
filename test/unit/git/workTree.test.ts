import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { gitProcess } from '../../../src/git/gitProcess';
import { commitText, latestCommits, listFiles, uncommitted } from '../../../src/git/workTree';
import { git, repositoryIn, temporaryFolder, writeFiles } from './support';

const run = gitProcess();

function repository(): string {
  const folder = path.join(temporaryFolder(), 'work');
  repositoryIn(folder, {
    '.gitignore': 'dist/\n',
    'src/a.ts': 'one\n',
    'src/old.ts': 'old\n',
    'größe/日本.md': '#\n',
  });
  rmSync(path.join(folder, 'src/old.ts'));
  writeFiles(folder, { 'dist/out.js': '', 'src/new.ts': 'new\n', 'src/a.ts': 'two\n' });
  return folder;
}

describe('a work tree', () => {
  test('has the files that are there and not ignored, as paths from the folder', async () => {
    const folder = repository();
    assert.deepEqual([...((await listFiles(run, folder)) ?? [])].sort(), [
      '.gitignore',
      'größe/日本.md',
      'src/a.ts',
      'src/new.ts',
    ]);
    assert.deepEqual([...((await listFiles(run, path.join(folder, 'src'))) ?? [])].sort(), [
      'a.ts',
      'new.ts',
    ]);
  });

  test('is none where there is no git', async () => {
    const folder = temporaryFolder();
    assert.equal(await listFiles(run, folder), undefined);
    assert.equal(await uncommitted(run, folder), undefined);
    assert.deepEqual(await latestCommits(run, folder, 5), []);
    assert.equal(await listFiles(gitProcess('no-such-git'), repository()), undefined);
  });

  test('says what is not committed: what was changed, what went and what is new', async () => {
    const text = await uncommitted(run, repository());
    assert.match(text ?? '', /^ ?M src\/a\.ts$/m);
    assert.match(text ?? '', /^\?\? src\/new\.ts$/m);
    assert.match(text ?? '', /^-one\n\+two$/m);
    assert.match(text ?? '', /^-old$/m);
  });

  test('says nothing of what is outside the folder', async () => {
    const folder = repository();
    writeFiles(folder, { 'secret.txt': 'new\n', '.gitignore': 'changed\n' });
    git(folder, 'add', '.gitignore');
    const text = (await uncommitted(run, path.join(folder, 'src'))) ?? '';
    assert.match(text, /^\+two$/m);
    assert.match(text, /^\?\? new\.ts$/m);
    assert.doesNotMatch(text, /secret|gitignore|changed/);
  });

  test('runs no program that its configuration names, for what it says', async () => {
    const folder = repository();
    writeFiles(folder, { '.gitattributes': '*.ts diff=own\n' });
    git(folder, 'config', 'diff.own.textconv', 'echo ran');
    git(folder, 'config', 'diff.external', 'echo ran');
    assert.doesNotMatch((await uncommitted(run, folder)) ?? '', /^.?ran/m);
    const [commit] = await latestCommits(run, folder, 1);
    assert.doesNotMatch((await commitText(run, folder, commit?.sha ?? '')) ?? '', /^.?ran/m);
  });

  test('has its latest commits, and what each changes', async () => {
    const folder = repository();
    git(folder, 'add', '-A');
    git(folder, 'commit', '-q', '-m', 'second: a | b\n\nMore about it.');
    const commits = await latestCommits(run, folder, 5);
    assert.deepEqual(
      commits.map(({ subject }) => subject),
      ['second: a | b', 'first'],
    );
    const text = (await commitText(run, folder, commits[0]?.sha ?? '')) ?? '';
    assert.match(text, /More about it\./);
    assert.match(text, /^\+two$/m);
  });
});
