/** What an agent said is exported, and played again without it: the chat says the same. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { exportedTraffic } from '../../../src/agents/traffic/exportTraffic';
import { parseRecording, type Recording } from '../../../src/agents/traffic/recording';
import { TrafficRing } from '../../../src/agents/traffic/trafficRing';
import type { SessionState } from '../../../src/session/state/state';
import { render } from '../../golden/render';
import { permission as asked, text, tool, toolUpdate } from '../session/agentSteps';
import { choose } from '../session/choose';
import { untilState, world, type World } from '../session/world';
import { replayed, type Replayed } from './replayWorld';

const permission = (toolCallId: string) => asked(toolCallId, { title: `May ${toolCallId}?` });
const terminal = (script: string) => [
  {
    ask: { method: 'terminal/create', params: { command: process.execPath, args: ['-e', script] } },
    quiet: true,
  },
  { ask: { method: 'terminal/wait_for_exit', params: { terminalId: '$LAST' } }, quiet: true },
];

interface Recorded {
  readonly world: World;
  readonly ring: TrafficRing;
}

async function recorded(t: TestContext, program: Record<string, unknown> = {}): Promise<Recorded> {
  const ring = new TrafficRing();
  const opened = await world(program, { tap: traffic => ring.add(traffic) });
  t.after(() => opened.end());
  return { world: opened, ring };
}

function exported({ world: { chats, chat }, ring }: Recorded, mask = (s: string) => s): string {
  const others = chats.all.flatMap(({ store: { state } }) =>
    state.chatId === chat.chatId || state.sessionId === undefined ? [] : [state.sessionId],
  );
  const out = exportedTraffic({
    agent: 'Program',
    version: '0.0.0',
    ring,
    sessionId: chat.store.state.sessionId,
    others: new Set(others),
    mask,
    now: { time: Date.now(), ring: performance.now() },
  });
  assert.ok(out !== undefined);
  return out;
}

function play(t: TestContext, recording: Recording): Replayed {
  const result = replayed(recording, 'full', 'Program');
  t.after(() => result.end());
  return result;
}

/** Without what is of the moment. */
const shown = (state: SessionState) =>
  render({ states: [state], answers: [], initialized: undefined });

async function assertReplays(t: TestContext, source: Recorded): Promise<Replayed> {
  const { state } = source.world;
  const replay = play(t, parseRecording(exported(source)));
  const again = await untilState(
    replay.chat.store,
    ({ turns, activeTurn }) => turns.length >= state.turns.length && !activeTurn,
  );
  assert.equal(shown(again), shown(state));
  assert.deepEqual(replay.touched, []);
  return replay;
}

test('a chat is replayed as it was: text, tools, answers and a stop', async t => {
  const source = await recorded(t, {
    opened: {
      modes: {
        currentModeId: 'a',
        availableModes: [
          { id: 'a', name: 'A' },
          { id: 'b', name: 'B' },
        ],
      },
    },
  });
  const { run, send, until, chat } = source.world;
  await run([text('Hello'), tool('t1', { status: 'completed', kind: 'read' }), text(' there')]);
  await chat.controller.setConfig('mode', 'b');
  send([permission('p1'), toolUpdate('p1', { status: 'completed' })]);
  const asking = await until(({ permissions }) => permissions.length > 0);
  choose(chat.controller, asking.permissions[0]?.id, 'yes');
  await until(({ activeTurn }) => !activeTurn);
  send([permission('p2'), text('Then not.')]);
  const again = await until(({ permissions }) => permissions.length > 0);
  choose(chat.controller, again.permissions[0]?.id, 'no');
  await until(({ activeTurn }) => !activeTurn);
  send([
    text('Long work'),
    tool('t2'),
    { waitCancel: true },
    { respond: { stopReason: 'cancelled' } },
  ]);
  await until(({ activeTurn }) => activeTurn?.parts.length === 2);
  chat.controller.stop();
  await until(({ activeTurn }) => !activeTurn);
  await run([{ fail: { code: -32603, message: 'Out of luck' } }]);
  await assertReplays(t, source);
});

test('a stop while a request waits is replayed', async t => {
  const source = await recorded(t);
  const { send, until, chat } = source.world;
  send([permission('p1'), { respond: { stopReason: 'cancelled' } }]);
  await until(({ permissions }) => permissions.length > 0);
  chat.controller.stop();
  await until(({ activeTurn }) => !activeTurn);
  await assertReplays(t, source);
});

