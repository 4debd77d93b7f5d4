/** Going back to before a prompt, with a real agent process on the other side. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { world, type World } from './world';

const steps = (content: string) => [
  {
    update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: content } },
  },
  { respond: { stopReason: 'end_turn' } },
];

async function open(t: TestContext): Promise<World> {
  const opened = await world({});
  t.after(() => opened.end());
  return opened;
}

test('the turns from a prompt on go, its text comes back, and the agent begins anew', async t => {
  const { run, chat } = await open(t);
  await run(steps('one'));
  const { sessionId } = await run(steps('two'));
  const [first, second] = chat.store.state.turns;
  assert.ok(first && second?.prompt && sessionId);
  chat.controller.typeDraft('and this', 'view');
  await chat.controller.rewind(second.id);

  const { state } = chat.store;
  assert.deepEqual(state.turns[0], first);
  const told = state.turns.slice(1).flatMap(turn => turn.parts);
  assert.deepEqual(
    told.map(part => part.kind),
    ['notice'],
  );
  assert.equal(state.draft.text, `${second.prompt.text}\nand this`);
  assert.deepEqual(
    state.draft.attachments.map(({ kind }) => kind),
    ['conversation'],
    'what was said before goes along',
  );
  assert.equal(state.sessionId, undefined);
  assert.equal(state.connection.kind, 'stopped');

  const after = await run(steps('anew'));
  assert.ok(after.sessionId, 'a new session was made');
  assert.deepEqual(
    after.turns.at(-1)?.parts.map(part => part.kind === 'text' && part.text),
    ['anew'],
  );
});

test('before the first prompt nothing is left to tell', async t => {
  const { run, chat } = await open(t);
  const { turns } = await run(steps('one'));
  await chat.controller.rewind(turns[0]?.id ?? '');
  assert.deepEqual(chat.store.state.turns, []);
  assert.deepEqual(chat.store.state.draft.attachments, []);
});

test('while a turn runs, or for a turn that is gone, nothing happens', async t => {
  const { run, until, chat } = await open(t);
  await run(steps('one'));
  const before = chat.store.state;
  await chat.controller.rewind('gone');
  assert.equal(chat.store.state, before);

  const ended = run([{ waitCancel: true }, { respond: { stopReason: 'cancelled' } }]);
  await until(state => state.activeTurn);
  await chat.controller.rewind(before.turns[0]?.id ?? '');
  assert.equal(chat.store.state.turns.length, 1);
  chat.controller.stop();
  await ended;
});
