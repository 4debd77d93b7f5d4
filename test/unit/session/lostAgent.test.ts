/** An agent that ends by itself: chats in which nothing was asked go on, the others say so and lose no word. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Chat } from '../../../src/session/chats';
import { FIXTURES, marked, processesWith } from '../agents/support';
import { untilState, world } from './world';

const LINUX = { skip: process.platform !== 'linux' };

const RESUMES = { sessionCapabilities: { resume: {} } };
const LOADS = { loadSession: true };

/** A world whose agent can be found, and killed. */
async function findable(t: TestContext, capabilities: object, args?: readonly string[]) {
  const id = randomUUID();
  const agent = path.resolve('test/unit/session/programAgent.mjs');
  const made = await world(
    {},
    {
      launch: {
        command: process.execPath,
        args: args ?? [agent],
        env: { PROGRAM: JSON.stringify({ capabilities }), ...marked(id) },
      },
    },
  );
  t.after(made.end);
  const pids = () => processesWith(id);
  return Object.assign(made, {
    pids,
    /** Ends the agent as a crash does. */
    crash() {
      const found = pids();
      assert.ok(found.length > 0);
      for (const pid of found) process.kill(pid, 'SIGKILL');
    },
  });
}

const noticesOf = ({ store }: Chat) =>
  store.state.turns.flatMap(({ parts }) =>
    parts.flatMap(part => (part.kind === 'notice' ? [part.text] : [])),
  );
const isReady = ({ store }: Chat) => untilState(store, s => s.connection.kind === 'ready');
const lost = ({ store }: Chat) => untilState(store, s => s.connection.kind !== 'ready');
const AGAIN = 'Program quit and was restarted.';
const FORGOTTEN = 'Program cannot resume this chat. It starts a new session here.';

for (const [what, capabilities, lines] of [
  ['resumes sessions', RESUMES, [AGAIN]],
  ['loads sessions', LOADS, [AGAIN]],
  ['forgets sessions', {}, [FORGOTTEN, AGAIN]],
] as const) {
  test(`nothing was asked: an agent that ${what} is started again`, LINUX, async t => {
    const w = await findable(t, capabilities);
    const second = w.chats.create('Program');
    assert.ok(second);
    await isReady(second);
    await w.run([]);
    w.chat.controller.typeDraft('half a thou', 'view');
    const before = w.state.sessionId;
    const both = Promise.all([lost(w.chat), lost(second)]);
    w.crash();
    await both;
    for (const chat of [w.chat, second]) await isReady(chat);
    if (lines.length === 1) assert.equal(w.state.sessionId, before);
    await w.until(() => noticesOf(w.chat).includes(AGAIN));
    assert.deepEqual(noticesOf(w.chat), lines);
    assert.deepEqual(noticesOf(second), [], 'nothing was said there that could be lost');
    assert.equal(w.state.draft.text, 'half a thou');
    assert.equal(w.pids().length, 1);
    const { turns } = await w.run([]);
    assert.equal(turns.at(-1)?.end?.reason, 'end_turn');

    // Once more: there is a prompt in between, so it is told once more, in one line each time.
    const again = lost(w.chat);
    w.crash();
    await again;
    await isReady(w.chat);
    await w.until(() => noticesOf(w.chat).filter(text => text === AGAIN).length === 2);
  });
}

test(
  'a prompt ran: it goes back to the composer, and Restart is up to the user',
  LINUX,
  async t => {
    const w = await findable(t, RESUMES);
    const second = w.chats.create('Program');
    assert.ok(second);
    await isReady(second);
    w.send([{ waitCancel: true }]);
    await w.until(state => state.activeTurn);
    w.chat.controller.typeDraft('and then', 'view');
    w.crash();

    const state = await w.until(({ connection }) => connection.kind === 'failed');
    assert.ok(state.connection.kind === 'failed');
    assert.equal(state.connection.problem.actions[0], 'restart');
    await w.until(({ activeTurn }) => !activeTurn);
    assert.equal(w.state.turns.at(-1)?.end?.reason, 'interrupted');
    assert.equal(w.state.draft.text, '[{"waitCancel":true}]\nand then');

    // The other has asked nothing and goes on, also when the first begins again.
    await isReady(second);
    second.controller.send('[{"waitCancel":true}]');
    await untilState(second.store, other => other.activeTurn);
    await w.chat.controller.restart();
    assert.equal(w.state.connection.kind, 'ready');
    assert.ok(second.store.state.activeTurn);
    assert.equal(w.pids().length, 1);
    second.controller.stop();
    await untilState(second.store, other => !other.activeTurn);
  },
);

test('a turn that the user has stopped is not put back', LINUX, async t => {
  const w = await findable(t, RESUMES);
  w.send([{ pause: 600_000 }]);
  await w.until(state => state.activeTurn);
  w.chat.controller.stop();
  w.crash();
  await w.until(({ activeTurn }) => !activeTurn);
  assert.equal(w.state.draft.text, '');
});

test(
  'an agent that keeps ending is given up, and all chats go on once it stays',
  LINUX,
  async t => {
    const folder = mkdtempSync(path.join(tmpdir(), 'parley-ends-'));
    const flag = path.join(folder, 'ends');
    t.after(() => rmSync(folder, { recursive: true }));
    const w = await findable(t, RESUMES, [path.join(FIXTURES, 'endsWhenIdle.mjs'), flag]);
    const others = [w.chats.create('Program'), w.chats.create('Program')];
    const all = [w.chat, ...others].filter(chat => chat !== undefined);
    assert.equal(all.length, 3);
    for (const chat of all) await isReady(chat);
    let starts = 0;
    w.agent.onDidChangeStatus(({ kind }) => (starts += kind === 'ready' ? 1 : 0));
    writeFileSync(flag, '');
    w.crash();
    for (const { store } of all) {
      await untilState(store, ({ connection }) => connection.kind === 'failed');
    }
    // Three in three minutes, and three of each chat whatever time it takes.
    assert.ok(starts > 0 && starts <= 9, `${starts} starts`);
    for (const { store } of all) assert.equal(store.state.connection.kind, 'failed');

    rmSync(flag);
    await all[1]?.controller.restart();
    for (const chat of all) await isReady(chat);
    assert.equal(w.pids().length, 1);
  },
);
