import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import * as path from 'node:path';
import { test } from 'node:test';
import { OpenWindows } from '../../../../src/review/store/openWindows';
import { temporaryFolder } from '../../git/support';

for (const [host, isCounted] of [
  ['', false],
  [`@${encodeURIComponent(hostname())}`, false],
  ['@another.host', true],
] as const) {
  test(`a process that is not seen, of ${host || 'an older version'}: ${isCounted}`, async t => {
    const folder = temporaryFolder();
    const windows = new OpenWindows(folder);
    t.after(() => windows.dispose());
    await windows.enter();
    assert.ok(readdirSync(folder)[0]?.endsWith(`@${encodeURIComponent(hostname())}`));
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    writeFileSync(path.join(folder, `${pid}-other${host}`), '');
    assert.equal(await windows.haveOthers(), isCounted);
    assert.equal(readdirSync(folder).length, isCounted ? 2 : 1);
  });
}
