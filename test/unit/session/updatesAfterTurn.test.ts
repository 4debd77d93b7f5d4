/** What an agent tells of a turn after it has answered the prompt: it belongs to that turn, not to the next. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { allTurns } from '../../../src/session/state/selectors';
import type { SessionState } from '../../../src/session/state/state';
import { world, type World } from './world';

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

async function open(t: TestContext): Promise<World> {
  const opened = await world();
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

test('after its turn, a call is changed where it is and a message goes on by its id; the rest is said unasked', async t => {
  const { run, until } = await open(t);
  const late = [
    call('edit', 'completed', 'tool_call_update'),
    say(' and the rest.', 'm1'),
    say('By the way.', 'm2'),
    { sessionUpdate: 'usage_update', used: 7, size: 9 },
  ];
  await run([{ update: call('edit', 'pending') }, { update: say('First', 'm1') }, { late }, end]);
  const state = await until(({ usage }) => usage);
  assert.deepEqual(told(state), [['[edit completed]', 'First and the rest.'], ['By the way.']]);
  assert.equal(state.turns[1]?.prompt, undefined);
  assert.equal(state.usage?.used, 7);
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