test('files and commands of a recording are shown, and none is read, written or run', async t => {
  const source = await recorded(t);
  const { run, cwd } = source.world;
  await run([
    { ask: { method: 'fs/write_text_file', params: { path: `${cwd}/a.txt`, content: 'one' } } },
    { ask: { method: 'fs/read_text_file', params: { path: `${cwd}/a.txt` } } },
    { ask: { method: 'fs/read_text_file', params: { path: `${cwd}/missing.txt` } } },
    ...terminal('console.log("built")'),
    { ask: { method: 'terminal/release', params: { terminalId: '$LAST' } }, quiet: true },
  ]);
  await assertReplays(t, source);
});

test('a question is replayed with what was filled in', async t => {
  const source = await recorded(t);
  const { send, until, chat } = source.world;
  const requestedSchema = {
    type: 'object',
    properties: { name: { type: 'string', title: 'Name' } },
  };
  send([
    {
      ask: {
        method: 'elicitation/create',
        params: { mode: 'form', message: 'Who?', requestedSchema },
      },
    },
  ]);
  const asking = await until(({ elicitations }) => elicitations.length > 0);
  await chat.controller.answerElicitation(
    asking.elicitations[0]?.id ?? '',
    'accept',
    '{"name":"Ada"}',
  );
  await until(({ activeTurn }) => !activeTurn);
  await assertReplays(t, source);
});

test('after its end a recording says so, and is not kept as a chat', async t => {
  const source = await recorded(t);
  await source.world.run([text('Bye')]);
  const { chat } = await assertReplays(t, source);
  assert.equal(chat.isReplay, true);
  chat.controller.send('Are you there?');
  const state = await untilState(
    chat.store,
    ({ turns, activeTurn }) => turns.length > 1 && !activeTurn,
  );
  assert.match(shown(state), /The recording ends here/);
});

test('what the recording leaves open is ended when it ends', async t => {
  const source = await recorded(t);
  const { send, until } = source.world;
  send([text('Working'), permission('p1'), { waitCancel: true }]);
  await until(({ permissions }) => permissions.length === 1);
  const { chat } = play(t, parseRecording(exported(source)));
  const { turns, permissions } = await untilState(chat.store, state => state.turns.length === 1);
  assert.equal(turns[0]?.end?.reason, 'failed');
  assert.deepEqual(permissions, []);
});

test('a stop that nobody recorded ends the replay', async t => {
  const source = await recorded(t);
  await source.world.run([text('Working'), text(' on')]);
  const recording = parseRecording(exported(source));
  // The second half comes in a hundred years.
  const messages = recording.messages.map(entry =>
    JSON.stringify(entry).includes('" on"') && entry.from === 'agent'
      ? { ...entry, t: entry.t + 2 ** 31 - 1 }
      : entry,
  );
  const replay = replayed({ ...recording, messages }, 'original');
  t.after(() => replay.end());
  await untilState(replay.chat.store, ({ activeTurn }) => activeTurn?.parts.length === 1);
  replay.chat.controller.stop();
  const ended = await untilState(replay.chat.store, ({ turns }) => turns.length === 1);
  assert.equal(ended.turns[0]?.end?.reason, 'cancelled');
});

test('what was recorded of other chats with the agent is not exported', async t => {
  const source = await recorded(t);
  const { chats, run } = source.world;
  const other = chats.create('Program');
  assert.ok(other);
  await untilState(other.store, ({ connection }) => connection.kind === 'ready');
  other.controller.send(JSON.stringify([text('private words')]));
  await untilState(other.store, ({ turns }) => turns.length === 1);
  await run([text('mine')]);
  const out = exported(source);
  assert.match(out, /mine/);
  assert.doesNotMatch(out, /private words/);
  await assertReplays(t, source);
});

test('a chat that was taken up again is replayed', async t => {
  const ring = new TrafficRing();
  const replay = [
    { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'Before' } },
    { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Long ago' } },
  ];
  const opened = await world(
    { capabilities: { loadSession: true }, replay },
    { tap: traffic => ring.add(traffic), connect: false },
  );
  t.after(() => opened.end());
  const chat = opened.chats.adopt('Program', { sessionId: 'old' });
  assert.ok(chat);
  await untilState(chat.store, ({ connection }) => connection.kind === 'ready');
  chat.controller.send(JSON.stringify([text('Now')]));
  await untilState(chat.store, ({ turns, activeTurn }) => turns.length === 2 && !activeTurn);
  await assertReplays(t, { world: { ...opened, chat, state: chat.store.state }, ring });
});
