/** What is used of a subscription, by window: kept, and warned of once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { world } from './world';

const DAY = 86_400;

test('windows are kept beside each other, and a warning comes once for each', async t => {
  const { run, end } = await world();
  t.after(end);
  const limit = (
    rateLimitType: string,
    utilization: number,
    status = 'allowed',
    resetsAt = DAY,
  ) => ({
    update: {
      sessionUpdate: 'usage_update',
      used: 10,
      size: 100,
      _meta: { '_claude/rateLimit': { status, rateLimitType, utilization, resetsAt } },
    },
  });
  const state = await run([
    limit('five_hour', 0.5),
    limit('seven_day', 0.2),
    limit('five_hour', 0.8),
    limit('five_hour', 0.91, 'allowed_warning'),
    limit('five_hour', 1, 'rejected'),
    // A new window.
    limit('five_hour', 0.85, 'allowed', 2 * DAY),
  ]);
  assert.deepEqual(state.usage, {
    used: 10,
    size: 100,
    limits: [
      { window: 'seven_day', name: '7 days', used: 20, resetsAt: DAY * 1000, state: 'allowed' },
      {
        window: 'five_hour',
        name: '5 hours',
        used: 85,
        resetsAt: 2 * DAY * 1000,
        state: 'warning',
      },
    ],
  });
  const said = state.turns[0]?.parts.flatMap(part => (part.kind === 'notice' ? [part] : []));
  assert.deepEqual(
    said?.map(({ text }) => text),
    [
      '80% of the usage limit (5 hours) is used.',
      'The usage limit (5 hours) is reached.',
      '85% of the usage limit (5 hours) is used.',
    ],
  );
  assert.match(said?.[0]?.detail ?? '', /^It resets at /);
});

test('a limit without a context leaves the context alone, and nonsense is ignored', async t => {
  const { run, end } = await world();
  t.after(end);
  const usage = (used: number, size: number, limit: unknown) => ({
    update: { sessionUpdate: 'usage_update', used, size, _meta: { '_claude/rateLimit': limit } },
  });
  const { usage: kept } = await run([
    usage(5, 50, undefined),
    usage(0, 0, { status: 'rejected', rateLimitType: 'seven_day_opus' }),
    ...[null, 7, [], { status: 1 }].map(limit => usage(5, 50, limit)),
  ]);
  assert.deepEqual(kept, {
    used: 5,
    size: 50,
    limits: [{ window: 'seven_day_opus', name: '7 days', state: 'reached' }],
  });
});
