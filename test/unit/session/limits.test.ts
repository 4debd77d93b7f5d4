/** The limits of the settings, with a real agent process: a sentence for each, and no session is lost. */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { AgentLimits } from '../../../src/agents/backends/acp/agentLimits';
import type { Received } from '../acp/rawPeer';
import type { PromptLimitSettings } from '../../../src/session/turns/promptLimits';
import { initialSession } from '../../../src/session/state/initialSession';
import type { NoticePart, SessionState } from '../../../src/session/state/state';
import { AgentSessions } from '../../../src/session/history/agentSessions';
import { Rate } from '../../../src/session/turns/rate';
import { done, text } from './agentSteps';
import { world, type World } from './world';

async function open(
  t: TestContext,
  program: Record<string, unknown>,
  options: Parameters<typeof world>[1] = {},
): Promise<World> {
  const opened = await world(program, options);
  t.after(() => opened.end());
  return opened;
}

const notices = ({ turns, activeTurn }: SessionState): NoticePart[] =>
  [...turns, ...(activeTurn ? [activeTurn] : [])].flatMap(({ parts }) =>
    parts.filter((part): part is NoticePart => part.kind === 'notice'),
  );
const said = (state: SessionState) =>
  JSON.stringify(state.turns.at(-1)?.parts.filter(({ kind }) => kind === 'text'));

// ── messages that are too long ─────────────────────────────────────────────────────────────────────────

test('an update beyond lineBytes is left out with a notice; its turn and the next go on', async t => {
  const { run } = await open(t, {}, { agentLimits: () => ({ maxLineBytes: 100_000 }) });
  const state = await run([text('before'), text('x'.repeat(200_000)), text('after'), done]);
  deepEqual(
    state.turns[0]?.parts.map(part => (part.kind === 'text' ? part.text : part.kind)),
    ['before', 'notice', 'after'],
  );
  const [notice] = notices(state);
  match(notice?.text ?? '', /was 195\.5 KB, more than parley\.limits\.lineBytes allows/);
  match(notice?.detail ?? '', /allows 97\.7 KB\. Raise it/);
  deepEqual(state.turns[0]?.end, { reason: 'end_turn' });
  match(said(await run([text('again'), done])), /again/);
});

