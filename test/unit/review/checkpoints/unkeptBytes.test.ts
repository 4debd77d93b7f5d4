/** Bytes that cannot be kept, on disk or in memory, take nothing else along. */
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { test, type TestContext } from 'node:test';
import { hashOf, type Blobs } from '../../../../src/review/store/blobs';
import { repositoryIn, temporaryFolder } from '../../git/support';
import { reviewed, shell } from './support';

const TIMEOUT = { timeout: 60_000 };

/** Held in memory at most, where the disk takes nothing: see `Blobs`. */
const HELD = Buffer.alloc(128 * 1024 * 1024);

/** Nothing more can be kept, until `free` is called. */
async function fill(blobs: Blobs, store: string): Promise<{ free(): void }> {
  const folder = path.join(store, 'blobs');
  rmSync(folder, { recursive: true, force: true });
  // A file where the folder should be: the file system refuses each of them.
  writeFileSync(folder, '');
  await blobs.put(HELD, hashOf(Buffer.from('held')));
  return { free: () => rmSync(folder) };
}

async function world(t: TestContext) {
  const root = temporaryFolder();
  const store = temporaryFolder();
  repositoryIn(root, { 'a.txt': 'a\n', 'z.txt': 'z\n' });
  const errors = t.mock.method(console, 'error', () => undefined);
  // Only what is told is known, so that all of it is looked at together.
  const w = await reviewed(t, [root], store, { isQuiet: true });
  const told = async (...names: readonly string[]) => {
    for (const name of names) w.tracker.touch(path.join(root, name));
    await w.tracker.settled();
  };
  const names = () => w.review.pending.map(({ path: file }) => path.basename(file));
  return { ...w, root, store, told, names, errors };
}

test(
  'a file whose bytes cannot be kept is looked at again later, the others now',
  TIMEOUT,
  async t => {
    const w = await world(t);
    await w.start('1');
    const disk = await fill(w.blobs, w.store);
    await shell(w.root, "echo more >> a.txt; printf '\\000' > m.bin; echo more >> z.txt");
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.now() });
    await w.told('a.txt', 'm.bin', 'z.txt');
    assert.deepEqual(w.names(), ['a.txt', 'z.txt']);
    assert.ok(w.errors.mock.callCount() > 0, 'the log says so');

    disk.free();
    t.mock.timers.tick(60_000);
    await w.tracker.settled();
    assert.deepEqual(w.names(), ['a.txt', 'm.bin', 'z.txt']);
  },
);

test('a change of the user is taken up although its bytes cannot be kept', TIMEOUT, async t => {
  const w = await world(t);
  const a = path.join(w.root, 'a.txt');
  const turn = await w.start('1');
  await shell(w.root, 'echo more >> a.txt');
  await w.told('a.txt');
  w.end(turn);
  await w.tracker.idle();
  await fill(w.blobs, w.store);
  appendFileSync(a, 'mine\n');
  w.tracker.saved(a, readFileSync(a, 'utf8'));
  await w.told('a.txt');
  assert.deepEqual(w.review.get(a)?.baseline, { kind: 'text', text: 'a\nmine\n' });
  const outcome = await w.review.undo({ kind: 'all' });
  assert.deepEqual(outcome, { decided: 1, failures: [] });
  assert.equal(readFileSync(a, 'utf8'), 'a\nmine\n');
});

test(
  'what a turn did goes on being told when what was there before cannot be kept',
  TIMEOUT,
  async t => {
    const w = await world(t);
    await w.start('1');
    await fill(w.blobs, w.store);
    let changes = 0;
    w.rewind.onDidChange(() => changes++);
    await shell(w.root, 'echo more >> a.txt');
    await w.told('a.txt');
    await new Promise<void>(resolve => {
      if (changes > 0) return resolve();
      w.rewind.onDidChange(() => resolve());
    });
    assert.deepEqual(w.names(), ['a.txt']);
  },
);

test('a write that fails after all was disposed of is not tried again', TIMEOUT, async t => {
  const w = await world(t);
  await w.start('1');
  await fill(w.blobs, w.store);
  await shell(w.root, 'echo more >> a.txt');
  await w.told('a.txt');
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const writing = w.storage.flush();
  w.storage.dispose();
  await writing;
  const told = w.errors.mock.callCount();
  assert.ok(told > 0, 'it has failed');
  t.mock.timers.tick(60_000);
  await w.storage.flush();
  assert.equal(w.errors.mock.callCount(), told);
});
