import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Deferred } from '../../../src/base/deferred';
import { KeyedQueue } from '../../../src/vscode/files/keyedQueue';

test('tasks of one key run in order, also after a failure; other keys do not wait', async () => {
  const queue = new KeyedQueue();
  const first = new Deferred<void>();
  const order: string[] = [];
  const a1 = queue.run('a', async () => {
    await first.promise;
    order.push('a1');
    throw new Error('a1');
  });
  const a2 = queue.run('a', () => Promise.resolve(order.push('a2')));
  await queue.run('b', () => Promise.resolve(order.push('b')));
  assert.deepEqual(order, ['b']);
  first.resolve();
  await assert.rejects(a1, /a1/);
  await a2;
  assert.deepEqual(order, ['b', 'a1', 'a2']);
});