test('a tool call whose result is too long ends; what the agent asks at such length is refused', async t => {
  const { run } = await open(t, {}, { agentLimits: () => ({ maxLineBytes: 100_000 }) });
  const huge = 'x'.repeat(200_000);
  const call = { toolCallId: 'c', title: 'Read', kind: 'read' };
  const content = [{ type: 'content', content: { type: 'text', text: huge } }];
  const state = await run([
    { update: { sessionUpdate: 'tool_call', ...call, status: 'in_progress' } },
    { update: { sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'failed', content } },
    { ask: { method: 'fs/write_text_file', params: { path: '/w/a', content: huge } } },
    done,
  ]);
  const part = state.turns[0]?.parts[0];
  equal(part?.kind === 'tool' && part.status, 'failed');
  match(said(state), /-32600.*bytes long; the user's setting parley\.limits\.lineBytes allows/);
});

test('a raised lineBytes counts at once', async t => {
  let maxLineBytes = 100_000;
  const { run } = await open(t, {}, { agentLimits: () => ({ maxLineBytes }) });
  const long = [text('x'.repeat(200_000)), done];
  equal(notices(await run(long)).length, 1);
  maxLineBytes = 1_000_000;
  equal(notices(await run(long)).length, 1);
});

// ── prompts ────────────────────────────────────────────────────────────────────────────────────────────

const PROMPTS: PromptLimitSettings = { promptBytes: 2000, promptsPerMinute: 0 };

test('a text that is too large is not sent and stays in the composer, with what is attached', async t => {
  const { chat, until } = await open(t, {}, { promptLimits: () => PROMPTS });
  const attachment = { id: 'a', kind: 'file' as const, label: 'a.txt', title: 'a.txt' };
  chat.controller.attach(attachment);
  const words = 'é'.repeat(1001);
  const revision = chat.store.state.draft.revision;
  chat.controller.send(words);
  const { draft, queue, activeTurn } = chat.store.state;
  deepEqual(
    [draft.text, draft.attachments, queue, activeTurn],
    [words, [attachment], [], undefined],
  );
  ok(draft.revision > revision, 'the view is told to show it again');
  const [notice] = notices(chat.store.state);
  match(notice?.text ?? '', /too large and was not sent/);
  match(notice?.detail ?? '', /it is 2 KB; parley\.limits\.promptBytes allows 2 KB\..*raise/);
  chat.controller.send('[]');
  await until(({ turns }) => turns.at(-1)?.end?.reason === 'end_turn');
});

test('a message that is too large with what is attached goes back to the composer', async t => {
  const sent: string[] = [];
  const { chat, until } = await open(
    t,
    {},
    {
      promptLimits: () => PROMPTS,
      attachments: {
        resolve: () => Promise.resolve([{ type: 'text', text: 'y'.repeat(3000) }]),
      },
      tap: ({ direction, json }) => {
        if (direction === 'send') sent.push((JSON.parse(json) as Received).method ?? '');
      },
    },
  );
  const attachment = { id: 'a', kind: 'file' as const, label: 'a.txt', title: 'a.txt' };
  chat.controller.attach(attachment);
  chat.controller.send('look at this');
  chat.controller.typeDraft('and then', 'view');
  const state = await until(({ turns }) => turns.some(({ end }) => end?.reason === 'failed'));
  deepEqual(state.draft.attachments, [attachment]);
  equal(state.draft.text, 'look at this\nand then');
  match(notices(state)[0]?.detail ?? '', /it is 3 KB; parley\.limits\.promptBytes allows 2 KB/);
  ok(!sent.includes('session/prompt'), 'nothing was sent');
  chat.controller.removeAttachment('a');
  chat.controller.send('[]');
  await until(({ turns }) => turns.at(-1)?.end?.reason === 'end_turn');
});

test('any minute holds no more than allowed, and says when the next may come', () => {
  let now = 0;
  const rate = new Rate(() => now);
  equal(rate.take(2), 0);
  now = 20_000;
  equal(rate.take(2), 0);
  equal(rate.take(2), 40_000);
  now = 60_000;
  equal(rate.take(2), 0);
  equal(rate.take(2), 20_000);
  for (let count = 0; count < 1000; count++) equal(rate.take(0), 0);
});

test('prompts beyond promptsPerMinute wait in the queue and go out by themselves', async t => {
  let ahead = 0;
  const { chat, run, until } = await open(
    t,
    {},
    {
      promptLimits: () => ({ ...PROMPTS, promptsPerMinute: 2 }),
      ahead: () => ahead,
    },
  );
  await run([text('one'), done]);
  await run([text('two'), done]);
  ahead = 59_000;
  chat.controller.send(JSON.stringify([text('three'), done]));
  chat.controller.send(JSON.stringify([text('four'), done]));
  const waiting = chat.store.state;
  equal(waiting.queue.length, 2);
  equal(waiting.activeTurn, undefined);
  const [notice, ...more] = notices(waiting);
  match(notice?.text ?? '', /will be sent in \d+ s/);
  match(notice?.detail ?? '', /parley\.limits\.promptsPerMinute allows 2 messages per minute/);
  deepEqual(more, [], 'it is said once');
  const state = await until(({ queue, activeTurn, turns }) => {
    return queue.length === 0 && !activeTurn && turns.length > 2 && turns.at(-1)?.end;
  });
  match(said(state), /four/);
});

// ── updates ────────────────────────────────────────────────────────────────────────────────────────────

test('beyond updatesPerMinute an agent is read more slowly, and nothing is lost', async t => {
  const { run, until, chat, send } = await open(
    t,
    {},
    {
      agentLimits: () => ({ updatesPerMinute: 600 }),
    },
  );
  const chunk = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: '$N,' } };
  // Sixty may come at once, then nine in a second.
  const started = Date.now();
  const state = await run([{ updates: { count: 80, update: chunk } }, done]);
  ok(Date.now() - started > 1500, 'it took its time');
  const parts = state.turns[0]?.parts ?? [];
  const words = parts.map(part => (part.kind === 'text' ? part.text : '')).join('');
  equal(words, Array.from({ length: 80 }, (_, n) => `${n},`).join(''));
  equal(notices(state).length, 1, 'it is said once');
  match(notices(state)[0]?.detail ?? '', /Nothing is lost.*updatesPerMinute \(now 600\)/);

  // Stop is not held up by what would take half an hour to read.
  send([
    { updates: { count: 20_000, update: chunk } },
    { waitCancel: true },
    { respond: { stopReason: 'cancelled' } },
  ]);
  await until(({ activeTurn }) => activeTurn?.parts.some(({ kind }) => kind === 'notice'));
  chat.controller.stop();
  const stopped = await until(({ activeTurn }) => !activeTurn);
  equal(stopped.turns.at(-1)?.end?.reason, 'cancelled');
});

