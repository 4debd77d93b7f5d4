import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';
import { StateFile } from '../../../../src/review/store/stateFile';
import { temporaryFolder } from '../../git/support';

test('who lost the lock while the text was made writes nothing over what has come', async () => {
  const file = path.join(temporaryFolder(), 'state.json');
  // A stale lock is taken over: both hold it.
  const both = <T>(_: string, task: () => Promise<T>): Promise<T> => task();
  const [slow, quick] = [new StateFile(file, both), new StateFile(file, both)];
  const isWritten = await slow.write(async () => {
    assert.equal(await quick.write(() => Promise.resolve('quick')), true);
    return 'slow';
  });
  assert.equal(isWritten, false);
  assert.equal(readFileSync(file, 'utf8'), 'quick');
  assert.deepEqual(readdirSync(path.dirname(file)), ['state.json']);
  await slow.read(text => Promise.resolve(text === 'quick'));
  assert.equal(await slow.write(() => Promise.resolve('both')), true);
});
