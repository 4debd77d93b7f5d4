/** An agent that nobody asks anything is let go, and nobody notices but by what it takes. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { AgentChildren } from '../../../src/agents/process/agentChildren';
import type { AgentStatus } from '../../../src/session/ports';
import { leaseUse } from '../../../src/session/lifecycle/leaseUse';
import { initialSession } from '../../../src/session/state/initialSession';
import type { SessionState } from '../../../src/session/state/state';
import { eventually } from '../../workbench/eventually';
import { marked, processesWith } from '../agents/support';
import { untilState, world } from './world';

const LINUX = { skip: process.platform !== 'linux' };

const OPENED = {
  configOptions: [
    {
      id: 'effort',
      name: 'Effort',
      type: 'select',
      currentValue: 'low',
      options: ['low', 'high'].map(value => ({ value, name: value })),
    },
  ],
};

/** A world whose agent rests as soon as it may. */
async function resting(t: TestContext, capabilities: object, options: object = {}) {
  const id = randomUUID();
  const children = new AgentChildren();
  let looks = 0;
  const made = await world(
    {},
    {
      idleMinutes: () => 0.0005,
      children: agent => {
        looks += 1;
        return children.of(agent);
      },
      launch: {
        command: process.execPath,
        args: [path.resolve('test/unit/session/programAgent.mjs')],
        env: {
          PROGRAM: JSON.stringify({ capabilities, opened: OPENED, ...options }),
          ...marked(id),
        },
      },
    },
  );
  t.after(made.end);
  return Object.assign(made, {
    pids: () => processesWith(id),
    looks: () => looks,
    rests: () => eventually('it rests', () => made.agent.status.kind === 'resting'),
  });
}

for (const [what, capabilities] of [
  ['resumes', { sessionCapabilities: { resume: {} } }],
  ['loads', { loadSession: true }],
] as const) {
  test(`an agent that ${what} sessions comes back with the next message`, LINUX, async t => {
    const w = await resting(t, capabilities);
    const second = w.chats.create('Program');
    assert.ok(second);
    await untilState(second.store, state => state.connection.kind === 'ready');
    await w.run([]);
    await w.rests();
    await eventually('its process is gone', () => w.pids().length === 0);
    const { sessionId, configOptions, connection } = w.state;
    assert.equal(connection.kind, 'ready');
    assert.equal(second.store.state.connection.kind, 'ready');

    const { turns } = await w.run([{ respond: { stopReason: 'end_turn' } }]);
    assert.equal(turns.length, 2);
    assert.deepEqual(
      turns.flatMap(({ parts }) => parts),
      [],
      'nothing is said of it',
    );
    assert.equal(w.state.sessionId, sessionId);
    assert.deepEqual(w.state.configOptions, configOptions);

    // Each chat when it is needed: by what is typed, or set.
    await w.rests();
    const isBack = new Promise(resolve => {
      // Not looked for: it rests again in no time.
      w.agent.onDidChangeStatus(({ kind }) => kind === 'ready' && resolve(undefined));
    });
    second.controller.typeDraft('a', 'view');
    await isBack;
    await w.rests();
    await w.chat.controller.setConfig('effort', 'high');
    assert.equal(w.state.configOptions[0]?.value, 'high');
    await w.rests();
    await w.run([]);
    assert.equal(w.state.configOptions[0]?.value, 'high', 'what was chosen is told once more');
  });
}

test('an agent that is slow to change an option is not let go before', LINUX, async t => {
  const slow = { waits: { 'session/set_config_option': 500 } };
  const w = await resting(t, { loadSession: true }, slow);
  await w.rests();
  await w.chat.controller.setConfig('effort', 'high');
  assert.equal(w.state.configOptions[0]?.value, 'high');
  assert.deepEqual(w.state.turns, [], 'nothing to complain of');
  await w.rests();
});

test('a program that it began in a turn, and that still runs, keeps it', LINUX, async t => {
  const w = await resting(t, { loadSession: true });
  const statuses: AgentStatus['kind'][] = [];
  w.agent.onDidChangeStatus(({ kind }) => statuses.push(kind));
  const { turns } = await w.run([{ spawn: 'sleep 600' }]);
  const [part] = turns.at(-1)?.parts ?? [];
  assert.ok(part?.kind === 'text');
  const before = w.looks();
  await eventually('it was to be let go', () => w.looks() > before + 3);
  assert.deepEqual(statuses, []);
  process.kill(Number(part.text), 'SIGKILL');
  await w.rests();
});

test('a stop, a sign-out and the end of the window find an agent that rests', LINUX, async t => {
  const w = await resting(t, { loadSession: true });
  await w.rests();
  await w.agent.stop();
  await w.until(({ connection }) => connection.kind === 'stopped');
  await w.run([]);
  await w.rests();
  await w.chats.closeAll();
  assert.equal(w.state.connection.kind, 'stopped');
});

const AT_REST: SessionState = {
  ...initialSession({ chatId: 'c', agentName: 'A', cwd: '/', at: 0 }),
  connection: { kind: 'ready' },
};
const abilities = { ...AT_REST.agent.capabilities };
const canLoad = { ...AT_REST.agent, capabilities: { ...abilities, loadSession: true } };
const terminal = { id: 't', command: '', output: '', truncated: false, startedAt: 0 };
const turn = { id: 'turn', parts: [], startedAt: 0 };
const message = { id: 'm', text: '', attachments: [] };

for (const [what, changed, use] of [
  ['nothing', {}, 'nothing'],
  ['a session that cannot be taken up again', { agent: AT_REST.agent }, 'else'],
  ['a turn', { activeTurn: turn }, 'turn'],
  ['a message that waits', { queue: [message] }, 'else'],
  ['a command that runs', { terminals: { t: { ...terminal, owned: true } } }, 'else'],
  [
    'a command that has ended',
    { terminals: { t: { ...terminal, owned: true, exit: { exitCode: 0, signal: null } } } },
    'nothing',
  ],
  ['a sign-in', { connection: { kind: 'signIn', methods: [] } }, 'else'],
] as const satisfies readonly (readonly [string, Partial<SessionState>, string])[]) {
  test(`what a chat needs its agent for: ${what}`, () => {
    assert.equal(leaseUse({ ...AT_REST, agent: canLoad, ...changed }), use);
  });
}
