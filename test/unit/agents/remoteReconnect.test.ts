/** Connections that are lost, and made again by themselves: the official SDK's server in a process that is killed. */
import assert from 'node:assert/strict';
import { once, EventEmitter } from 'node:events';
import { describe, test, type TestContext } from 'node:test';
import { SERVER_RESTARTS } from '../../../src/agents/restartPolicy';
import { nullLogger } from '../../../src/base/logger';
import type { SessionState } from '../../../src/session/state/state';
import { world, type World } from '../session/world';
import { relay } from './remoteSupport';
import { WIRES } from './remoteServer';
import { serverProcess } from './serverProcess';

const RESUMES = { capabilities: { sessionCapabilities: { resume: {} } } };
const LOADS = { capabilities: { loadSession: true } };

const says = (text: string) => ({
  update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
});
/** A turn that goes on until it is stopped. */
const WAITING = [says('waiting'), { waitCancel: true }];

/** A chat with the agent at `url`, and what its supervisor says of starts that failed. */
async function chatAt(t: TestContext, url: string) {
  const warnings = new EventEmitter();
  const logger = { ...nullLogger, warn: (message: string) => void warnings.emit('said', message) };
  const it = await world({}, { url, host: { logger } });
  t.after(() => it.end());
  return { it, warned: async () => ((await once(warnings, 'said')) as [string])[0] };
}

const partsOf = ({ turns, activeTurn }: SessionState) =>
  [...turns, ...(activeTurn ? [activeTurn] : [])].flatMap(({ parts }) => parts);
const isWaiting = (state: SessionState) =>
  partsOf(state).some(part => part.kind === 'text' && part.text === 'waiting');
const noticesOf = (state: SessionState) =>
  partsOf(state).flatMap(part => (part.kind === 'notice' ? [[part.text, part.detail]] : []));
const AGAIN = 'The connection to Program was lost and made again.';
const BACK = 'Your last message is back in the message box.';

/** Sends a message while the agent works: it waits. */
async function queue(it: World, text: string): Promise<void> {
  it.chat.controller.send(text, 'queue');
  await it.until(state => state.queue.some(message => message.text === text));
}

