/** Decisions about many files at once: told and stored as one change. */
import assert from 'node:assert/strict';
import { chmodSync, readFileSync, readdirSync } from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';
import { repositoryIn, temporaryFolder } from '../../git/support';
import { reviewed, shell } from './support';

const COUNT = 40;
const names = Array.from({ length: COUNT }, (_, index) => `f${index}.txt`);

async function changed(t: Parameters<typeof reviewed>[0]) {
  const root = temporaryFolder();
  repositoryIn(root, Object.fromEntries(names.map(name => [name, `${name}\n`])));
  const w = await reviewed(t, [root], temporaryFolder());
  await w.start('1');
  await shell(root, 'for f in *.txt; do echo more >> $f; done');
  const files = names.map(name => path.join(root, name));
  await w.pending(...files);
  await w.tracker.settled();
  const events: (readonly string[])[] = [];
  w.review.onDidChange(paths => events.push(paths));
  return { w, root, files, events };
}

for (const decision of ['keep', 'undo'] as const) {
  test(`${decision} of all files is one change, and so is its redo`, async t => {
    const { w, files, events } = await changed(t);
    const outcome = await w.review[decision]({ kind: 'all' });
    assert.deepEqual(outcome, { decided: COUNT, failures: [] });
    assert.deepEqual(
      events.map(paths => [...paths].sort()),
      [[...files].sort()],
    );
    assert.deepEqual(w.review.pending, []);
    const text = (name: string) => (decision === 'keep' ? `${name}\nmore\n` : `${name}\n`);
    for (const [index, file] of files.entries()) {
      assert.equal(readFileSync(file, 'utf8'), text(names[index] ?? ''));
    }
    if (decision === 'keep') return;
    events.length = 0;
    assert.equal((await w.review.redo()).decided, COUNT);
    assert.equal(events.length, 1);
    assert.equal(w.review.pending.length, COUNT);
  });
}

test('a file that cannot be written stays pending, and does not hold up the others', async t => {
  const { w, root, files } = await changed(t);
  const [first = ''] = files;
  chmodSync(first, 0o444);
  const { decided, failures } = await w.review.undo({ kind: 'all' });
  assert.equal(decided, COUNT - 1);
  assert.deepEqual(
    failures.map(failure => failure.path),
    [first],
  );
  assert.deepEqual(
    w.review.pending.map(file => file.path),
    [first],
  );
  assert.equal(readdirSync(root).filter(name => name.endsWith('.txt')).length, COUNT);
});
