import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  PROGRAM_RESTARTS,
  RestartPolicy,
  SERVER_RESTARTS,
  type RestartRule,
} from '../../../src/agents/restartPolicy';

function deciding(rule: RestartRule) {
  const policy = new RestartPolicy();
  const decide = (seconds: number) => {
    const decision = policy.decide(seconds * 1000, rule);
    return decision.kind === 'restart' ? decision.delayMs : decision.kind;
  };
  return { policy, decide };
}

test('a program: three restarts in three minutes, each later than the one before', () => {
  const { policy, decide } = deciding(PROGRAM_RESTARTS);
  assert.deepEqual([decide(0), decide(10), decide(20)], [0, 1000, 3000]);
  assert.equal(decide(30), 'giveUp');
  assert.equal(decide(179), 'giveUp');
  // The first is three minutes old now: one more, and with the longest wait.
  assert.equal(decide(180), 3000);
  assert.equal(decide(181), 'giveUp');
  policy.reset();
  assert.equal(decide(182), 0);
});

test('a server: at once, then later and later, and for a quarter of an hour', () => {
  const { decide } = deciding(SERVER_RESTARTS);
  const delays: number[] = [];
  let now = 0;
  for (let next = decide(now); next !== 'giveUp'; next = decide(now)) {
    delays.push(Number(next) / 1000);
    now += Number(next) / 1000;
  }
  assert.deepEqual(delays.slice(0, 9), [0, 1, 2, 5, 10, 20, 30, 60, 60]);
  assert.deepEqual(
    delays,
    delays.toSorted((one, other) => one - other),
  );
  assert.ok(now >= 15 * 60 && now < 20 * 60, `${now} s`);
  // One that has been there for long meanwhile begins anew.
  assert.equal(decide(now + 20 * 60), 0);
});
