import assert from 'node:assert/strict';
import { lstatSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { CLOCK_SLACK_MS, lookAt } from '../../../../src/review/checkpoints/diskFile';
import { KnownFiles } from '../../../../src/review/checkpoints/knownFiles';
import { Blobs, hashOf } from '../../../../src/review/store/blobs';
import { eventually } from '../../../workbench/eventually';

test('bytes and time of a file that is replaced meanwhile belong together', async t => {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-look-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'a.txt');
  const times = new Map<string, number>();
  const replace = (text: string) => {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
    times.set(hashOf(Buffer.from(text)), lstatSync(file).ctimeMs);
  };
  for (let round = 0; round < 300; round++) {
    replace(`${round} before`);
    const looking = lookAt(file);
    // At another moment of the look each time.
    for (let pause = round % 12; pause > 0; pause--) await setImmediate();
    replace(`${round} after`);
    const found = await looking;
    assert.ok(found.kind === 'file');
    assert.equal(found.changedAt, times.get(found.hash), `round ${round}`);
  }
});

test('a time that a later write may share tells nothing', async t => {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-look-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'a.txt');
  const known = new KnownFiles(new Blobs(path.join(folder, 'blobs')), () => true);
  let atOnce = 0;
  for (let round = 0; round < 100; round++) {
    writeFileSync(file, `${round}`);
    const found = await lookAt(file);
    await known.set(file, found);
    const info = lstatSync(file);
    if (Date.now() - info.ctimeMs > CLOCK_SLACK_MS) continue;
    atOnce += 1;
    assert.equal(known.isUntouched(file, info), false, `round ${round}`);
  }
  assert.ok(atOnce > 0);

  // Once it has passed, the file is not read again and again.
  await eventually('its time tells', async () => {
    known.touched(file, await lookAt(file));
    return known.isUntouched(file, lstatSync(file));
  });
});