for (const wire of WIRES) {
  describe(`over ${wire}`, () => {
    for (const [how, behaves] of [
      ['resumed', RESUMES],
      ['loaded', LOADS],
    ] as const) {
      test(`between turns: the session is ${how}, and what is typed stays`, async t => {
        const server = await serverProcess(t, wire, behaves);
        const { it, warned } = await chatAt(t, server.url);
        await it.run([says('first')]);
        const { sessionId } = it.state;
        it.chat.controller.typeDraft('half a thou', 'view');
        t.mock.timers.enable({ apis: ['setTimeout'] });
        const failed = warned();
        await server.kill();
        // Nobody is there, or not for long: it is tried at once, then later and later.
        assert.match(await failed, /could not be reached|closed the connection/);
        assert.equal(it.state.connection.kind, 'starting');
        for (const seconds of [1, 2, 5]) {
          const next = warned();
          await aMoment();
          t.mock.timers.tick(seconds * 1000);
          assert.match(await next, /Nothing listens/);
        }
        await server.again();
        await aMoment();
        t.mock.timers.tick(10_000);
        t.mock.timers.reset();
        await it.until(({ connection }) => connection.kind === 'ready');
        const state = await it.until(each => noticesOf(each).length === 1);
        assert.deepEqual(noticesOf(state), [[AGAIN, undefined]]);
        assert.equal(state.sessionId, sessionId);
        assert.equal(state.draft.text, 'half a thou');
        const { turns } = await it.run([says('second')]);
        assert.equal(turns.at(-1)?.end?.reason, 'end_turn');
        assert.equal(server.connections, 2);
      });
    }

    test('in a turn: the prompt is back, and what waits goes after what is said next', async t => {
      const server = await serverProcess(t, wire, RESUMES);
      const { it } = await chatAt(t, server.url);
      const { sessionId } = it.state;
      it.send(WAITING);
      await it.until(isWaiting);
      await queue(it, JSON.stringify([says('second')]));
      it.chat.controller.typeDraft('half a thou', 'view');
      await server.kill();
      await it.until(({ connection }) => connection.kind === 'starting');
      await server.again();
      await it.until(({ connection }) => connection.kind === 'ready');
      const state = await it.until(each => noticesOf(each).length === 1);
      assert.deepEqual(noticesOf(state), [[AGAIN, BACK]]);
      assert.equal(state.sessionId, sessionId);
      assert.equal(state.turns[0]?.end?.reason, 'interrupted');
      assert.equal(state.draft.text, `${JSON.stringify(WAITING)}\nhalf a thou`);
      assert.equal(state.queue.length, 1);
      assert.equal(state.activeTurn, undefined);

      it.send([says('first')]);
      const done = await it.until(
        ({ activeTurn, queue: waiting, turns }) =>
          !activeTurn && waiting.length === 0 && turns.filter(({ prompt }) => prompt).length === 3,
      );
      const texts = partsOf(done).flatMap(part => (part.kind === 'text' ? [part.text] : []));
      assert.deepEqual(texts, ['waiting', 'first', 'second']);
    });

    test('what is said while there is no connection is sent when there is one', async t => {
      const server = await serverProcess(t, wire, RESUMES);
      const { it, warned } = await chatAt(t, server.url);
      await it.run([says('first')]);
      const failed = warned();
      await server.kill();
      await failed;
      it.send([says('second')]);
      assert.equal(it.state.queue.length, 1);
      await server.again();
      const state = await it.until(({ turns, activeTurn }) => {
        return !activeTurn && turns.filter(({ prompt }) => prompt).length === 2;
      });
      assert.equal(state.turns.at(-1)?.end?.reason, 'end_turn');
    });

    test('the user gives up waiting, and the next message tries again', async t => {
      const server = await serverProcess(t, wire, RESUMES);
      const { it, warned } = await chatAt(t, server.url);
      const failed = warned();
      await server.kill();
      await failed;
      it.chat.controller.cancelStart();
      await it.until(({ connection }) => connection.kind === 'stopped');
      await server.again();
      const { turns } = await it.run([says('there')]);
      assert.equal(turns.at(-1)?.end?.reason, 'end_turn');
    });
  });
}

test('a connection that is lost in a turn without a word is noticed, and made again', async t => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const server = await serverProcess(t, 'webSocket', RESUMES);
  const first = await relay(t, server);
  const { it } = await chatAt(t, first.url);
  it.send(WAITING);
  await it.until(isWaiting);
  first.lose();
  t.mock.timers.tick(25_000);
  t.mock.timers.tick(25_000);
  await it.until(({ activeTurn }) => !activeTurn);
  first.find();
  await it.until(({ connection }) => connection.kind === 'ready');
  assert.equal(server.connections, 2);
});

test('a server that is gone for good is given up after a quarter of an hour, and can be tried again', async t => {
  const server = await serverProcess(t, 'webSocket', RESUMES);
  const { it, warned } = await chatAt(t, server.url);
  const gone = it.until(({ connection }) => connection.kind === 'failed');
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let failed = warned();
  await server.kill();
  let attempts = 0;
  const isOver = gone.then(() => true);
  for (;;) {
    if (await Promise.race([failed.then(() => false), isOver])) break;
    attempts += 1;
    failed = warned();
    await aMoment();
    t.mock.timers.tick(60_000);
  }
  assert.equal(attempts, SERVER_RESTARTS.delaysMs.length);
  const { connection } = await gone;
  assert.ok(connection.kind === 'failed');
  assert.match(connection.problem.title, /could not be reached/);
  assert.deepEqual(connection.problem.actions, ['retry', 'editAgents', 'showLog']);
  t.mock.timers.reset();
  await server.again();
  await it.chat.controller.retry();
  assert.equal(it.state.connection.kind, 'ready');
});

/** Promises that are settled are taken in, and timers set. */
async function aMoment(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(resolve => setImmediate(resolve));
}
