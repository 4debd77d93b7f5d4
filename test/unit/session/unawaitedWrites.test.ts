/** Agents that do not wait for what they write through the editor, as opencode does not: the turn does. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { AgentTracking } from '../../../src/session/ports';
import { world } from './world';

/** Writes that wait for `open`. */
function gate(): {
  readonly tracking: AgentTracking;
  open(): void;
  readonly reached: Promise<void>;
} {
  let open = () => {};
  let reach = () => {};
  const opened = new Promise<void>(resolve => (open = resolve));
  const reached = new Promise<void>(resolve => (reach = resolve));
  return {
    open,
    reached,
    tracking: {
      promptReady: () => Promise.resolve(),
      async record(_turn, _path, write) {
        reach();
        await opened;
        return write();
      },
    },
  };
}

const ENDINGS = [
  { name: 'an answer', steps: [{ respond: { stopReason: 'end_turn' } }], reason: 'end_turn' },
  { name: 'an error', steps: [{ fail: { code: -32603, message: 'broken' } }], reason: 'failed' },
  {
    name: 'the answer to a stop',
    steps: [{ waitCancel: true }, { respond: { stopReason: 'cancelled' } }],
    reason: 'cancelled',
  },
] as const;

for (const { name, steps, reason } of ENDINGS) {
  test(`what is being written when ${name} comes is written before the turn ends`, async t => {
    const { tracking, open, reached } = gate();
    const { cwd, until, send, chat, end } = await world({}, { tracking });
    t.after(end);
    const path = join(cwd, 'a.txt');
    const write = { method: 'fs/write_text_file', params: { path, content: 'new' } };
    // Told after the answer: when it is there, so is the answer.
    const late = [{ sessionUpdate: 'session_info_update', title: 'answered' }];
    send([{ asks: [write] }, { late }, ...steps]);
    await reached;
    if (reason === 'cancelled') chat.controller.stop();
    const { activeTurn } = await until(state => state.title === 'answered');
    assert.ok(activeTurn, 'the turn goes on');
    open();
    const { turns } = await until(state => !state.activeTurn);
    assert.equal(turns[0]?.end?.reason, reason);
    assert.equal(readFileSync(path, 'utf8'), 'new');
  });
}

test('a write that waits for the user does not hold up the end of the turn: nothing is written', async t => {
  const { cwd, run, end } = await world({}, { asksBeforeWriting: true });
  t.after(end);
  const path = join(cwd, 'a.txt');
  const { turns, permissions } = await run([
    { asks: [{ method: 'fs/write_text_file', params: { path, content: 'new' } }] },
    { update: { sessionUpdate: 'plan', entries: [] } },
    { respond: { stopReason: 'end_turn' } },
  ]);
  assert.equal(turns[0]?.end?.reason, 'end_turn');
  assert.deepEqual(permissions, []);
  assert.ok(!existsSync(path));
});
