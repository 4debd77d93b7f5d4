/** A stored review that this version cannot read is set aside with its texts, never overwritten. */
import assert from 'node:assert/strict';
import {
  existsSync,
  readFileSync,
  readdirSync,
  renameSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import promises from 'node:fs/promises';
import * as path from 'node:path';
import { test, type TestContext } from 'node:test';
import { hashOf } from '../../../../src/review/store/blobs';
import { repositoryIn, temporaryFolder } from '../../git/support';
import { reviewed, shell, type Reviewed } from './support';

const TIMEOUT = { timeout: 60_000 };
const DAY_S = 24 * 60 * 60;

/** A workspace whose last window left a change of `a.txt` pending. */
async function world(t: TestContext) {
  const root = temporaryFolder();
  const store = temporaryFolder();
  repositoryIn(root, { 'a.txt': 'a\n' });
  const first = await reviewed(t, [root], store);
  await change(first, root, 'a.txt');
  await close(first);
  const errors = t.mock.method(console, 'error', () => undefined);
  const log = () => errors.mock.calls.map(({ arguments: [message] }) => String(message)).join('\n');
  return {
    root,
    log,
    state: path.join(store, 'review.json'),
    aside: path.join(store, 'review.unreadable.json'),
    /** Texts that are kept, by hash. */
    texts: () => readdirSync(path.join(store, 'blobs')),
    open: (onKeptApart?: (place: string) => void) =>
      reviewed(t, [root], store, { ...(onKeptApart && { onKeptApart }) }),
  };
}

async function change(w: Reviewed, root: string, name: string): Promise<void> {
  const turn = await w.start(name);
  await shell(root, `echo more >> ${name}`);
  await w.until(() => w.review.get(path.join(root, name)) !== undefined);
  w.end(turn);
  await w.tracker.idle();
}

async function close({ storage, rewind, tracker, review }: Reviewed): Promise<void> {
  await storage.flush();
  for (const part of [storage, rewind, tracker, review]) part.dispose();
}

function without(some: readonly string[], others: readonly string[]): readonly string[] {
  return some.filter(one => !others.includes(one));
}

function pending({ review }: Reviewed): readonly string[] {
  return review.pending.map(({ path: file }) => path.basename(file));
}

test('the state of a newer version is kept, with all that it names', TIMEOUT, async t => {
  const w = await world(t);
  const newer = readFileSync(w.state, 'utf8').replace('"version":1', '"version":2');
  writeFileSync(w.state, newer);
  const texts = w.texts();

  const second = await w.open();
  assert.deepEqual(pending(second), []);
  assert.ok(w.log().includes(w.aside), 'the log says where it is');
  await change(second, w.root, 'b.txt');
  await close(second);
  assert.equal(readFileSync(w.aside, 'utf8'), newer);
  assert.deepEqual(without(texts, w.texts()), [], 'no text has gone');

  const third = await w.open();
  assert.deepEqual(pending(third), ['b.txt']);
  await close(third);
  renameSync(w.aside, w.state);
  writeFileSync(w.state, newer.replace('"version":2', '"version":1'));
  assert.deepEqual(pending(await w.open()), ['a.txt'], 'and it can be read again');
});

test('what was set aside goes after a month, and its texts with it', TIMEOUT, async t => {
  const w = await world(t);
  writeFileSync(w.state, readFileSync(w.state, 'utf8').slice(0, -20));
  const texts = w.texts();
  await close(await w.open());
  assert.deepEqual(without(texts, w.texts()), []);
  const long = Date.now() / 1000 - 31 * DAY_S;
  utimesSync(w.aside, long, long);
  await close(await w.open());
  assert.equal(existsSync(w.aside), false);
  // What the file says now is known again; what it was is nowhere else.
  assert.deepEqual(without(texts, w.texts()), [hashOf(Buffer.from('a\n'))]);
});

test('each state that cannot be read is kept, and the user is told where', TIMEOUT, async t => {
  const w = await world(t);
  const kept = ['', '-2', '-3'].map(mark => w.aside.replace('.json', `${mark}.json`));
  for (const [index, place] of kept.entries()) {
    writeFileSync(w.state, `torn ${index}`);
    const told: string[] = [];
    await close(await w.open(place => told.push(place)));
    assert.deepEqual(told, [place]);
  }
  assert.deepEqual(
    kept.map(place => readFileSync(place, 'utf8')),
    ['torn 0', 'torn 1', 'torn 2'],
  );
});

test(
  'what can neither be read nor set aside is not overwritten, and the user is told',
  TIMEOUT,
  async t => {
    const w = await world(t);
    writeFileSync(w.state, 'torn');
    const real = promises.rename;
    const rename = t.mock.method(promises, 'rename', (from: string, to: string) =>
      from === w.state ? Promise.reject(new Error('not now')) : real(from, to),
    );
    const texts = w.texts();
    const second = await w.open();
    const told: string[] = [];
    second.storage.onDidFail(sentence => told.push(sentence));
    await change(second, w.root, 'b.txt');
    await close(second);
    rename.mock.restore();
    assert.equal(told.length, 1);
    assert.equal(readFileSync(w.state, 'utf8'), 'torn');
    assert.deepEqual(without(texts, w.texts()), []);

    const third = await w.open();
    assert.equal(readFileSync(w.aside, 'utf8'), 'torn');
    await change(third, w.root, 'c.txt');
    await close(third);
    assert.deepEqual(pending(await w.open()), ['c.txt']);
  },
);

test(
  'what comes while the window is open and can neither be read nor set aside is told, and tried again',
  TIMEOUT,
  async t => {
    const w = await world(t);
    const second = await w.open();
    const told: string[] = [];
    second.storage.onDidFail(sentence => told.push(sentence));
    const real = promises.rename;
    const rename = t.mock.method(promises, 'rename', (from: string, to: string) =>
      from === w.state ? Promise.reject(new Error('not now')) : real(from, to),
    );
    writeFileSync(w.state, 'torn by another');
    await change(second, w.root, 'b.txt');
    await second.storage.flush();
    assert.equal(told.length, 1);
    assert.equal(readFileSync(w.state, 'utf8'), 'torn by another');
    rename.mock.restore();
    await close(second);
    assert.equal(readFileSync(w.aside, 'utf8'), 'torn by another');
    assert.deepEqual(pending(await w.open()), ['a.txt', 'b.txt']);
  },
);

for (const code of ['EIO', 'EMFILE', 'EACCES']) {
  test(
    `texts that cannot be read for a while (${code}) cost no change: it comes when they can`,
    TIMEOUT,
    async t => {
      const w = await world(t);
      const real = promises.readFile;
      const failing = t.mock.method(promises, 'readFile', (file: string, ...rest: unknown[]) =>
        String(file).includes(`${path.sep}blobs${path.sep}`)
          ? Promise.reject(Object.assign(new Error(code), { code }))
          : (Reflect.apply(real, promises, [file, ...rest]) as Promise<unknown>),
      );
      const texts = w.texts();
      const second = await w.open();
      assert.deepEqual(pending(second), []);
      await change(second, w.root, 'b.txt');
      await second.storage.flush();
      assert.deepEqual(without(texts, w.texts()), [], 'no text has gone');
      failing.mock.restore();
      await second.storage.refresh();
      assert.deepEqual(pending(second), ['a.txt', 'b.txt']);
      await close(second);
      assert.equal(existsSync(w.aside), false);
      assert.deepEqual(pending(await w.open()), ['a.txt', 'b.txt']);
    },
  );
}
