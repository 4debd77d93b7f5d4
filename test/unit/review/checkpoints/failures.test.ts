/** What cannot be done changes nothing: neither what is pending, nor what is known, nor what can be brought back. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import { test, type TestContext } from 'node:test';
import { repositoryIn, temporaryFolder } from '../../git/support';
import { reviewed, shell, type Reviewed } from './support';

const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';

async function world(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  isQuiet = false,
): Promise<Reviewed & { readonly root: string; file(name: string): string }> {
  const root = temporaryFolder();
  repositoryIn(root, files);
  const parts = await reviewed(t, [root], temporaryFolder(), { isQuiet });
  return { ...parts, root, file: name => path.join(root, name) };
}

const read = (file: string) => readFileSync(file, 'utf8');

test('a change of the agent that comes just before an undo is not swallowed by it', async t => {
  const w = await world(t, { 'a.txt': LINES }, true);
  const a = w.file('a.txt');
  await w.start('1');
  await shell(w.root, "sed -i 's/two/TWO/' a.txt");
  w.tracker.touch(a);
  await w.tracker.settled();
  // Nothing tells of this one before the decision.
  await shell(w.root, "sed -i 's/six/SIX/' a.txt");
  const { decided, failures } = await w.review.undo({ kind: 'file', path: a });
  assert.equal(decided, 0);
  assert.match(failures[0]?.message ?? '', /just changed/);
  await w.review.keep({ kind: 'file', path: a });
  await w.tracker.settled();
  assert.equal(w.review.get(a)?.hunks.length, 1, 'the second change is to be decided');
  assert.deepEqual((await w.review.undo({ kind: 'file', path: a })).failures, []);
  assert.equal(read(a), LINES.replace('two', 'TWO'));
});

test('half of a rename that cannot be undone is put back, and it can be undone later', async t => {
  const w = await world(t, { 'a.txt': LINES });
  const [a, b] = [w.file('a.txt'), w.file('b.txt')];
  await w.start('1');
  await shell(w.root, 'mv a.txt b.txt; chmod 444 b.txt');
  await w.until(() => w.review.get(b)?.change === 'renamed');
  const outcome = await w.review.undo({ kind: 'all' });
  assert.deepEqual(outcome, { decided: 0, failures: [{ path: b, message: 'read-only' }] });
  assert.equal(existsSync(a), false);
  assert.equal(read(b), LINES);
  await w.tracker.settled();
  assert.equal(w.review.get(b)?.renamedFrom, a);
  chmodSync(b, 0o644);
  assert.deepEqual((await w.review.undo({ kind: 'all' })).failures, []);
  assert.equal(read(a), LINES);
  assert.equal(existsSync(b), false);
});

test('what a restore overwrote is not lost when it cannot be brought back at once', async t => {
  const w = await world(t, { 'a.txt': LINES, 'b.txt': 'b\n' });
  const [a, b] = [w.file('a.txt'), w.file('b.txt')];
  const turn = await w.start('1');
  await shell(w.root, "sed -i 's/six/SIX/' a.txt; echo more >> b.txt");
  await w.pending(a, b);
  w.end(turn);
  await w.tracker.idle();
  w.files.type(a, `mine\n${read(a)}`);
  w.tracker.saved(a, await w.files.save(a));
  await w.tracker.settled();
  const mine = read(a);

  assert.deepEqual(await w.rewind.restoreFiles('chat', ['1']), []);
  assert.equal(read(a), LINES);
  chmodSync(a, 0o444);
  for (const _ of ['at first', 'and again']) {
    assert.deepEqual(await w.rewind.undoRestore(), [{ path: a, message: 'read-only' }]);
    assert.equal(read(b), 'b\nmore\n');
  }
  chmodSync(a, 0o644);
  assert.deepEqual(await w.rewind.undoRestore(), []);
  assert.equal(read(a), mine);
  assert.equal(read(b), 'b\nmore\n', 'this one was back already');
  assert.deepEqual(
    w.review.pending.map(({ path: file, hunks }) => [file, hunks.length]),
    [
      [a, 1],
      [b, 1],
    ],
  );
  assert.equal(w.rewind.canUndoRestore, true);
  assert.deepEqual(await w.rewind.undoRestore(), []);
  assert.deepEqual([read(a), read(b)], [LINES, 'b\n'], 'and this can be taken back as a whole');
});
