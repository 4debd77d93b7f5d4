/** Agents that fail in one way each: the user reads what and what next, and nothing else is touched by it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { untilState } from '../session/world';
import { faultyWindow, type FaultyWindow } from './faultyWindow';

const TIMEOUT = { timeout: 300_000 };
/** Much longer than a test takes. */
const LONG = 120;

interface Fault {
  /** A file of test/agents. */
  readonly agent: string;
  readonly says: RegExp;
  /** Of the first answers; for agents that never give them. */
  readonly seconds?: number;
}

const AT_START: Readonly<Record<string, Fault>> = {
  'ends at once': { agent: 'exitsAtOnce', says: /exit code 3/ },
  'complains and ends': { agent: 'exitsWithStderr', says: /API key is missing/ },
  'prints text and waits': { agent: 'junkOnly', says: /did not answer|does not speak/, seconds: 2 },
  'prints a usage text and ends': { agent: 'junkAndExit', says: /quit|does not speak/ },
  'prints text without end': {
    agent: 'junkForever',
    says: /does not speak|did not answer/,
    seconds: 2,
  },
  'sends back what it gets': {
    agent: 'echoesInput',
    says: /did not answer|does not speak|echo/,
    seconds: 2,
  },
  'closes its output': { agent: 'closesStdout', says: /closed its output/ },
  'speaks another version': { agent: 'wrongVersion', says: /version 99/ },
  'is a server for agents': { agent: 'mcpServer', says: /MCP server/ },
  'refuses to begin': { agent: 'refusesInitialize', says: /refused|initialize|first request/ },
  'never answers at all': {
    agent: 'neverInitializes',
    says: /did not answer within 2 s/,
    seconds: 2,
  },
  'never opens a chat': { agent: 'neverNewSession', says: /within 2 seconds/, seconds: 2 },
};

for (const [what, { agent, says, seconds = LONG }] of Object.entries(AT_START)) {
  test(`an agent that ${what}: says so, with a next step`, TIMEOUT, async t => {
    const w = await opened(t, agent, seconds);
    w.faulty.controller.typeDraft('my draft', 'view');
    const { connection } = await untilState(
      w.faulty.store,
      state => state.connection.kind === 'failed',
    );
    assert.ok(connection.kind === 'failed');
    const { title, detail, output, actions } = connection.problem;
    assert.match([title, detail, ...output].join('\n'), says);
    assert.ok(actions.includes('retry') || actions.includes('restart'), actions.join());
    assert.ok(actions.includes('showLog'));
    await w.assertWhole(['my draft']);
  });
}

/** Of an agent that has begun: it is sent a message, another one waits, a third is being typed. */
const IN_A_TURN: Readonly<Record<string, Fault>> = {
  'dies with an error': { agent: 'crashesMidTurn', says: /crashed.*exit code 7/s },
  'is killed': { agent: 'killedMidTurn', says: /crashed.*SIGKILL/s },
  'is killed in the middle of a message': { agent: 'killedMidLine', says: /crashed.*SIGKILL/s },
  'closes its output': { agent: 'closesStdoutMidTurn', says: /connection.*was lost/s },
  'closes its output and ends later': { agent: 'closesThenExits', says: /crashed.*exit code 7/s },
  'leaves a child': { agent: 'crashLeavesChild', says: /crashed/ },
};

for (const [what, { agent, says }] of Object.entries(IN_A_TURN)) {
  test(`an agent that ${what} in a turn: says so, and keeps what was typed`, TIMEOUT, async t => {
    const w = await opened(t, agent);
    await sendAll(w);
    const { connection, turns } = await untilState(
      w.faulty.store,
      state => state.connection.kind === 'failed',
    );
    assert.ok(connection.kind === 'failed');
    assert.match([connection.problem.title, connection.problem.detail].join('\n'), says);
    assert.deepEqual(connection.problem.actions.slice(0, 2), ['restart', 'showLog']);
    assert.equal(turns.at(-1)?.end?.reason, 'interrupted');
    await w.assertWhole(TYPED);
  });
}

