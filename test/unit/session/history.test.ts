import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nullLogger } from '../../../src/base/logger';
import { ChatHistory, parseHistory, type HistoryStorage } from '../../../src/session/history';
import type { Environment } from '../../../src/session/ports';
import type { SessionState } from '../../../src/session/state/state';
import { isOpen } from '../../../src/session/state/turns';
import { anyAction } from './arbitraries';
import { world } from './world';

class MemoryStorage implements HistoryStorage {
  readonly texts = new Map<string, string>();
  list = () => Promise.resolve([...this.texts.keys()].map(chatId => ({ chatId, updatedAt: 1 })));
  read = (chatId: string) => Promise.resolve(this.texts.get(chatId) ?? '');
  append = (chatId: string, text: string) =>
    Promise.resolve(void this.texts.set(chatId, (this.texts.get(chatId) ?? '') + text));
  replace = (chatId: string, text: string) => Promise.resolve(void this.texts.set(chatId, text));
  remove = (chatId: string) => Promise.resolve(void this.texts.delete(chatId));
}

let ids = 0;
const environment: Environment = {
  now: () => 5,
  newId: () => `h${(ids += 1)}`,
  // Written only when asked: `flush`.
  after: () => ({ dispose() {} }),
};

/** What a chat says, without what the agent of the moment offers. */
function lasting(state: SessionState) {
  const transient = new Set(['connection', 'agent', 'commands', 'configOptions']);
  return Object.fromEntries(Object.entries(state).filter(([key]) => !transient.has(key)));
}

test('what was written folds to the chat, wherever the writes fell and the end was torn', async () => {
  const { chats, chat, end } = await world({}, { connect: false });
  await chat.controller.connect();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(anyAction, fc.constant('flush' as const)), { maxLength: 30 }),
      fc.nat(12),
      async (steps, torn) => {
        const storage = new MemoryStorage();
        const history = new ChatHistory(chats, storage, environment, nullLogger);
        await history.start();
        for (const step of steps) {
          if (step === 'flush') await history.flush();
          else chat.store.dispatch(step);
        }
        chat.store.dispatch({ type: 'draftTyped', text: `kept ${ids++}`, viewId: 'v' });
        await history.flush();
        const text = storage.texts.get(chat.chatId) ?? '';
        const read = parseHistory(text);
        assert.ok(read);
        assert.deepEqual(lasting(read), lasting(chat.store.state));
        assert.ok(parseHistory(`${text}${JSON.stringify([{ type: 'x' }]).slice(0, torn)}`));
        history.dispose();
      },
    ),
    { numRuns: 300 },
  );
  await end();
});

test('a chat comes back asleep: nothing runs or waits, the draft is there, and it goes on', async () => {
  const storage = new MemoryStorage();
  const first = await world();
  const history = new ChatHistory(first.chats, storage, environment, nullLogger);
  await history.start();
  first.send([
    { update: { sessionUpdate: 'tool_call', toolCallId: 't', title: 'T', status: 'in_progress' } },
    {
      ask: {
        method: 'session/request_permission',
        params: {
          toolCall: { toolCallId: 'p', title: 'P' },
          options: [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }],
        },
      },
    },
  ]);
  await first.until(state => state.permissions.length > 0);
  first.chat.controller.typeDraft('half a thought', 'v');
  await history.flush();
  history.dispose();
  await first.end();

  const second = await world({}, { connect: false });
  const again = new ChatHistory(second.chats, storage, environment, nullLogger);
  await again.start();
  const chat = second.chats.get(first.chat.chatId);
  assert.ok(chat);
  const { connection, draft, permissions, turns, activeTurn } = chat.store.state;
  assert.deepEqual(connection, { kind: 'stopped' });
  assert.equal(draft.text, 'half a thought');
  assert.deepEqual(permissions, []);
  assert.equal(activeTurn, undefined);
  assert.equal(turns[0]?.end?.reason, 'interrupted');
  assert.ok(turns[0].parts.every(part => part.kind !== 'tool' || !isOpen(part.status)));

  chat.controller.send('[]');
  await new Promise<void>(resolve => {
    chat.store.onDidApply(({ action }) => action.type === 'turnEnded' && resolve());
  });
  await again.flush();
  assert.equal(
    parseHistory(storage.texts.get(chat.chatId) ?? '')?.turns.at(-1)?.end?.reason,
    'end_turn',
  );
  await second.chats.delete(chat.chatId);
  await again.flush();
  await new Promise(setImmediate);
  assert.equal(storage.texts.has(chat.chatId), false);
  again.dispose();
  await second.end();
});

test('a text that is no history is left alone', async () => {
  const { chats, end } = await world();
  const storage = new MemoryStorage();
  for (const [chatId, text] of [
    ['junk', 'junk'],
    ['empty', ''],
    ['other', '{"version":2,"state":{}}\n'],
    ['hollow', '{"version":1,"state":{"chatId":"hollow"}}\n'],
  ] as const) {
    storage.texts.set(chatId, text);
  }
  const history = new ChatHistory(chats, storage, environment, nullLogger);
  await history.start();
  assert.equal(chats.all.length, 1);
  assert.equal(storage.texts.size, 4);
  history.dispose();
  await end();
});
