import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import * as path from 'node:path';
import { test, type TestContext } from 'node:test';
import { NewFolders } from '../../../src/vscode/files/newFolders';
import { temporaryFolder } from '../git/support';

function world(t: TestContext) {
  const root = temporaryFolder();
  t.after(() => rmSync(root, { recursive: true }));
  return { folder: path.join(root, 'made'), folders: new NewFolders(() => Date.now()) };
}

test('a folder that is made the moment a turn has begun is new', async t => {
  const { folder, folders } = world(t);
  for (let round = 0; round < 100; round++) {
    folders.turnStarts([]);
    // The file system's clock may be behind.
    mkdirSync(folder);
    await folders.created(folder);
    await folders.removeEmpty(folder);
    assert.equal(existsSync(folder), false, `round ${round}`);
  }
});

test('a folder that was there when the turn began is left alone, also if it is told of late', async t => {
  const { folder, folders } = world(t);
  mkdirSync(folder);
  const soon = Date.now() + 1_000;
  const later = new NewFolders(() => soon);
  later.turnStarts([]);
  await later.created(folder);
  await later.removeEmpty(folder);
  assert.equal(existsSync(folder), true);

  await folders.created(folder);
  folders.turnStarts([]);
  await folders.removeEmpty(folder);
  assert.equal(existsSync(folder), true);
});

test('a new folder with a file in it stays', async t => {
  const { folder, folders } = world(t);
  folders.turnStarts([]);
  mkdirSync(path.join(folder, 'deep'), { recursive: true });
  await folders.created(folder);
  await folders.removeEmpty(folder);
  assert.equal(existsSync(folder), true);
  await folders.removeEmpty(path.join(folder, 'deep'));
  assert.equal(existsSync(folder), false, 'what is in a new folder is new');
});