/** The agent lives, and does not do what it should: *Stop*, and then *Force Stop*, end it. */
const ENDLESS: Readonly<Record<string, string>> = {
  'never answers': 'neverAnswersPrompt',
  'stops reading': 'stopsReading',
  'writes a line without end': 'endlessLine',
};

for (const [what, agent] of Object.entries(ENDLESS)) {
  test(`an agent that ${what} is stopped by force, and keeps what was typed`, TIMEOUT, async t => {
    const w = await opened(t, agent);
    await sendAll(w);
    await untilState(w.faulty.store, state => state.activeTurn);
    // Nothing of it grows without bounds meanwhile: what it does not read is not sent without end.
    for (let times = 0; times < 50; times++) w.faulty.controller.stop();
    await w.assertWhole(TYPED);
    await w.faulty.controller.forceStop();
    await untilState(w.faulty.store, state => !state.activeTurn);
    await w.assertWhole(TYPED);
  });
}

for (const agent of [
  'asksBeforeInitialize',
  'floodsStderr',
  'junkThenAcp',
  'earlyMessages',
  'hugeLine',
]) {
  test(`${agent} is put up with: the chat goes on`, TIMEOUT, async t => {
    const w = await opened(t, agent);
    await untilState(w.faulty.store, ({ connection }) => connection.kind === 'ready');
    w.faulty.controller.send('my message');
    await untilState(w.faulty.store, state => state.turns.length > 0);
    assert.deepEqual(w.faulty.store.state.permissions, [], 'nothing was asked in this chat');
    assert.deepEqual(Object.keys(w.faulty.store.state.terminals), [], 'and nothing was run');
    await w.assertWhole(['my message']);
  });
}

/** What an agent that does what it is told says: so much, or so long, that it is a fault. */
const TOO_MUCH: Readonly<Record<string, readonly unknown[]>> = {
  '10,000 updates at once': [{ updates: { count: 10_000, update: piece('$N,') } }],
  '10,000 tool calls at once': [
    {
      updates: {
        count: 10_000,
        update: { sessionUpdate: 'tool_call', toolCallId: 'call$N', title: 'Step $N' },
      },
    },
  ],
  'a line of 32 MiB': [{ big: 32 * 1024 * 1024, update: piece('$BIG') }],
  '2,000 requests for permission at once': [
    {
      flood: {
        method: 'session/request_permission',
        params: { toolCall: { toolCallId: 'call$N' }, options: [] },
        count: 2_000,
      },
    },
  ],
};

for (const [what, steps] of Object.entries(TOO_MUCH)) {
  test(`${what} cost the other agent nothing, and nothing typed is lost`, TIMEOUT, async t => {
    const w = await opened(t, undefined);
    const { store, controller } = w.faulty;
    await untilState(store, ({ connection }) => connection.kind === 'ready');
    const program = JSON.stringify([...steps, { respond: { stopReason: 'end_turn' } }]);
    controller.send(program);
    controller.typeDraft('my draft', 'view');
    await untilState(store, state => state.activeTurn?.parts.length || state.permissions.length);
    await w.assertWhole([program, 'my draft']);
    controller.stop();
    await untilState(store, state => !state.activeTurn);
    await w.assertWhole([program, 'my draft']);
  });
}

function piece(text: string): unknown {
  return { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
}

const TYPED = ['my message', 'waits', 'my draft'];

async function sendAll({ faulty: { store, controller } }: FaultyWindow): Promise<void> {
  await untilState(store, ({ connection }) => connection.kind === 'ready');
  for (const words of ['my message', 'waits']) controller.send(words);
  controller.typeDraft('my draft', 'view');
}

async function opened(
  t: { after(task: () => Promise<void>): void },
  agent: string | undefined,
  seconds = LONG,
): Promise<FaultyWindow> {
  const w = await faultyWindow(agent, seconds);
  t.after(() => w.end());
  return w;
}