test('the last words of an agent that ends while it is read slowly are shown', async t => {
  const { send, until } = await open(t, {}, { agentLimits: () => ({ updatesPerMinute: 10 }) });
  const chunk = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: '$N,' } };
  send([{ updates: { count: 200, update: chunk } }, { exit: 3 }]);
  const state = await until(
    ({ connection, activeTurn }) => connection.kind === 'failed' && !activeTurn,
  );
  const parts = state.turns[0]?.parts ?? [];
  match(parts.map(part => (part.kind === 'text' ? part.text : '')).join(''), /,199,$/);
});

// ── agents that do not answer ──────────────────────────────────────────────────────────────────────────

const SOON = (): Partial<AgentLimits> => ({ requestSeconds: 0.2, signInSeconds: 0.2 });
const MODES = {
  modes: {
    currentModeId: 'ask',
    availableModes: [
      { id: 'ask', name: 'Ask' },
      { id: 'code', name: 'Code' },
    ],
  },
};
const SELECT = {
  id: 'size',
  name: 'Size',
  type: 'select',
  currentValue: 's',
  options: [
    { value: 's', name: 'S' },
    { value: 'l', name: 'L' },
  ],
};
const NO_ANSWER = /No answer within 0\.2 s\. Try again or restart.*parley\.timeouts/;

for (const [method, opened, optionId, value] of [
  ['session/set_mode', MODES, '@mode', 'code'],
  ['session/set_config_option', { configOptions: [SELECT] }, 'size', 'l'],
  [
    'session/set_model',
    {
      models: {
        currentModelId: 'a',
        availableModels: [
          { modelId: 'a', name: 'A' },
          { modelId: 'b', name: 'B' },
        ],
      },
    },
    '@model',
    'b',
  ],
] as const) {
  test(`${method} that is never answered: the old value is shown again, and the chat goes on`, async t => {
    const { chat, run } = await open(t, { silent: [method], opened }, { agentLimits: SOON });
    const shown = () => chat.store.state.configOptions.find(({ id }) => id === optionId)?.value;
    const before = shown();
    const changing = chat.controller.setConfig(optionId, value);
    equal(shown(), value);
    await changing;
    equal(shown(), before);
    const [notice] = notices(chat.store.state);
    match(notice?.text ?? '', /could not be changed/);
    match(notice?.detail ?? '', NO_ANSWER);
    match(said(await run([text('fine'), done])), /fine/);
  });
}

test('defaults that are never answered do not keep a chat from opening', async t => {
  const asked: string[] = [];
  const { chat, run } = await open(
    t,
    {
      silent: ['session/set_mode', 'session/set_config_option'],
      opened: { ...MODES, configOptions: [SELECT] },
    },
    {
      agentLimits: SOON,
      defaults: {
        of: () => [
          { optionId: '@mode', value: 'code', isConfigured: true },
          { optionId: 'size', value: 'l', isConfigured: true },
        ],
        remember: () => undefined,
      },
      tap: ({ direction, json }) => {
        if (direction === 'send') asked.push((JSON.parse(json) as Received).method ?? '');
      },
    },
  );
  equal(notices(chat.store.state).length, 1);
  equal(asked.filter(method => method.startsWith('session/set')).length, 1);
  match(said(await run([text('fine'), done])), /fine/);
});

