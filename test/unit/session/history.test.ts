import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nullLogger } from '../../../src/base/logger';
import { ChatHistory, type HistoryStorage } from '../../../src/session/history/chatHistory';
import { parseHistory, snapshotLine } from '../../../src/session/history/historyText';
import type { Environment } from '../../../src/session/ports';
import { reduce } from '../../../src/session/state/reducer';
import { initialSession } from '../../../src/session/state/initialSession';
import type { SessionState } from '../../../src/session/state/state';
import { isOpen } from '../../../src/session/state/turns';
import { anyAction } from './arbitraries';
import { world } from './world';

class MemoryStorage implements HistoryStorage {
  readonly texts = new Map<string, string>();
  list = () => Promise.resolve([...this.texts.keys()].map(chatId => ({ chatId, updatedAt: 1 })));
  read = (chatId: string) => Promise.resolve(this.texts.get(chatId) ?? '');
  remove = (chatId: string) => Promise.resolve(void this.texts.delete(chatId));
  append(chatId: string, text: string): Promise<void> {
    return Promise.resolve(void this.texts.set(chatId, (this.texts.get(chatId) ?? '') + text));
  }
  replace(chatId: string, text: string): Promise<void> {
    return Promise.resolve(void this.texts.set(chatId, text));
  }
  keepApart(chatId: string, isCopied: boolean): Promise<string> {
    this.texts.set(`${chatId} aside`, this.texts.get(chatId) ?? '');
    if (!isCopied) this.texts.delete(chatId);
    return Promise.resolve(`${chatId} aside`);
  }
  hasChanged = () => Promise.resolve(false);
}

/** Keeps its texts, and refuses to change them while it is full. */
class FillingStorage extends MemoryStorage {
  isFull = false;

  override async append(chatId: string, text: string): Promise<void> {
    await this.room();
    await super.append(chatId, text);
  }

  override async replace(chatId: string, text: string): Promise<void> {
    await this.room();
    await super.replace(chatId, text);
  }

