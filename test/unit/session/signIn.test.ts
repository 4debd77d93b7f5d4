/** A sign-in that is wanted at any moment leads to the card, and then to what the user had asked for. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { Deferred } from '../../../src/base/deferred';
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

test('a sign-in of the agent can be cancelled: it is told, and the choice is there again', async t => {
  const sent: { readonly method?: string; readonly id?: number; readonly params?: object }[] = [];
  const opened = await world(
    { auth, silent: ['authenticate'] },
    {
      connect: false,
      tap: ({ direction, json }) => {
        if (direction === 'send') sent.push(JSON.parse(json) as (typeof sent)[number]);
      },
    },
  );
  t.after(() => opened.end());
  const { chat, until } = opened;
  await until(({ connection }) => connection.kind === 'signIn');
  const signingIn = chat.controller.signIn('key');
  await until(({ connection }) => connection.kind === 'signIn' && connection.busy);
  chat.controller.cancelStart();
  await signingIn;
  const { connection } = opened.state;
  assert.ok(connection.kind === 'signIn' && !connection.busy && connection.problem === undefined);
  assert.equal(connection.methods.length, 1);
  const asked = sent.find(({ method }) => method === 'authenticate');
  const cancelled = sent.find(({ method }) => method === '$/cancel_request');
  assert.deepEqual(cancelled?.params, { requestId: asked?.id });
});

test('a sign-in in a terminal can be cancelled: its program ends, and another way is open', async t => {
  const started = new Deferred<number | undefined>();
  const opened = await world(
    { auth: [{ id: 'tui', name: 'Terminal', type: 'terminal' }, ...auth] },
    {
      connect: false,
      signIn: {
        async runInTerminal(_title, command, signal) {
          const child = spawn('sleep', ['1000'], { cwd: command.cwd });
          signal.addEventListener('abort', () => child.kill('SIGHUP'));
          started.resolve(child.pid);
          await once(child, 'exit');
          return undefined;
        },
        askVariables: () => Promise.resolve(undefined),
      },
    },
  );
  t.after(() => opened.end());
  const { chat, until } = opened;
  await until(({ connection }) => connection.kind === 'signIn');
  const signingIn = chat.controller.signIn('tui');
  const pid = await started.promise;
  chat.controller.cancelStart();
  await signingIn;
  assert.throws(() => process.kill(pid ?? 0, 0), { code: 'ESRCH' });
  assert.equal(opened.state.connection.kind, 'signIn');
  await chat.controller.signIn('key');
  assert.equal(opened.state.connection.kind, 'ready');
});

test('closing a chat takes a sign-in back without a word', async t => {
  const opened = await world({ auth, silent: ['authenticate'] }, { connect: false });
  t.after(() => opened.end());
  const { chat, until } = opened;
  await until(({ connection }) => connection.kind === 'signIn');
  const signingIn = chat.controller.signIn('key');
  await chat.controller.close();
  await signingIn;
  assert.equal(opened.state.connection.kind, 'stopped');
});

test('a turn can be stopped while a sign-in is waited for', async t => {
  const opened = await world({ auth, signedIn: true, silent: ['authenticate'] });
  t.after(() => opened.end());
  const { chat, until } = opened;
  opened.send([{ waitCancel: true }, { respond: { stopReason: 'cancelled' } }]);
  await until(({ activeTurn }) => activeTurn);
  const signingIn = chat.controller.signIn('key');
  await until(({ connection }) => connection.kind === 'signIn' && connection.busy);
  chat.controller.stop();
  const { turns, connection } = await until(({ activeTurn }) => !activeTurn);
  assert.equal(turns[0]?.end?.reason, 'cancelled');
  assert.equal(connection.kind, 'signIn');
  chat.controller.cancelStart();
  await signingIn;
});

test('an agent that goes while its card stands takes its commands along, and the card stays', async t => {
  const opened = await world({ auth, signedIn: true });
  t.after(() => opened.end());
  const { agent, until } = opened;
  opened.send([
    {
      ask: { method: 'terminal/create', params: { command: 'sleep', args: ['600'] } },
      quiet: true,
    },
    { fail: { code: -32000, message: 'Authentication required' } },
  ]);
  const { terminals } = await until(({ connection }) => connection.kind === 'signIn');
  const [command] = Object.values(terminals);
  assert.ok(command && !command.exit);
  await agent.stop();
  await until(state => state.terminals[command.id]?.exit);
  assert.equal(opened.state.connection.kind, 'signIn');
});
