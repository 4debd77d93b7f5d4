/** Several chats of several agents at the same time: what happens in one stays in it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Chat } from '../../../src/session/chats';
import { untilState, world } from './world';
import { choose } from './choose';

const say = (text: string) => ({
  update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
});
const askFirst = {
  ask: {
    method: 'session/request_permission',
    params: {
      toolCall: { toolCallId: 'same', title: 'The same id everywhere' },
      options: [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }],
    },
  },
  quiet: true,
};

const saidIn = ({ store }: Chat) =>
  [...store.state.turns, ...(store.state.activeTurn ? [store.state.activeTurn] : [])].map(turn =>
    turn.parts.flatMap(part => (part.kind === 'text' ? [part.text] : [])).join(''),
  );

const allow = ({ store, controller }: Chat) =>
  choose(controller, store.state.permissions[0]?.id, 'yes');

test('of four chats of two agents one is stopped and one agent ends; the others go on', async t => {
  const { chats, chat: first, end } = await world();
  t.after(end);
  const created = ['Program', 'Other', 'Other'].map(name => chats.create(name));
  const [second, third, fourth] = created;
  assert.ok(second && third && fourth);
  const all = [first, second, third, fourth];
  for (const { store } of all) await untilState(store, state => state.connection.kind === 'ready');
  assert.deepEqual(
    all.map(({ store }) => store.state.sessionId).sort(),
    ['s1', 's1', 's2', 's2'],
    'a process for each agent, a session for each chat',
  );

  for (const [index, { controller }] of all.entries()) {
    const after =
      index === 2 ? [{ exit: 3 }] : [say(' done'), { respond: { stopReason: 'end_turn' } }];
    controller.send(JSON.stringify([say(`chat ${index}`), askFirst, ...after]));
  }
  for (const { store } of all) await untilState(store, state => state.permissions.length > 0);
  assert.deepEqual(all.flatMap(saidIn), ['chat 0', 'chat 1', 'chat 2', 'chat 3']);

  first.controller.stop();
  await untilState(first.store, state => !state.activeTurn);
  assert.equal(first.store.state.permissions.length, 0);
  assert.deepEqual(
    all.slice(1).map(({ store }) => store.state.permissions.length),
    [1, 1, 1],
    'the others still ask',
  );

  allow(third);
  for (const { store } of [third, fourth]) {
    await untilState(store, state => state.connection.kind === 'failed');
    assert.equal(store.state.turns.at(-1)?.end?.reason, 'interrupted');
    assert.equal(store.state.permissions.length, 0);
  }

  assert.equal(second.store.state.connection.kind, 'ready');
  allow(second);
  await untilState(second.store, state => !state.activeTurn);
  assert.equal(second.store.state.turns[0]?.end?.reason, 'end_turn');
  assert.deepEqual(saidIn(second), ['chat 1 done']);

  fourth.controller.send(JSON.stringify([say('here again')]));
  await untilState(
    fourth.store,
    state => saidIn(fourth).at(-1) === 'here again' && !state.activeTurn,
  );
  first.controller.send(JSON.stringify([say('and here')]));
  await untilState(first.store, state => saidIn(first).at(-1) === 'and here' && !state.activeTurn);
});

test('a turn that the window closes on was not stopped by the user; one of a closed chat was', async t => {
  const { chats, chat: first, end } = await world();
  t.after(end);
  const second = chats.create('Other');
  assert.ok(second);
  const all = [first, second];
  for (const { store } of all) await untilState(store, state => state.connection.kind === 'ready');
  for (const { controller } of all) controller.send(JSON.stringify([say('so far'), askFirst]));
  for (const { store } of all) await untilState(store, state => state.permissions.length > 0);

  await second.controller.close();
  await chats.closeAll();
  assert.deepEqual(
    all.map(({ store }) => store.state.turns.at(-1)?.end),
    [{ reason: 'interrupted' }, { reason: 'cancelled' }],
  );
  assert.deepEqual(
    all.flatMap(({ store }) => store.state.permissions),
    [],
  );
});
