/** What is said while a turn runs: it reaches the agent in that turn where the agent takes it, and is never lost. */
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { allTurns } from '../../../src/session/state/selectors';
import type { SessionState } from '../../../src/session/state/state';
import { world, type World } from './world';

const KINDS = {
  v1: {
    program: { initialized: { _meta: { steering: { supported: true } } } },
    options: {},
    takes: { heard: true },
  },
  v2: {
    program: {},
    options: { agentFile: resolve('test/agents/version2.mjs') },
    takes: { take: true },
  },
};

const says = (text: string) => ({
  update: {
    sessionUpdate: 'agent_message_chunk',
    messageId: text,
    content: { type: 'text', text },
  },
});

/** A turn's prompt, if it is no program, and its parts: `> said`, `answer`. */
const told = (state: SessionState) =>
  allTurns(state).map(({ prompt, parts }) =>
    [prompt?.text.startsWith('[') ? 'P' : prompt?.text].concat(
      parts.map(part => {
        if (part.kind === 'user') return `${part.waiting ? '? ' : '> '}${part.message.text}`;
        return part.kind === 'text' ? part.text : part.kind;
      }),
    ),
  );
const hasSaid = (text: string) => (state: SessionState) =>
  allTurns(state).some(({ parts }) =>
    parts.some(part => part.kind === 'text' && part.text.includes(text)),
  );
const isOver = ({ activeTurn, queue }: SessionState) => !activeTurn && queue.length === 0;

for (const [version, { program, options, takes }] of Object.entries(KINDS)) {
  describe(`steering in ${version}`, () => {
    const open = async (t: TestContext, more: object = {}): Promise<World> => {
      const opened = await world({ ...program, ...more }, options);
      t.after(() => opened.end());
      return opened;
    };

    test('what is said while the turn runs stands in it, and the agent has it', async t => {
      const { state, chat, send, until } = await open(t);
      assert.equal(state.agent.capabilities.steer, true);
      send([says('a'), takes]);
      await until(hasSaid('a'));
      chat.controller.send('left');
      const after = await until(isOver);
      assert.deepEqual(told(after), [['P', 'a', '> left', 'heard left']]);
    });

    test('several are taken in one after the other', async t => {
      const { chat, send, until } = await open(t);
      send([says('a'), takes, takes]);
      await until(hasSaid('a'));
      for (const text of ['one', 'two']) chat.controller.send(text);
      const after = await until(isOver);
      const heard = allTurns(after).flatMap(({ parts }) =>
        parts.flatMap(part => (part.kind === 'text' ? [part.text] : [])),
      );
      assert.match(heard.join(''), /heard one.*heard two/s);
      assert.equal(after.turns.length, 1);
    });

    test('a message that the user wants to wait has a turn of its own, and so has a command', async t => {
      const { chat, send, until } = await open(t);
      send([says('a'), { waitCancel: true }]);
      await until(hasSaid('a'));
      chat.controller.send('later', 'queue');
      chat.controller.send('/later');
      const { queue } = await until(each => each.queue.length === 2);
      assert.deepEqual(
        queue.map(({ text }) => text),
        ['later', '/later'],
      );
      chat.controller.stop();
      await until(({ activeTurn }) => !activeTurn);
    });
  });
}

test('v1: an agent that is through with its turn gets the message as the next prompt, in order', async t => {
  const { program } = KINDS.v1;
  const { chat, send, until, end } = await world({ ...program, steering: 'promptRequired' });
  t.after(end);
  send([says('a'), { asked: true }]);
  await until(hasSaid('a'));
  for (const text of ['one', 'two']) chat.controller.send(text);
  const after = await until(state => isOver(state) && state.turns.length === 3);
  assert.deepEqual(
    after.turns.map(({ prompt, parts }) => [prompt?.text.slice(0, 3), parts.length]),
    [
      ['[{"', 1],
      ['one', 0],
      ['two', 0],
    ],
  );
});

test('v1: what the agent refuses is sent as a prompt', async t => {
  const { program } = KINDS.v1;
  const { chat, send, until, end } = await world({ ...program, steering: 'failed' });
  t.after(end);
  send([says('a'), { asked: true }]);
  await until(hasSaid('a'));
  chat.controller.send('one');
  const after = await until(state => isOver(state) && state.turns.length === 2);
  assert.equal(after.turns[1]?.prompt?.text, 'one');
});

test('v1: without the offer it waits for its turn', async t => {
  const { chat, send, until, end, state } = await world();
  t.after(end);
  assert.equal(state.agent.capabilities.steer, undefined);
  send([says('a'), { waitCancel: true }]);
  await until(hasSaid('a'));
  chat.controller.send('one');
  await until(({ queue }) => queue.length === 1);
});

test('v2: what the agent takes in when it was through is of the same turn', async t => {
  const { program, options } = KINDS.v2;
  const { chat, send, until, end } = await world(program, options);
  t.after(end);
  send([says('a'), { ask: { method: 'session/request_permission', params: PERMISSION } }]);
  const { permissions } = await until(({ permissions: asked }) => asked.length > 0);
  chat.controller.send(JSON.stringify([says('b')]));
  const [request] = permissions;
  assert.ok(request);
  chat.controller.answerPermission({ requestId: request.id, revision: 0, option: 0 });
  const after = await until(isOver);
  assert.equal(after.turns.length, 1);
  assert.ok(hasSaid('b')(after), JSON.stringify(told(after)));
  assert.equal(after.turns[0]?.end?.reason, 'end_turn');
});

test('v2: Stop brings back what was not taken in', async t => {
  const { program, options } = KINDS.v2;
  const { chat, send, until, end } = await world(program, options);
  t.after(end);
  send([says('a'), { waitCancel: true }]);
  await until(hasSaid('a'));
  chat.controller.send('one');
  chat.controller.send('two');
  await until(
    ({ activeTurn }) => activeTurn?.parts.filter(({ kind }) => kind === 'user').length === 2,
  );
  chat.controller.stop();
  const after = await until(({ activeTurn }) => !activeTurn);
  assert.deepEqual(
    after.queue.map(({ text }) => text),
    ['one', 'two'],
  );
  assert.deepEqual(
    after.turns.map(({ end: over, parts }) => [over?.reason, parts.length]),
    [['cancelled', 1]],
  );
});

const PERMISSION = {
  title: 'Go on?',
  subject: { type: 'command', command: 'true', cwd: '/' },
  options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
};
