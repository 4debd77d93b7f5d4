import assert from 'node:assert/strict';
import { lstatSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { hashOf } from '../../../../src/review/store/blobs';
import { lookAt } from '../../../../src/review/checkpoints/diskFile';

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
