/** Reviews as earlier versions have stored them, to the byte. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';
import { repositoryIn, temporaryFolder } from '../../git/support';
import { reviewed } from '../checkpoints/support';

interface Fixture {
  /** Of the file `review.json`; the workspace's folder is `/workspace`. */
  readonly review: unknown;
  readonly blobs: Readonly<Record<string, string>>;
}

const NOW = {
  'a.txt': 'one\nTWO\nthree\nfour\nfive\nSIX\nseven\n',
  'new.txt': 'new\n',
  'moved.txt': 'x\ny\nz\n',
  'undone.txt': 'before\n',
};

test('what version 0.1.0 stored is read: changes, undos and restore points', async t => {
  const root = temporaryFolder();
  const store = temporaryFolder();
  repositoryIn(root, NOW);
  const file = path.resolve('test/unit/review/store/review-0.1.0.json');
  const { review, blobs } = JSON.parse(readFileSync(file, 'utf8')) as Fixture;
  mkdirSync(path.join(store, 'blobs'));
  for (const [hash, text] of Object.entries(blobs)) {
    writeFileSync(path.join(store, 'blobs', hash), text);
  }
  const stored = JSON.stringify(review).replaceAll('/workspace', root);
  writeFileSync(path.join(store, 'review.json'), stored);
  const w = await reviewed(t, [root], store, { isQuiet: true });
  const turn = { chatId: 'chat-1', turnId: 'turn-1' };
  assert.deepEqual(
    w.review.pending.map(({ path: found, change, turns, unclaimed }) => [
      path.relative(root, found),
      change,
      turns,
      unclaimed,
    ]),
    [
      ['a.txt', 'modified', [turn], undefined],
      ['gone.txt', 'deleted', [turn], undefined],
      ['moved.txt', 'renamed', [turn], undefined],
      ['new.txt', 'created', [turn], undefined],
    ],
  );
  await w.review.redo();
  assert.equal(w.review.get(path.join(root, 'undone.txt'))?.change, 'modified');
  assert.deepEqual((await w.review.undo({ kind: 'all' })).failures, []);
  assert.equal(readFileSync(path.join(root, 'gone.txt'), 'utf8'), 'gone\n');
  assert.equal(readFileSync(path.join(root, 'old.txt'), 'utf8'), 'x\ny\nz\n');
  // What this version stores, this version reads, with whose it is.
  await w.start('turn-2', 'chat-2');
  writeFileSync(path.join(root, 'a.txt'), 'somebody\n');
  w.tracker.touch(path.join(root, 'a.txt'));
  await w.tracker.settled();
  await w.storage.flush();
  for (const part of [w.storage, w.tracker, w.review]) part.dispose();
  const next = await reviewed(t, [root], store, { isQuiet: true });
  assert.deepEqual(
    next.review.pending.map(({ unclaimed }) => unclaimed),
    [['Agent']],
  );
});