for (const [method, capabilities] of [
  ['session/new', {}],
  ['session/load', { loadSession: true }],
  ['session/resume', { sessionCapabilities: { resume: {} } }],
] as const) {
  test(`${method} that is never answered ends with a next step, and can be tried again`, async t => {
    const { chat, until } = await open(
      t,
      { silent: [method], capabilities },
      {
        newSessionSeconds: () => 0.3,
        connect: false,
        ...(method !== 'session/new' && {
          restore: (cwd: string) => restored(cwd, method === 'session/resume'),
        }),
      },
    );
    for (let attempt = 0; attempt < 2; attempt++) {
      if (method !== 'session/new' || attempt > 0) void chat.controller.connect();
      await until(({ connection }) => connection.kind === 'starting');
      const { connection } = await until(state => state.connection.kind === 'failed');
      ok(connection.kind === 'failed');
      equal(connection.problem.kind, 'timeout');
      match(connection.problem.detail, /Try again, or raise "newSession" in parley/);
    }
  });
}

test('a fork that is never answered ends with a next step; the original goes on', async t => {
  const capabilities = { sessionCapabilities: { fork: {} } };
  const { chats, chat, run } = await open(
    t,
    { silent: ['session/fork'], capabilities },
    { newSessionSeconds: () => 0.5 },
  );
  await run([text('one'), done]);
  const forked = chats.fork(chat.chatId);
  ok(forked);
  await new Promise<void>(resolve => {
    forked.store.onDidApply(() => {
      if (forked.store.state.connection.kind === 'failed') resolve();
    });
  });
  const { connection } = forked.store.state;
  equal(connection.kind === 'failed' && connection.problem.kind, 'timeout');
  match(said(await run([text('two'), done])), /two/);
});

test('a sign-in that is never answered says so on the card, and another works', async t => {
  const auth = [{ id: 'browser', name: 'Browser' }];
  const { chat, until } = await open(
    t,
    { auth, silent: ['authenticate'] },
    { agentLimits: SOON, connect: false },
  );
  await until(({ connection }) => connection.kind === 'signIn');
  await chat.controller.signIn('browser');
  const { connection } = chat.store.state;
  ok(connection.kind === 'signIn');
  match(connection.problem ?? '', /No answer within 0\.2 s.*raise "signIn" in parley/);
  equal(connection.busy, undefined);
});

test('a sign-out that is never answered ends, and so does the process', async t => {
  const { agent } = await open(
    t,
    { silent: ['logout'], capabilities: { auth: { logout: {} } } },
    { agentLimits: SOON },
  );
  await rejects(agent.signOut(), NO_ANSWER);
  equal(agent.status.kind, 'stopped');
});

test('lists and deletions that are never answered end; so does the end of a session', async t => {
  const silent = ['session/list', 'session/delete', 'session/close'];
  const capabilities = { sessionCapabilities: { list: {}, delete: {}, close: {} } };
  const { agent, chat, cwd, run } = await open(t, { silent, capabilities }, { agentLimits: SOON });
  const sessions = new AgentSessions(agent, cwd);
  await rejects(sessions.list(), NO_ANSWER);
  await rejects(sessions.delete('s'), NO_ANSWER);
  const given = new AbortController();
  const listed = sessions.list(undefined, given.signal);
  given.abort();
  await rejects(listed, /cancelled/);
  match(said(await run([text('fine'), done])), /fine/);
  await chat.controller.close();
  equal(chat.store.state.connection.kind, 'stopped');
});

function restored(cwd: string, withTurns: boolean): SessionState {
  const base = initialSession({ chatId: 'c', agentName: 'Program', cwd, at: 0 });
  const turn = {
    id: 't',
    parts: [],
    startedAt: 0,
    endedAt: 1,
    end: { reason: 'end_turn' as const },
  };
  return {
    ...base,
    connection: { kind: 'stopped' },
    sessionId: 's',
    turns: withTurns ? [turn] : [],
  };
}
