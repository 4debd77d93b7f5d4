/** What a stopped turn has left running is the user's to end or to leave; all else is not asked about. */
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test, type TestContext } from 'node:test';
import { AgentChildren } from '../../../src/agents/process/agentChildren';
import { endProgram, type LeftProgram } from '../../../src/agents/process/leftPrograms';
import { marksAgent, withMark } from '../../../src/agents/process/processMark';
import { listProcesses } from '../../../src/agents/process/processTable';
import { StoppedTurns } from '../../../src/agents/stoppedTurns';
import type { Chat } from '../../../src/session/chats';
import { eventually } from '../../workbench/eventually';
import { untilState, world } from '../session/world';

/** Environments of other processes are read on Linux alone. */
const LINUX = { skip: process.platform !== 'linux', timeout: 120_000 };

/** Says so when all that it starts is there: what begins later is of a later turn. */
const SLEEPS = 'sleep 600 & echo up; wait';
const NOTHING_LEFT = ['the agent'];

/** A window whose agent runs what it is told to. Time goes on by `later` alone. */
async function opened(t: TestContext) {
  const asked: LeftProgram[] = [];
  const waits = new Set<() => void>();
  const w = await world(
    {},
    { connect: false, agentFile: resolve('test/agents/keepsCommands.mjs'), isOtherGood: true },
  );
  t.after(() => w.end());
  const stopped = new StoppedTurns({
    children: new AgentChildren(),
    environment: {
      after(_, task) {
        waits.add(task);
        return { dispose: () => waits.delete(task) };
      },
    },
    ask: (agent, programs) => {
      assert.equal(agent, 'Program');
      asked.push(...programs);
    },
  });
  stopped.follow(w.chats);
  t.after(() => stopped.dispose());
  const chat = (): Chat => w.chats.create('Program') ?? assert.fail();
  return {
    chats: w.chats,
    asked,
    waits,
    chat,
    /** Runs a command line; its turn runs on. */
    async run({ controller, store }: Chat, line: string) {
      await untilState(store, ({ connection }) => connection.kind === 'ready');
      const count = store.state.turns.length;
      controller.send(line);
      const isUp = ({ parts }: { parts: readonly unknown[] }) =>
        JSON.stringify(parts).includes('"up"');
      await untilState(store, ({ activeTurn, turns }) =>
        [activeTurn, ...turns.slice(count)].some(turn => turn && isUp(turn)),
      );
      if (line.startsWith('leave ')) await untilState(store, state => !state.activeTurn);
    },
    async stop({ controller, store }: Chat) {
      controller.stop();
      await untilState(store, state => !state.activeTurn);
      assert.equal(store.state.turns.at(-1)?.end?.reason, 'cancelled');
    },
    later() {
      const now = [...waits];
      waits.clear();
      for (const task of now) task();
    },
  };
}

/** What runs of the agent, with all that it has started. */
function running(): readonly string[] {
  return withMark(mark => marksAgent(mark, 'Program'), listProcesses()).map(({ pid, parent }) =>
    parent === process.pid ? 'the agent' : String(pid),
  );
}

for (const [what, line, shown] of [
  ['a command', SLEEPS, /^\/bin\/sh -c sleep 600 & echo up; wait$/],
  ['one in a session of its own', `exec setsid sh -c '${SLEEPS}; :'`, /sleep 600/],
  ['one that has left its parent', `(${SLEEPS}) & :`, /sleep 600/],
  ['one that is deaf', `trap "" TERM; echo up; while :; do sleep 600; done`, /trap/],
] as const) {
  test(`${what} runs on after Stop: it is asked about, once, and ended`, LINUX, async t => {
    const { asked, waits, chat, run, stop, later } = await opened(t);
    const one = chat();
    await run(one, line);
    await stop(one);
    assert.equal(asked.length, 0, 'it may be about to end');
    later();
    assert.equal(asked.length, 1);
    assert.match(asked[0]?.command ?? '', shown);
    assert.equal(waits.size, 0);
    for (const program of asked) endProgram(program, listProcesses);
    await eventually('only the agent is left', () => running().length === 1);
    assert.deepEqual(running(), NOTHING_LEFT);
    await run(one, 'leave echo up');
    await eventually('the agent still works', () => running().length === 1);
  });
}

test('commands that end with the turn are not asked about, and nothing is left', LINUX, async t => {
  const { asked, chat, run, stop, later } = await opened(t);
  const one = chat();
  await run(one, `end exec sh -c 'echo up; exec sleep 600'`);
  await eventually('it runs', () => running().length === 2);
  await stop(one);
  await eventually('only the agent is left', () => running().length === 1);
  later();
  assert.deepEqual(asked, []);
});

test('what runs since an earlier turn, or was left, is not asked about', LINUX, async t => {
  const { asked, chat, run, stop, later } = await opened(t);
  const one = chat();
  await run(one, `leave ${SLEEPS}`);
  await run(one, SLEEPS);
  await stop(one);
  later();
  assert.equal(asked.length, 1);
  // The user leaves it.
  await run(one, `end exec sh -c 'echo up; exec sleep 600'`);
  await stop(one);
  await eventually('what was stopped has ended', () => running().length === 5);
  later();
  assert.equal(asked.length, 1);
});

test('what another chat may have begun is not asked about before its turn ends', LINUX, async t => {
  const { asked, chat, run, stop, later } = await opened(t);
  const [one, other] = [chat(), chat()];
  await run(one, SLEEPS);
  await run(other, SLEEPS);
  await stop(one);
  for (let times = 0; times < 3; times++) later();
  assert.deepEqual(asked, []);
  await stop(other);
  later();
  // The first one's with what may be the other's, then the other's own.
  const pids = new Set(asked.map(({ process: { pid } }) => pid));
  assert.equal(pids.size, 2);
});

test('a turn that ends by itself leaves what it likes', LINUX, async t => {
  const { asked, waits, chat, run } = await opened(t);
  await run(chat(), `leave ${SLEEPS}`);
  assert.equal(waits.size, 0);
  assert.deepEqual(asked, []);
});

test('a chat closed in a turn is stopped, too: another one keeps the agent', LINUX, async t => {
  const { chats, asked, chat, run, later } = await opened(t);
  const [one, other] = [chat(), chat()];
  await run(other, `leave echo up`);
  await run(one, SLEEPS);
  await chats.delete(one.chatId);
  later();
  assert.equal(asked.length, 1);
});

test('an agent that is ended takes all of it along: nobody is asked', LINUX, async t => {
  const { asked, chat, run, later } = await opened(t);
  const one = chat();
  await run(one, SLEEPS);
  one.controller.stop();
  await one.controller.forceStop();
  await eventually('nothing is left', () => running().length === 0);
  later();
  assert.deepEqual(asked, []);
});
