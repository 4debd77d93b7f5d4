/** When an agent that nobody asks anything is let go, and when it cannot be known whether it works. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { AgentChildren } from '../../../src/agents/process/agentChildren';
import { rig, type RigOptions } from './support';

const MINUTE = 60_000;

/** An agent of one chat that needs nothing. Time goes on by `tick` alone. */
async function idle(t: TestContext, children: RigOptions['children']) {
  const { host } = rig(t, 'good', { idleMinutes: () => 1, ...(children && { children }) });
  const lease = host.lease();
  await host.connect();
  t.mock.timers.enable({ apis: ['setTimeout'] });
  // Before all that ends the agent, which waits with limits.
  t.after(() => t.mock.timers.reset());
  lease.use('nothing');
  return { host, lease, tick: (ms: number) => t.mock.timers.tick(ms) };
}

test('what comes outside a turn begins the wait anew', async t => {
  const { host, lease, tick } = await idle(t, () => new Set());
  for (let n = 0; n < 3; n += 1) {
    tick(0.9 * MINUTE);
    lease.use('nothing');
  }
  tick(0.9 * MINUTE);
  assert.equal(host.status.kind, 'ready');
  tick(0.1 * MINUTE);
  assert.equal(host.status.kind, 'resting');
});

test('it is let go only when it is known what runs below it', async t => {
  let known: ReadonlySet<string> | undefined;
  const { host, lease, tick } = await idle(t, () => known);
  lease.use('turn');
  lease.use('nothing');
  for (let n = 0; n < 5; n += 1) tick(MINUTE);
  assert.equal(host.status.kind, 'ready');
  // It may have begun in the turn.
  known = new Set(['a program']);
  for (let n = 0; n < 5; n += 1) tick(MINUTE);
  assert.equal(host.status.kind, 'ready');
  known = new Set();
  tick(MINUTE);
  assert.equal(host.status.kind, 'resting');
});

test('where there is no list of processes nothing is known', () => {
  const children = new AgentChildren(() => []);
  assert.equal(children.of('Agent'), undefined);
});
