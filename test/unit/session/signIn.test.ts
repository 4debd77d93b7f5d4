/** A sign-in that is wanted at any moment leads to the card, and then to what the user had asked for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { initialSession } from '../../../src/session/state/initialSession';
import { world } from './world';

const auth = [{ id: 'key', name: 'Key' }];

for (const [what, authError] of [
  ['a prompt that wants a sign-in', undefined],
  ['credentials that the service refuses', { code: 401, message: 'Unauthorized' }],
] as const) {
  test(`${what}: the same session answers it after signing in`, async t => {
    const opened = await world({ auth, authFor: 'session/prompt', authError, logPrompt: true });
    t.after(() => opened.end());
    const { chat, until } = opened;
    const { sessionId } = opened.state;
    chat.controller.send('hello');
    const asked = await until(({ connection }) => connection.kind === 'signIn');
    assert.deepEqual(
      asked.queue.map(({ text }) => text),
      ['hello'],
    );
    if (authError) assert.match(JSON.stringify(asked.connection), /credentials/);
    await chat.controller.signIn('key');
    const state = await until(({ turns }) => turns.at(-1)?.end?.reason === 'end_turn');
    assert.equal(state.turns.at(-1)?.prompt?.text, 'hello');
    assert.match(JSON.stringify(state.turns.at(-1)?.parts), /hello/);
    assert.equal(state.sessionId, sessionId, 'it is still the same session');
    assert.deepEqual(state.queue, []);
  });
}

test('a mode that wants a sign-in is set after it', async t => {
  const modes = {
    currentModeId: 'a',
    availableModes: [
      { id: 'a', name: 'A' },
      { id: 'b', name: 'B' },
    ],
  };
  const opened = await world({ auth, authFor: 'session/set_mode', opened: { modes } });
  t.after(() => opened.end());
  const { chat, until } = opened;
  const mode = () => chat.store.state.configOptions[0]?.value;
  const id = chat.store.state.configOptions[0]?.id ?? '';
  await chat.controller.setConfig(id, 'b');
  assert.equal(mode(), 'a', 'what is not set is not shown');
  await until(({ connection }) => connection.kind === 'signIn');
  await chat.controller.signIn('key');
  assert.equal(mode(), 'b');
  assert.equal(chat.store.state.connection.kind, 'ready');
});

test('a chat whose session wants a sign-in to be loaded keeps its transcript until then', async t => {
  const replayed = {
    sessionUpdate: 'user_message_chunk',
    content: { type: 'text', text: 'replayed' },
  };
  const opened = await world(
    { auth, authFor: 'session/load', capabilities: { loadSession: true }, replay: [replayed] },
    {
      restore: cwd => ({
        ...initialSession({ chatId: 'c', agentName: 'Program', cwd, at: 0 }),
        sessionId: 'old',
        turns: [{ id: 't', parts: [], startedAt: 0, endedAt: 1 }],
      }),
    },
  );
  t.after(() => opened.end());
  await opened.chat.controller.connect();
  assert.equal(opened.state.connection.kind, 'signIn');
  assert.equal(opened.state.turns[0]?.id, 't');
  await opened.chat.controller.signIn('key');
  const state = await opened.until(({ connection }) => connection.kind === 'ready');
  assert.equal(state.turns.at(-1)?.prompt?.text ?? state.activeTurn?.prompt?.text, 'replayed');
});

test('the card says what the agent says about signing in', async t => {
  const opened = await world(
    {
      auth,
      authFor: 'session/new',
      authError: { code: -32000, message: 'Authentication required: Run `it login`.' },
    },
    { connect: false },
  );
  t.after(() => opened.end());
  const { connection } = await opened.until(state => state.connection.kind === 'signIn');
  assert.equal(connection.kind === 'signIn' && connection.hint, 'Run `it login`.');
});
