/** Agents that keep to the protocol loosely, as real processes: their chats look like any other's. */
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test, type TestContext } from 'node:test';
import { initialSession } from '../../../src/session/state/initialSession';
import { allTurns } from '../../../src/session/state/selectors';
import type { SessionState } from '../../../src/session/state/state';
import { world, type World } from './world';
import { choose } from './choose';

async function open(
  t: TestContext,
  fixture: string,
  options: Parameters<typeof world>[1] = {},
): Promise<World> {
  const agentFile = resolve(`test/agents/${fixture}.mjs`);
  const opened = await world({}, { ...options, agentFile });
  t.after(() => opened.end());
  return opened;
}

/** Sends "hello", answers the request for permission with the option of that name, and waits for the end. */
async function answer(opened: World, name: string): Promise<string> {
  const { controller } = opened.chat;
  controller.send('hello');
  const { permissions } = await opened.until(state => state.permissions.length > 0);
  const option = permissions[0]?.options.find(each => each.name === name);
  assert.ok(option, `${name} is offered among ${JSON.stringify(permissions)}`);
  choose(controller, permissions[0]?.id, option.optionId);
  return words(await opened.until(state => !state.activeTurn));
}

const words = (state: SessionState) =>
  allTurns(state)
    .flatMap(({ parts }) => parts.map(part => (part.kind === 'text' ? part.text : '')))
    .join('');

for (const [name, outcome] of [
  ['Allow', { outcome: 'selected', optionId: 'allow' }],
  ['Reject', { outcome: 'cancelled', optionId: 'reject' }],
] as const) {
  test(`sessions with numbers, and permission without options: ${name}`, async t => {
    const opened = await open(t, 'numbersSessions');
    assert.deepEqual(JSON.parse(await answer(opened, name)), { outcome });
    const status = opened.state.turns[0]?.parts[0];
    assert.equal(
      status?.kind === 'tool' && status.status,
      name === 'Allow' ? 'completed' : 'rejected',
    );
  });
}

test('a numbered session is taken up again by its number, after a restart of everything', async t => {
  const before = await open(t, 'numbersSessions');
  const { sessionId = '' } = before.state;
  const after = await open(t, 'numbersSessions', {
    restore: cwd => ({
      ...initialSession({ chatId: 'c', agentName: 'Program', cwd, at: 0 }),
      sessionId,
    }),
  });
  await after.chat.controller.connect();
  assert.equal(after.state.connection.kind, 'ready');
  assert.equal(words(after.state), 'Loaded 41.');
});
