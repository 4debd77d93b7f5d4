import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RestartPolicy } from '../../../src/agents/restartPolicy';

test('three restarts in three minutes, each later than the one before', () => {
  const policy = new RestartPolicy();
  const decide = (seconds: number) => {
    const decision = policy.decide(seconds * 1000);
    return decision.kind === 'restart' ? decision.delayMs : decision.kind;
  };
  assert.deepEqual([decide(0), decide(10), decide(20)], [0, 1000, 3000]);
  assert.equal(decide(30), 'giveUp');
  assert.equal(decide(179), 'giveUp');
  // The first is three minutes old now: one more, and with the longest wait.
  assert.equal(decide(180), 3000);
  assert.equal(decide(181), 'giveUp');
  policy.reset();
  assert.equal(decide(182), 0);
});
