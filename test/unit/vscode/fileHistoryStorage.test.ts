import assert from 'node:assert/strict';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { FileHistoryStorage } from '../../../src/vscode/chats/fileHistoryStorage';

function folder(t: TestContext): string {
  const made = mkdtempSync(join(tmpdir(), 'parley-history-'));
  t.after(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

test('a folder that could not be made, or is gone, is made with the next whole text', async t => {
  const parent = join(folder(t), 'storage');
  writeFileSync(parent, 'in the way');
  const storage = new FileHistoryStorage(join(parent, 'chats'));
  await assert.rejects(storage.replace('a', 'one\n'));
  rmSync(parent);
  await storage.replace('a', 'one\n');
  rmSync(parent, { recursive: true });
  // What is appended to nothing could not be read.
  await assert.rejects(storage.append('a', 'two\n'));
  await storage.replace('a', 'one\n');
  await storage.append('a', 'two\n');
  assert.equal(await storage.read('a'), 'one\ntwo\n');
});

test('a chat that cannot be looked at hides no other', async t => {
  const made = folder(t);
  const storage = new FileHistoryStorage(made);
  await storage.replace('a', 'one\n');
  symlinkSync(join(made, 'nowhere'), join(made, 'b.jsonl'));
  assert.deepEqual(
    (await storage.list()).map(({ chatId }) => chatId),
    ['a'],
  );
});

test('every text that cannot be read is kept under a name of its own', async t => {
  const made = folder(t);
  const storage = new FileHistoryStorage(made);
  const places: string[] = [];
  for (const text of ['one', 'two', 'three']) {
    await storage.replace('a', text);
    places.push(await storage.keepApart('a', text === 'two'));
  }
  assert.deepEqual(
    places.map(place => readFileSync(place, 'utf8')),
    ['one', 'two', 'three'],
  );
  await storage.replace('a', 'four');
  assert.deepEqual(
    (await storage.list()).map(({ chatId }) => chatId),
    ['a'],
  );
  // Who deletes a chat deletes all of it.
  await storage.remove('a');
  assert.deepEqual(readdirSync(made), []);
});

test('a lock that a dead window has left does not stop another', async t => {
  const made = folder(t);
  const storage = new FileHistoryStorage(made);
  writeFileSync(join(made, 'a.jsonl.lock'), '');
  utimesSync(join(made, 'a.jsonl.lock'), 1, 1);
  await storage.replace('a', 'one\n');
  assert.equal(await storage.read('a'), 'one\n');
});
