/** What is kept is bounded, and a disk that is full loses nothing. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';
import { repositoryIn, temporaryFolder } from '../../git/support';
import { reviewed, shell } from './support';

const TIMEOUT = { timeout: 120_000 };

test(
  'beyond the limit the oldest undos and restore points go, what is pending never',
  TIMEOUT,
  async t => {
    const root = temporaryFolder();
    const names = ['1.txt', '2.txt', '3.txt', '4.txt'].map(name => path.join(root, name));
    repositoryIn(root, {});
    const line = 'x'.repeat(999);
    const w = await reviewed(t, [root], temporaryFolder(), { maxBytes: 100_000 });
    const said: string[] = [];
    w.storage.onDidForget(sentence => said.push(sentence));
    for (const [index, file] of names.entries()) {
      const turn = await w.start(String(index));
      await shell(
        root,
        `for i in $(seq 40); do echo ${index}${line} >> ${path.basename(file)}; done`,
      );
      w.end(turn);
      w.tracker.touch(file);
      await w.tracker.idle();
      assert.equal(w.review.pending.length, 1);
      if (index < 3) await w.review.undo({ kind: 'all' });
      await w.storage.flush();
    }
    assert.equal(said.length > 0, true);
    assert.deepEqual(
      w.review.pending.map(({ path: file }) => file),
      [names[3]],
    );
    assert.equal(
      w.review.state.undos.length,
      1,
      'of three undos of 40 KB one has room beside 40 KB pending',
    );
    w.tracker.known.forget(names[0] ?? '');
    assert.equal((await w.review.redo()).decided, 1);
    assert.equal(readFileSync(names[2] ?? '', 'utf8').length, 40 * 1001);
  },
);

const canMount = process.platform === 'linux' && process.getuid?.() === 0;

test(
  'a full disk: what is pending stays, is said, and is saved when there is room',
  { ...TIMEOUT, skip: !canMount && 'only root can make a small disk' },
  async t => {
    const root = temporaryFolder();
    const store = temporaryFolder();
    repositoryIn(root, { 'a.txt': 'a\n' });
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', store], { stdio: 'ignore' });
    } catch {
      t.skip('nothing may be mounted here');
      return;
    }
    t.after(() => execFileSync('umount', ['-l', store]));
    const ballast = path.join(store, 'ballast');
    writeFileSync(ballast, '');
    try {
      writeFileSync(ballast, Buffer.alloc(1024 * 1024));
    } catch {
      // That is what it is for.
    }
    t.mock.method(console, 'error', () => undefined);
    const w = await reviewed(t, [root], store);
    const said: string[] = [];
    w.storage.onDidFail(sentence => said.push(sentence));
    const turn = await w.start('1');
    await shell(root, 'echo x >> a.txt; echo new > new.txt');
    w.end(turn);
    await w.pending(path.join(root, 'a.txt'), path.join(root, 'new.txt'));
    await w.storage.flush();
    assert.match(said.join('\n'), /^The disk is full/);
    assert.deepEqual(
      (await w.review.undo({ kind: 'file', path: path.join(root, 'a.txt') })).failures,
      [],
    );
    assert.equal(readFileSync(path.join(root, 'a.txt'), 'utf8'), 'a\n');
    rmSync(ballast);
    await w.review.redo();
    await w.storage.flush();
    for (const part of [w.storage, w.tracker, w.review]) part.dispose();
    const next = await reviewed(t, [root], store);
    assert.deepEqual(
      next.review.pending.map(({ path: file }) => path.basename(file)),
      ['a.txt', 'new.txt'],
    );
    assert.deepEqual((await next.review.undo({ kind: 'all' })).failures, []);
    assert.equal(readFileSync(path.join(root, 'a.txt'), 'utf8'), 'a\n');
  },
);
