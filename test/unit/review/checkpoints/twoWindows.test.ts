/** Two windows with one storage, as two tabs of a server have: one truth, and nothing that is pending is lost. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { test, type TestContext } from 'node:test';
import fc from 'fast-check';
import { OpenWindows } from '../../../../src/review/store/openWindows';
import { repositoryIn, temporaryFolder } from '../../git/support';
import { reviewed, shell, type Reviewed } from './support';

const TIMEOUT = { timeout: 300_000 };
const LINES = Array.from({ length: 12 }, (_, n) => `line ${n}\n`).join('');

interface Window extends Reviewed {
  readonly name: string;
}

async function world(t: Pick<TestContext, 'after'>, files: readonly string[] = ['a.txt', 'b.txt']) {
  const root = temporaryFolder();
  const store = temporaryFolder();
  repositoryIn(root, Object.fromEntries(files.map(file => [file, LINES])));
  const windows: Window[] = [];
  const at = (file: string) => path.join(root, file);
  let turns = 0;
  return {
    root,
    store,
    at,
    read: (file: string) => readFileSync(at(file), 'utf8'),
    async open(name: string): Promise<Window> {
      const window = { ...(await reviewed(t, [root], store, { isQuiet: true })), name };
      windows.push(window);
      return window;
    },
    /** The agent of a chat of `window` replaces that line of a file; the other windows see it on disk. */
    async edit(window: Window, file: string, line: number, text: string): Promise<void> {
      const turn = await window.start(`turn ${(turns += 1)}`, window.name);
      const [first, number] = [at(file), line + 1];
      await shell(root, `sed -i '${number}s/.*/${text}/' ${file}`);
      window.tracker.touch(first);
      await window.tracker.settled();
      window.end(turn);
      await window.tracker.idle();
      await this.see(file);
    },
    async see(file: string): Promise<void> {
      for (const { tracker } of windows) {
        tracker.touch(at(file));
        await tracker.settled();
      }
    },
    close({ storage, rewind, tracker, review }: Window): void {
      for (const part of [storage, rewind, tracker, review]) part.dispose();
    },
  };
}

/** What is to be decided, as text. */
function pending({ review }: Window): readonly string[] {
  return review.pending.flatMap(({ path: file, current, hunks }) => {
    const lines = current.kind === 'text' ? current.text.split('\n') : [];
    return hunks.flatMap(({ current: { start, count } }) =>
      lines.slice(start, start + count).map(line => `${path.basename(file)}: ${line}`),
    );
  });
}

/** Each has written what it knows, and knows what the other has written. */
async function exchange(...windows: readonly Window[]): Promise<void> {
  for (let times = 0; times < 2; times++) {
    for (const { storage } of windows) {
      await storage.refresh();
      await storage.flush();
    }
  }
}

for (const order of ['first', 'second'] as const) {
  test(
    `what both have found is pending in both, and after them; ${order} writes first`,
    TIMEOUT,
    async t => {
      const w = await world(t);
      const [a, b] = [await w.open('A'), await w.open('B')];
      await w.edit(a, 'a.txt', 1, 'of A');
      await w.edit(b, 'b.txt', 1, 'of B');
      const [first, last] = order === 'first' ? [a, b] : [b, a];
      await first.storage.flush();
      await last.storage.flush();
      const both = ['a.txt: of A', 'b.txt: of B'];
      assert.deepEqual(pending(await w.open('C')), both);
      for (const window of [a, b]) {
        await window.storage.refresh();
        assert.deepEqual(pending(window), both);
      }
      assert.deepEqual((await first.review.undo({ kind: 'all' })).failures, []);
      assert.deepEqual([w.read('a.txt'), w.read('b.txt')], [LINES, LINES]);
    },
  );
}

test('both agents change one file: what each did is pending', TIMEOUT, async t => {
  const w = await world(t);
  const [a, b] = [await w.open('A'), await w.open('B')];
  await w.edit(a, 'a.txt', 1, 'of A');
  await w.edit(b, 'a.txt', 6, 'of B');
  await exchange(a, b);
  for (const window of [a, b]) assert.deepEqual(pending(window), ['a.txt: of A', 'a.txt: of B']);
  assert.deepEqual((await b.review.undo({ kind: 'all' })).failures, []);
  assert.equal(w.read('a.txt'), LINES);
});

test(
  'a decision in one window is one in the other, and can be taken back there',
  TIMEOUT,
  async t => {
    const w = await world(t);
    const [a, b] = [await w.open('A'), await w.open('B')];
    await w.edit(a, 'a.txt', 1, 'one');
    await w.edit(a, 'b.txt', 1, 'two');
    await exchange(a, b);
    await b.review.keep({ kind: 'file', path: w.at('a.txt') });
    await w.edit(a, 'b.txt', 9, 'three');
    await exchange(a, b);
    for (const window of [a, b]) assert.deepEqual(pending(window), ['b.txt: two', 'b.txt: three']);

    await a.review.undo({ kind: 'all' });
    await w.see('b.txt');
    await exchange(a, b);
    for (const window of [a, b]) assert.deepEqual(pending(window), []);
    assert.deepEqual((await b.review.redo()).failures, []);
    await w.see('b.txt');
    await exchange(b, a);
    for (const window of [a, b]) assert.deepEqual(pending(window), ['b.txt: two', 'b.txt: three']);
  },
);

