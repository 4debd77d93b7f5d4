import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import * as path from 'node:path';
import { test } from 'node:test';
import { Blobs, hashOf, UnreadBlobError } from '../../../../src/review/store/blobs';
import { temporaryFolder } from '../../git/support';

const BYTES = Buffer.from('some text\n');

function blobs(graceMs?: number): { blobs: Blobs; folder: string } {
  const folder = path.join(temporaryFolder(), 'blobs');
  return { blobs: new Blobs(folder, graceMs), folder };
}

test('what is being put can be read at once, and is on disk afterwards', async () => {
  const { blobs: store, folder } = blobs();
  const putting = store.put(BYTES);
  assert.deepEqual(await store.get(hashOf(BYTES)), BYTES);
  assert.equal(await store.has(hashOf(BYTES)), true);
  await putting;
  assert.deepEqual(readdirSync(folder), [hashOf(BYTES)]);
  assert.deepEqual(await new Blobs(folder).get(hashOf(BYTES)), BYTES);
});

test('the same bytes put many times at once are one file', async () => {
  const { blobs: store, folder } = blobs();
  await Promise.all(Array.from({ length: 20 }, () => store.put(Buffer.from(BYTES))));
  assert.deepEqual(readdirSync(folder), [hashOf(BYTES)]);
});

for (const years of [10, -10]) {
  test(`what was only just put stays when the clock jumps ${years} years`, async t => {
    const { blobs: store } = blobs();
    const hash = await store.put(BYTES);
    const now = Date.now();
    t.mock.method(Date, 'now', () => now + years * 365 * 24 * 60 * 60_000);
    await store.collect(new Set());
    assert.equal(await store.has(hash), true);
  });
}

test('collecting forgets what nobody uses, but not what was only just put', async () => {
  const { blobs: fresh } = blobs();
  const hash = await fresh.put(BYTES);
  await fresh.collect(new Set());
  assert.equal(await fresh.has(hash), true);

  const { blobs: old, folder } = blobs(0);
  await old.put(BYTES);
  const used = await old.put(Buffer.from('used'));
  await old.collect(new Set([used]));
  assert.deepEqual(readdirSync(folder), [used]);
  assert.equal(await old.get(hash), undefined);
});

test('collecting leaves what is put meanwhile, also when it was there', async () => {
  const { blobs: store } = blobs(0);
  const hash = await store.put(BYTES);
  const collecting = store.collect(new Set());
  await store.put(BYTES);
  await collecting;
  assert.deepEqual(await store.get(hash), BYTES);
});

test('a name that is no hash leads nowhere', async () => {
  const { blobs: store } = blobs();
  assert.equal(await store.get('../../etc/passwd'), undefined);
});

test('bytes that cannot be read now are told from bytes that are not kept', async t => {
  const { blobs: store, folder } = blobs();
  const hash = await store.put(BYTES);
  const other = new Blobs(folder);
  for (const code of ['EIO', 'EMFILE', 'EACCES']) {
    const failing = t.mock.method(promises, 'readFile', () =>
      Promise.reject(Object.assign(new Error(code), { code })),
    );
    await assert.rejects(other.read(hash), UnreadBlobError);
    assert.equal(await other.get(hash), undefined);
    failing.mock.restore();
    assert.deepEqual(await other.read(hash), BYTES);
  }
  assert.equal(await other.read(hashOf(Buffer.from('never kept'))), undefined);
});

for (const [what, wrong] of Object.entries({ empty: '', torn: 'some', other: 'some tex!\n' })) {
  test(`what stands in the place of bytes is none of them (${what}), and is written over`, async () => {
    const { blobs: store, folder } = blobs();
    const hash = await store.put(BYTES);
    writeFileSync(path.join(folder, hash), wrong);
    const next = new Blobs(folder);
    assert.equal(await next.has(hash), true);
    assert.equal(await next.get(hash), undefined);
    await next.put(BYTES);
    assert.deepEqual(await next.get(hash), BYTES);
  });
}
