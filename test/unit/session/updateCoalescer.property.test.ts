/** Pieces of a message that are applied together make what they make one by one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type * as schema from '../../../src/acp/schema/schema';
import { initialSession } from '../../../src/session/state/initialSession';
import { allTurns } from '../../../src/session/state/selectors';
import type { SessionState } from '../../../src/session/state/state';
import { SessionStore } from '../../../src/session/state/store';
import { Contents } from '../../../src/session/translate/contents';
import { Translator } from '../../../src/session/translate/translate';
import { UpdateCoalescer } from '../../../src/session/turns/updateCoalescer';

/** What an agent tells, of whom, and whether the rest comes with the next read. */
interface Told {
  readonly update: schema.SessionUpdate;
  readonly sessionId: string;
  readonly isLastOfRead: boolean;
}

const SESSION = 's';
const SUBAGENT = 'sub';
/** Of the unstable schema. */
const subagentRuns = {
  sessionUpdate: 'subagent_update',
  sessionId: SUBAGENT,
  title: 'Helper',
  state: { state: 'running' },
} as unknown as schema.SessionUpdate;

const piece = fc
  .record({
    sessionUpdate: fc.constantFrom(
      'agent_message_chunk' as const,
      'agent_thought_chunk' as const,
      'user_message_chunk' as const,
    ),
    text: fc.constantFrom('', ' ', '\n', 'a', 'bc ', '# d', '[{', '_mode_'),
    messageId: fc.option(fc.constantFrom('m1', 'm2'), { nil: undefined }),
  })
  .map(({ sessionUpdate, text, messageId }): schema.SessionUpdate => ({
    sessionUpdate,
    content: { type: 'text', text },
    ...(messageId !== undefined && { messageId }),
  }));

const other = fc.constantFrom<schema.SessionUpdate>(
  { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Edit', kind: 'edit' },
  { sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'completed' },
  {
    sessionUpdate: 'agent_message_chunk',
    content: { type: 'image', data: 'AAAA', mimeType: 'image/png' },
  },
  { sessionUpdate: 'plan', entries: [{ content: 'p', priority: 'low', status: 'pending' }] },
);

const told: fc.Arbitrary<Told> = fc.record({
  update: fc.oneof({ arbitrary: piece, weight: 4 }, other),
  sessionId: fc.constantFrom(SESSION, SESSION, SESSION, SUBAGENT),
  isLastOfRead: fc.boolean(),
});

/** The chat after all of it. @param together false: each is applied by itself */
async function chatAfter(all: readonly Told[], together: boolean): Promise<SessionState> {
  let ids = 0;
  const environment = { now: () => 0, newId: () => `id${++ids}`, after: () => ({ dispose() {} }) };
  const store = new SessionStore(
    initialSession({ chatId: 'c', agentName: 'Agent', cwd: '/w', at: 0 }),
  );
  const translator = new Translator(new Contents(), environment);
  const intake = new UpdateCoalescer(store, translator, environment);
  store.dispatch({ type: 'sessionStarted', sessionId: SESSION });
  const prompt = { id: 'p', text: 'go', attachments: [] };
  store.dispatch({ type: 'turnStarted', turnId: 't', prompt, at: 0 });
  intake.take(subagentRuns, SESSION);
  for (const { update, sessionId, isLastOfRead } of all) {
    intake.take(update, sessionId);
    if (!together) intake.flush();
    else if (isLastOfRead) await Promise.resolve();
  }
  await Promise.resolve();
  return store.state;
}

/** Without ids of Parley's own: fewer are made when less is applied. */
const shown = (state: SessionState): string =>
  JSON.stringify(allTurns(state), (key, value: unknown) => (key === 'id' ? undefined : value));

test('whatever comes together, the chat says what it says when each is applied by itself', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(told, { maxLength: 30 }), async all => {
      assert.equal(shown(await chatAfter(all, true)), shown(await chatAfter(all, false)));
    }),
    { numRuns: 2_000, seed: 7 },
  );
});

test('pieces of one read are one change', async () => {
  let changes = 0;
  const environment = {
    now: () => 0,
    newId: () => `id${changes}`,
    after: () => ({ dispose() {} }),
  };
  const store = new SessionStore(
    initialSession({ chatId: 'c', agentName: 'Agent', cwd: '/w', at: 0 }),
  );
  store.dispatch({
    type: 'turnStarted',
    turnId: 't',
    prompt: { id: 'p', text: 'go', attachments: [] },
    at: 0,
  });
  store.onDidApply(() => changes++);
  const intake = new UpdateCoalescer(
    store,
    new Translator(new Contents(), environment),
    environment,
  );
  for (const text of ['one ', 'two ', 'three']) {
    intake.take({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }, SESSION);
  }
  await Promise.resolve();
  assert.equal(changes, 1);
  const [part] = store.state.activeTurn?.parts ?? [];
  assert.ok(part?.kind === 'text' && part.text === 'one two three');
});