test('turns of both can be gone back to', TIMEOUT, async t => {
  const w = await world(t);
  const [a, b] = [await w.open('A'), await w.open('B')];
  await w.edit(a, 'a.txt', 1, 'of A');
  await w.edit(b, 'b.txt', 1, 'of B');
  await exchange(a, b);
  assert.deepEqual(await a.rewind.restoreFiles('B', ['turn 2']), []);
  assert.deepEqual([w.read('a.txt') === LINES, w.read('b.txt')], [false, LINES]);
});

test('texts that another window may need are kept while it is open', TIMEOUT, async t => {
  const w = await world(t);
  writeFileSync(w.at('new.txt'), 'not in git\n');
  const a = await w.open('A');
  const turn = await a.start('turn', 'A');
  const b = await w.open('B');
  await w.edit(b, 'b.txt', 1, 'of B');
  await b.storage.flush();
  await shell(w.root, 'echo agent > new.txt');
  await w.see('new.txt');
  a.end(turn);
  await a.tracker.idle();
  assert.deepEqual((await a.review.undo({ kind: 'all' })).failures, []);
  assert.equal(w.read('new.txt'), 'not in git\n');
  // Who is alone puts away what nobody needs.
  const texts = () => readdirSync(path.join(w.store, 'blobs')).length;
  const before = texts();
  await exchange(a, b);
  await b.review.keep({ kind: 'all' });
  b.review.retainUndos(0);
  for (const chatId of ['A', 'B']) b.rewind.forget(chatId);
  await exchange(a, b);
  for (const window of [a, b]) w.close(window);
  await w.open('C');
  assert.ok(texts() < before, `${texts()} of ${before} texts`);
});

test('a window that was killed is none', TIMEOUT, async t => {
  const folder = temporaryFolder();
  const windows = new OpenWindows(folder);
  t.after(() => windows.dispose());
  await windows.enter();
  assert.equal(await windows.haveOthers(), false);
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e9)']);
  writeFileSync(path.join(folder, `${other.pid}-other`), '');
  assert.equal(await windows.haveOthers(), true);
  other.kill('SIGKILL');
  await once(other, 'exit');
  assert.equal(await windows.haveOthers(), false);
  assert.equal(readdirSync(folder).length, 1);
});

const FILES = ['a.txt', 'b.txt'];
const step = fc.record({
  isFirst: fc.boolean(),
  kind: fc.constantFrom('edit', 'edit', 'keep', 'undo', 'flush', 'refresh'),
  file: fc.constantFrom(...FILES),
  line: fc.integer({ min: 0, max: 11 }),
});

test(
  'whatever two windows do, both end with the same, and with all that was not decided',
  TIMEOUT,
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async steps => {
        const ends: (() => void)[] = [];
        try {
          await play(
            await world({ after: end => void ends.push(end as () => void) }, FILES),
            steps,
          );
        } finally {
          for (const end of ends) end();
        }
      }),
      // Always the same, so that a change is judged by itself.
      { numRuns: Number(process.env['RUNS'] ?? 12), seed: Number(process.env['SEED'] ?? 7) },
    );
  },
);

async function play(
  w: Awaited<ReturnType<typeof world>>,
  steps: readonly { isFirst: boolean; kind: string; file: string; line: number }[],
): Promise<void> {
  const [a, b] = [await w.open('A'), await w.open('B')];
  /** What agents wrote and no window that knew of it has decided on. */
  let undecided: string[] = [];
  for (const [index, { isFirst, kind, file, line }] of steps.entries()) {
    const window = isFirst ? a : b;
    if (kind === 'flush' || kind === 'refresh') await window.storage[kind]();
    else if (kind === 'edit') {
      const replaced = `${file}: ${w.read(file).split('\n')[line]}`;
      undecided = undecided.filter(one => one !== replaced);
      await w.edit(window, file, line, `text ${index}`);
      undecided.push(`${file}: text ${index}`);
    } else if (kind === 'keep' || kind === 'undo') {
      const decided = pending(window);
      await window.review[kind]({ kind: 'file', path: w.at(file) });
      await w.see(file);
      undecided = undecided.filter(one => !one.startsWith(file) || !decided.includes(one));
    }
  }
  await exchange(a, b);
  assert.deepEqual(pending(a), pending(b));
  const lost = undecided.filter(one => !pending(a).includes(one));
  assert.deepEqual(lost, []);
  assert.deepEqual(a.review.pending, b.review.pending);
}
