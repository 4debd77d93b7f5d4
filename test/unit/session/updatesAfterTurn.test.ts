/** What an agent tells of a turn after it has answered the prompt: it belongs to that turn, not to the next. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { allTurns } from '../../../src/session/state/selectors';
import type { SessionState } from '../../../src/session/state/state';
import { untilState, world, type World } from './world';

const say = (text: string, messageId?: string, sessionUpdate = 'agent_message_chunk') => ({
  sessionUpdate,
  content: { type: 'text', text },
  ...(messageId !== undefined && { messageId }),
});
const call = (toolCallId: string, status: string, sessionUpdate = 'tool_call') => ({
  sessionUpdate,
  toolCallId,
  title: toolCallId,
  status,
});
const end = { respond: { stopReason: 'end_turn' } };

async function open(t: TestContext, ahead?: () => number): Promise<World> {
  const opened = await world({}, { ...(ahead && { ahead }) });
  t.after(() => opened.end());
  return opened;
}

/** What stands in each turn. */
const told = (state: SessionState) =>
  allTurns(state).map(({ parts }) =>
    parts.map(part => {
      if (part.kind === 'tool') return `[${part.title} ${part.status}]`;
      return part.kind === 'text' || part.kind === 'thought' ? part.text : part.kind;
    }),
  );

test('with the next message waiting, what comes late goes on with the turn before', async t => {
  const { send, until } = await open(t);
  const late = [
    call('edit', 'completed', 'tool_call_update'),
    say(' and the rest.'),
    say('hm', undefined, 'agent_thought_chunk'),
    call('read', 'in_progress'),
    call('look', 'pending'),
    say('[{', undefined, 'user_message_chunk'),
    { sessionUpdate: 'usage_update', used: 7, size: 9 },
  ];
  send([{ update: call('edit', 'pending') }, { update: say('First') }, { late }, end]);
  send([{ update: say('Second.') }, end]);
  const state = await until(({ turns, activeTurn }) => turns.length === 2 && !activeTurn);
  assert.deepEqual(told(state), [
    ['[edit completed]', 'First and the rest.', 'hm', '[read completed]', '[look cancelled]'],
    ['Second.'],
  ]);
  assert.equal(state.usage?.used, 7);
  const thought = state.turns[0]?.parts[2];
  assert.ok(thought?.kind === 'thought' && thought.endedAt !== undefined, 'nothing goes on');
});

test('a message goes on in its turn by its id, also when the next runs; without one nobody can tell', async t => {
  const { run } = await open(t);
  await run([{ update: say('One', 'm1') }, end]);
  const after = await run([
    { update: say(', late.', 'm1') },
    { update: say('Two', 'm2') },
    { update: say(', later.', 'm1') },
    { update: say('.', 'm2') },
    { update: say(' Whose?') },
    end,
  ]);
  assert.deepEqual(told(after), [['One, late., later.'], ['Two. Whose?']]);
});

test('what an agent says unasked long after a turn is no part of it', async t => {
  let ahead = 0;
  const opened = await open(t, () => ahead);
  // Another chat's prompt has the agent speak in this one.
  const other = opened.chats.create('Program');
  assert.ok(other);
  await untilState(other.store, ({ connection }) => connection.kind === 'ready');
  await opened.run([{ update: say('Done.') }, end]);
  ahead = 60_000;
  const { sessionId } = opened.state;
  const speak = { method: 'session/update', params: { sessionId, update: say('News.') } };
  other.controller.send(JSON.stringify([{ send: speak }, end]));
  const state = await opened.until(({ turns }) => turns.length === 2);
  assert.deepEqual(told(state), [['Done.'], ['News.']]);
  assert.equal(state.turns[1]?.prompt, undefined);
});