  private async room(): Promise<void> {
    await new Promise(setImmediate);
    if (this.isFull) throw new Error('no space left on device');
  }
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
        // Whatever the agent began to tell anew, it has.
        chat.store.dispatch({ type: 'sessionStarted', sessionId: 's' });
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
    { numRuns: 300, seed: 4 },
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

test('what cannot be written is told once, and written whole when it can be again', async () => {
  const storage = new FillingStorage();
  const { chats, chat, run, end } = await world();
  const later: (() => void)[] = [];
  const failures: unknown[] = [];
  const history = new ChatHistory(
    chats,
    storage,
    {
      ...environment,
      after: (_, task) => {
        later.push(task);
        return { dispose() {} };
      },
    },
    nullLogger,
    { notSaved: error => failures.push(error), unreadable: () => undefined },
  );
  await history.start();
  await run([]);
  await history.flush();
  storage.isFull = true;
  chat.controller.typeDraft('one', 'v');
  // The second is asked for before the first has failed: appended to a gap it could not be read.
  const writes = [history.flush()];
  chat.controller.typeDraft('two', 'v');
  writes.push(history.flush());
  await Promise.all(writes);
  assert.equal(failures.length, 1);
  storage.isFull = false;
  // Nothing more is said: it is tried again by itself.
  later.at(-1)?.();
  await history.flush();
  const read = parseHistory(storage.texts.get(chat.chatId) ?? '');
  assert.ok(read);
  assert.deepEqual(lasting(read), lasting(chat.store.state));
  history.dispose();
  await end();
});

test('a long chat that cannot be written anew is there, and so is one that a crash cut off', async () => {
  const storage = new FillingStorage();
  const state = { ...initialSession({ chatId: 'long', agentName: 'Program', cwd: '/', at: 0 }) };
  const draft = { text: 'x'.repeat(300_000), attachments: [], revision: 1 };
  storage.texts.set('long', `${JSON.stringify({ version: 1, state: { ...state, draft } })}\n[{"ty`);
  storage.isFull = true;
  const { chats, end } = await world({}, { connect: false });
  const history = new ChatHistory(chats, storage, environment, nullLogger);
  await history.start();
  const chat = chats.get('long');
  assert.equal(chat?.store.state.draft.text.length, 300_000);
  storage.isFull = false;
  chat.controller.typeDraft('short', 'v');
  await history.flush();
  assert.equal(parseHistory(storage.texts.get('long') ?? '')?.draft.text, 'short');
  history.dispose();
  await end();
});

test('a transcript is not lost while the agent tells it anew', async () => {
  const storage = new MemoryStorage();
  const { chats, chat, run, end } = await world();
  const history = new ChatHistory(chats, storage, environment, nullLogger);
  await history.start();
  await run([]);
  await history.flush();
  const stored = () => parseHistory(storage.texts.get(chat.chatId) ?? '')?.turns.length;
  chat.store.dispatch({ type: 'transcriptCleared' });
  await history.flush();
  assert.equal(stored(), 1);
  chat.store.dispatch({ type: 'sessionStarted', sessionId: 's1' });
  await history.flush();
  assert.equal(stored(), 0);
  history.dispose();
  await end();
});

test('a text that is no history is set aside, and the user is told; a newer version can read its own', async () => {
  const { chats, end } = await world();
  const storage = new MemoryStorage();
  const told: string[] = [];
  const texts = [
    ['junk', 'junk'],
    ['empty', ''],
    ['other', '{"version":2,"state":{}}\n'],
    ['hollow', '{"version":1,"state":{"chatId":"hollow"}}\n'],
    ['shifted', '{"version":1,"state":{"chatId":"somebody"}}\n'],
  ] as const;
  for (const [chatId, text] of texts) storage.texts.set(chatId, text);
  const history = new ChatHistory(chats, storage, environment, nullLogger, {
    notSaved: () => undefined,
    unreadable: places => told.push(...places),
  });
  await history.start();
  assert.equal(chats.all.length, 1);
  const apart = texts.filter(([chatId]) => chatId !== 'other');
  assert.deepEqual(
    told,
    apart.map(([chatId]) => `${chatId} aside`),
  );
  for (const [chatId, text] of apart) assert.equal(storage.texts.get(`${chatId} aside`), text);
  assert.equal(storage.texts.get('other'), texts[2][1]);
  history.dispose();
  await end();
});

test('a chat that ends too soon says so, and what could not be read is kept', async () => {
  const state = { ...initialSession({ chatId: 'cut', agentName: 'Program', cwd: '/', at: 0 }) };
  const first = `${JSON.stringify({ version: 1, state })}\n`;
  const named = `${JSON.stringify([{ type: 'titleChanged', title: 'Named' }])}\n`;
  for (const text of [`${first}${named}[{"ty`, `${first}${named}[{"ty\n${named}`]) {
    const storage = new MemoryStorage();
    storage.texts.set('cut', text);
    const { chats, end } = await world({}, { connect: false });
    const told: string[] = [];
    const history = new ChatHistory(chats, storage, environment, nullLogger, {
      notSaved: () => undefined,
      unreadable: places => told.push(...places),
    });
    await history.start();
    const chat = chats.get('cut')?.store.state;
    assert.equal(chat?.title, 'Named');
    assert.match(JSON.stringify(chat.turns), /could not be read and is missing here/);
    assert.deepEqual(told, ['cut aside']);
    assert.equal(storage.texts.get('cut aside'), text);
    history.dispose();
    await end();
  }
});

test('what another window left unreadable is told when this one comes back to it', async () => {
  const state = { ...initialSession({ chatId: 'cut', agentName: 'Program', cwd: '/', at: 0 }) };
  const whole = `${JSON.stringify({ version: 1, state })}\n`;
  const storage = new MemoryStorage();
  storage.texts.set('cut', whole);
  const { chats, end } = await world({}, { connect: false });
  const told: string[] = [];
  const history = new ChatHistory(chats, storage, environment, nullLogger, {
    notSaved: () => undefined,
    unreadable: places => told.push(...places),
  });
  await history.start();
  storage.texts.set('cut', `${whole}[{"ty`);
  storage.hasChanged = () => Promise.resolve(true);
  await history.refresh();
  assert.deepEqual(told, ['cut aside']);
  history.dispose();
  await end();
});

test('a chat of version 0.1.0 in which a request waited is read to its end', () => {
  const initial = initialSession({ chatId: 'c', agentName: 'A', cwd: '/w', at: 0 });
  const call = { turnId: 't', partId: 'p', toolCallId: 'run', announced: true, title: 'ls', at: 1 };
  const request = { id: 'r', toolCallId: 'run', title: 'ls', options: [], requestedAt: 2 };
  const before = [
    { type: 'toolCallChanged', ...call },
    { type: 'permissionRequested', request },
  ] as const;
  const { permissions, ...waiting } = before.reduce(reduce, initial);
  assert.equal(permissions.length, 1);
  const lines = [
    { version: 1, state: { ...waiting, permissions: [request] } },
    [{ type: 'toolCallChanged', ...call, announced: false, title: 'rm -rf ~', at: 3 }],
    [{ type: 'titleChanged', title: 'The last line' }],
  ];
  const read = parseHistory(lines.map(line => `${JSON.stringify(line)}\n`).join(''));
  assert.equal(read?.title, 'The last line');
  assert.equal(read.permissions[0]?.asked.title, 'ls');
  assert.deepEqual(read.permissions[0].changed, ['title']);
});

test('of very many chats the oldest are removed, and never one that is pinned', async () => {
  const storage = new MemoryStorage();
  for (let index = 0; index < 105; index += 1) {
    const start = initialSession({ chatId: `n${index}`, agentName: 'Program', cwd: '/', at: 0 });
    const draft = { text: 'said', attachments: [], revision: 0 };
    const state = { ...start, draft, ...(index === 103 && { listed: 'pinned' as const }) };
    storage.texts.set(`n${index}`, snapshotLine(state));
  }
  const { chats, end } = await world({}, { connect: false });
  const history = new ChatHistory(chats, storage, environment, nullLogger);
  await history.start();
  assert.deepEqual(
    [...storage.texts.keys()].filter(chatId => Number(chatId.slice(1)) >= 100),
    ['n103'],
  );
  assert.equal(chats.get('n103')?.store.state.listed, 'pinned');
  assert.ok(chats.get('n99') && !chats.get('n100'));
  history.dispose();
  await end();
});
