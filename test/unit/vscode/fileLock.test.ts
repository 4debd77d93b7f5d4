import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import * as path from 'node:path';
import { mock, test, type TestContext } from 'node:test';
import { whileLocked } from '../../../src/vscode/files/fileLock';
import { eventually } from '../../workbench/eventually';
import { temporaryFolder } from '../git/support';

/** A function of the file system that is another one until the test ends. */
function replaced(t: TestContext, name: 'open' | 'stat', other: (...args: never[]) => unknown) {
  mock.method(fs, name, other as never);
  syncBuiltinESMExports();
  t.after(() => {
    mock.restoreAll();
    syncBuiltinESMExports();
  });
}

function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>(resolve => (open = resolve));
  return { open, opened };
}

test('a task that took too long leaves the lock to who has it now', async () => {
  const file = path.join(temporaryFolder(), 'a');
  const lock = `${file}.lock`;
  const [first, second] = [gate(), gate()];
  const slow = whileLocked(file, () => first.opened);
  await eventually('the first has it', () => existsSync(lock) && readFileSync(lock, 'utf8') !== '');
  utimesSync(lock, 1, 1);
  let isSecond = false;
  const next = whileLocked(file, () => {
    isSecond = true;
    return second.opened;
  });
  await eventually('the second has it', () => isSecond);
  first.open();
  await slow;
  assert.ok(existsSync(lock));
  second.open();
  await next;
  assert.deepEqual(readdirSync(path.dirname(file)), []);
});

test('of two that wait for a stale lock only one takes it over', async t => {
  const file = path.join(temporaryFolder(), 'a');
  const lock = `${file}.lock`;
  writeFileSync(lock, '');
  utimesSync(lock, 1, 1);
  // The first look at the lock is answered late: when another has taken it over already.
  const { stat } = fs;
  const late = gate();
  let looks = 0;
  replaced(t, 'stat', async (...args: Parameters<typeof stat>) => {
    const info = await stat(...args);
    if ((looks += 1) === 1) await late.opened;
    return info;
  });
  const held = gate();
  let holders = 0;
  let most = 0;
  const task = async () => {
    most = Math.max(most, (holders += 1));
    await held.opened;
    holders -= 1;
  };
  const one = whileLocked(file, task);
  await eventually('one has looked', () => looks > 0);
  const other = whileLocked(file, task);
  await eventually('the other has it', () => holders === 1);
  const seen = looks;
  late.open();
  // The one has moved it, given it back, and looks anew.
  await eventually('the one waits', () => looks > seen + 2 || holders > 1);
  held.open();
  await Promise.all([one, other]);
  assert.equal(most, 1);
  assert.deepEqual(readdirSync(path.dirname(file)), []);
});

for (const code of ['EPERM', 'EBUSY', 'EACCES']) {
  test(`a lock that cannot be made for a moment (${code}) is made then`, async t => {
    const file = path.join(temporaryFolder(), 'a');
    const { open } = fs;
    let refusals = 2;
    replaced(t, 'open', (...args: Parameters<typeof open>) =>
      refusals-- > 0 ? Promise.reject(Object.assign(new Error(code), { code })) : open(...args),
    );
    await whileLocked(file, () => Promise.resolve(assert.ok(existsSync(`${file}.lock`))));
  });
}
