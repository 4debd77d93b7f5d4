import assert from 'node:assert/strict';
import { test } from 'node:test';
import { initialSession } from '../../../src/session/state/initialSession';
import type { Environment } from '../../../src/session/ports';
import { SessionLists } from '../../../src/session/history/sessionLists';
import { world, type World } from './world';

const ALL = { list: {}, delete: {}, fork: {}, resume: {} };

/** The lists of a world, with a clock that stands still until it is told to move on. */
function listsOf(it: World): { readonly lists: SessionLists; passTime(): void } {
  const tasks = new Set<() => void>();
  const environment: Environment = {
    now: Date.now,
    newId: () => 'unused',
    after(_, task) {
      tasks.add(task);
      return { dispose: () => void tasks.delete(task) };
    },
  };
  const lists = new SessionLists(it.chats, () => it.agent, environment);
  return { lists, passTime: () => tasks.forEach(task => task()) };
}

const statusOf = (it: World) => it.agent.status.kind;
const ids = (lists: SessionLists) =>
  lists.of('Program')?.sessions.map(({ sessionId }) => sessionId);

test('a list is read when it is asked for, and its agent runs on for what is opened next', async () => {
  const it = await world(
    { capabilities: { sessionCapabilities: ALL }, sessions: [{ sessionId: 'a', title: 'First' }] },
    { connect: false, restore: cwd => stopped(cwd) },
  );
  const { lists, passTime } = listsOf(it);
  try {
    assert.deepEqual(lists.of('Program'), {
      agentName: 'Program',
      state: 'unread',
      sessions: [],
      hasMore: false,
      canDelete: false,
      canCopy: false,
    });
    assert.equal(statusOf(it), 'stopped');
    const states: (string | undefined)[] = [];
    lists.onDidChange(() => states.push(lists.of('Program')?.state));
    await lists.read('Program');
    assert.deepEqual(states, ['reading', 'read']);
    assert.deepEqual(lists.of('Program'), {
      agentName: 'Program',
      state: 'read',
      sessions: [{ sessionId: 'a', title: 'First' }],
      hasMore: false,
      canDelete: true,
      canCopy: true,
    });
    assert.equal(statusOf(it), 'ready');
    passTime();
    assert.equal(statusOf(it), 'stopped');
  } finally {
    lists.dispose();
    await it.end();
  }
});

test('more comes as it is asked for, however large the pages of the agent are', async () => {
  const sessions = Array.from({ length: 65 }, (_, index) => ({ sessionId: `n${index}` }));
  const it = await world({ capabilities: { sessionCapabilities: ALL }, sessions });
  const { lists } = listsOf(it);
  try {
    await lists.read('Program');
    // The agent has two on a page, and at most ten pages are asked for at once.
    assert.equal(ids(lists)?.length, 20);
    assert.equal(lists.of('Program')?.hasMore, true);
    await lists.more('Program');
    await lists.more('Program');
    await lists.more('Program');
    assert.deepEqual(
      ids(lists),
      sessions.slice(0, 65).map(({ sessionId }) => sessionId),
    );
    assert.equal(lists.of('Program')?.hasMore, false);
  } finally {
    lists.dispose();
    await it.end();
  }
});

test('what is a chat already is not listed again, and gives it its title', async () => {
  const it = await world({
    capabilities: { sessionCapabilities: ALL },
    sessions: [{ sessionId: 's1', title: 'Named by the agent' }, { sessionId: 'other' }],
  });
  const { lists } = listsOf(it);
  try {
    assert.equal(it.state.sessionId, 's1');
    await lists.read('Program');
    assert.deepEqual(ids(lists), ['other']);
    assert.equal(it.state.title, 'Named by the agent');
    it.chat.store.dispatch({ type: 'titleChanged', title: 'Named by the user' });
    await lists.read('Program');
    assert.equal(it.state.title, 'Named by the user');
    // A chat that Parley forgets is the agent's again.
    await it.chats.delete(it.chat.chatId);
    assert.deepEqual(ids(lists), ['s1', 'other']);
  } finally {
    lists.dispose();
    await it.end();
  }
});

test('a session is opened once, copied as often as wanted, and only if it is listed', async () => {
  const it = await world({
    capabilities: { sessionCapabilities: ALL },
    sessions: [{ sessionId: 'old', title: 'Old' }],
  });
  const { lists } = listsOf(it);
  try {
    await lists.read('Program');
    assert.equal(lists.open('Program', 'nobody knows it'), undefined);
    const copy = lists.open('Program', 'old', true);
    await copy?.controller.connect();
    assert.equal(copy?.store.state.sessionId, 'old-fork');
    assert.equal(copy.store.state.title, 'Old');
    const notice = copy.store.state.turns[0]?.parts[0];
    assert.match(notice?.kind === 'notice' ? notice.text : '', /does not show earlier messages/);
    assert.deepEqual(ids(lists), ['old']);
    const chat = lists.open('Program', 'old');
    assert.equal(chat?.store.state.sessionId, 'old');
    assert.equal(lists.open('Program', 'old'), chat);
    assert.deepEqual(ids(lists), []);
  } finally {
    lists.dispose();
    await it.end();
  }
});

test('what is deleted is gone, and what cannot be says why', async () => {
  const it = await world({
    capabilities: { sessionCapabilities: ALL },
    sessions: [{ sessionId: 'locked' }, { sessionId: 'old' }],
  });
  const { lists } = listsOf(it);
  try {
    await lists.read('Program');
    await lists.delete('Program', 'old');
    await assert.rejects(
      lists.delete('Program', 'locked'),
      /^Error: Program did not delete it: It is in use$/,
    );
    assert.deepEqual(ids(lists), ['locked']);
  } finally {
    lists.dispose();
    await it.end();
  }
});

test('an agent that keeps no list is told of as such once, and left out from then on', async () => {
  const it = await world({}, { connect: false, restore: cwd => stopped(cwd) });
  const { lists } = listsOf(it);
  try {
    await lists.read('Program');
    assert.equal(lists.of('Program')?.problem, 'Program does not list its sessions.');
  } finally {
    lists.dispose();
  }
  const running = listsOf(it);
  try {
    await it.chat.controller.connect();
    assert.equal(running.lists.of('Program'), undefined);
  } finally {
    running.lists.dispose();
    await it.end();
  }
});

test('an agent that wants a sign-in first leads to it', async () => {
  const it = await world(
    {
      auth: [{ id: 'login', name: 'Log in' }],
      authFor: 'session/list',
      capabilities: { sessionCapabilities: ALL },
    },
    { connect: false, restore: cwd => stopped(cwd) },
  );
  const { lists } = listsOf(it);
  try {
    await lists.read('Program');
    assert.match(lists.of('Program')?.problem ?? '', /^Program needs a sign-in\./);
  } finally {
    lists.dispose();
    await it.end();
  }
});

function stopped(cwd: string) {
  return initialSession({ chatId: 'stopped', agentName: 'Program', cwd, at: 0 });
}
