/** A stored review that cannot be read now is as good as ever: it is neither set aside nor written over, and comes later. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import * as path from 'node:path';
import { test, type TestContext } from 'node:test';
import { repositoryIn, temporaryFolder } from '../../git/support';
import { reviewed, shell, type Reviewed } from './support';

const TIMEOUT = { timeout: 120_000 };
const CODES = ['EMFILE', 'EIO', 'EACCES'];

async function world(t: TestContext) {
  const [root, store] = [temporaryFolder(), temporaryFolder()];
  repositoryIn(root, { 'a.txt': 'a\n', 'b.txt': 'b\n' });
  const state = path.join(store, 'review.json');
  t.mock.method(console, 'error', () => undefined);
  return {
    state,
    aside: path.join(store, 'review.unreadable.json'),
    open: () => reviewed(t, [root], store, { isQuiet: true }),
    async edit({ start, end, tracker }: Reviewed, file: string): Promise<void> {
      const turn = await start(`turn of ${file}`, file);
      await shell(root, `echo more >> ${file}`);
      tracker.touch(path.join(root, file));
      await tracker.settled();
      end(turn);
      await tracker.idle();
    },
    /** From now on the state cannot be opened. @returns ends that */
    fails(code: string): () => void {
      const real = promises.open as (...args: unknown[]) => Promise<unknown>;
      const mocked = t.mock.method(promises, 'open', (...args: unknown[]) =>
        args[0] === state
          ? Promise.reject(Object.assign(new Error(code), { code }))
          : real(...args),
      );
      return () => mocked.mock.restore();
    },
  };
}

function pending({ review }: Reviewed): readonly string[] {
  return review.pending.map(({ path: file }) => path.basename(file));
}

for (const code of CODES) {
  for (const way of ['refresh', 'flush'] as const) {
    test(`what the other wrote is not lost: opening says ${code} at a ${way}`, TIMEOUT, async t => {
      const w = await world(t);
      const [a, b] = [await w.open(), await w.open()];
      await w.edit(a, 'a.txt');
      await a.storage.flush();
      await w.edit(b, 'b.txt');
      await b.storage.flush();
      const again = w.fails(code);
      // Something to write.
      await w.edit(a, 'a.txt');
      await a.storage[way]();
      again();
      assert.equal(existsSync(w.aside), false);
      assert.match(readFileSync(w.state, 'utf8'), /b\.txt/);
      for (const window of [a, b, a]) {
        await window.storage.refresh();
        await window.storage.flush();
      }
      for (const window of [a, b, await w.open()]) {
        assert.deepEqual(pending(window), ['a.txt', 'b.txt']);
      }
    });
  }

  test(`what cannot be read at the start comes later (${code})`, TIMEOUT, async t => {
    const w = await world(t);
    const first = await w.open();
    await w.edit(first, 'a.txt');
    await first.storage.flush();
    const again = w.fails(code);
    const second = await w.open();
    again();
    assert.equal(existsSync(w.aside), false);
    await second.storage.flush();
    assert.deepEqual(pending(second), ['a.txt']);
    await w.edit(second, 'b.txt');
    await second.storage.flush();
    assert.deepEqual(pending(await w.open()), ['a.txt', 'b.txt']);
  });
}
