import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AgentSessions } from '../../../src/session/history/agentSessions';
import { world } from './world';

const said = (sessionUpdate: string, text: string) => ({
  sessionUpdate,
  content: { type: 'text', text },
});

test('sessions come a page at a time, and only those of this folder', async () => {
  const it = await world(
    {
      capabilities: { loadSession: true, sessionCapabilities: { list: {}, delete: {} } },
      sessions: [
        { sessionId: 'a', title: 'First', updatedAt: '2026-01-31T09:30:00Z' },
        { sessionId: 'b', title: null, updatedAt: 'lately' },
        { sessionId: 'c', cwd: '/elsewhere' },
      ],
    },
    { connect: false },
  );
  try {
    const sessions = new AgentSessions(it.agent, it.cwd);
    assert.deepEqual(await sessions.abilities(), {
      list: true,
      delete: true,
      fork: false,
      open: true,
    });
    const first = await sessions.list();
    assert.deepEqual(first, {
      sessions: [
        { sessionId: 'a', title: 'First', updatedAt: Date.UTC(2026, 0, 31, 9, 30) },
        { sessionId: 'b' },
      ],
      next: '2',
    });
    assert.deepEqual(await sessions.list(first.next), { sessions: [] });
    await sessions.delete('a');
    await assert.rejects(sessions.delete('locked'), /It is in use/);
  } finally {
    await it.end();
  }
});

test('a listed session is opened with what was said in it, and only once', async () => {
  const replay = [said('user_message_chunk', 'Hello'), said('agent_message_chunk', 'Hi')];
  const it = await world({
    capabilities: { loadSession: true, sessionCapabilities: { list: {}, resume: {} } },
    replay,
  });
  try {
    const chat = it.chats.adopt('Program', { sessionId: 'old', title: 'Old' });
    assert.ok(chat);
    await chat.controller.connect();
    const { state } = chat.store;
    assert.equal(state.connection.kind, 'ready');
    assert.equal(state.title, 'Old');
    assert.equal(state.sessionId, 'old');
    assert.equal(state.turns[0]?.prompt?.text, 'Hello');
    assert.equal(it.chats.adopt('Program', { sessionId: 'old' }), chat);
  } finally {
    await it.end();
  }
});

test('an agent that only resumes shows nothing of before, and says so', async () => {
  const it = await world({ capabilities: { sessionCapabilities: { list: {}, resume: {} } } });
  try {
    const chat = it.chats.adopt('Program', { sessionId: 'old', title: 'Old' });
    await chat?.controller.connect();
    const notice = chat?.store.state.turns[0]?.parts[0];
    assert.match(notice?.kind === 'notice' ? notice.text : '', /does not show earlier messages/);
  } finally {
    await it.end();
  }
});

test('a session that is gone begins anew, and says so', async () => {
  const it = await world({
    capabilities: { loadSession: true },
    loadFails: { code: -32002, message: 'No such session' },
  });
  try {
    const chat = it.chats.adopt('Program', { sessionId: 'old', title: 'Old' });
    await chat?.controller.connect();
    const state = chat?.store.state;
    assert.equal(state?.connection.kind, 'ready');
    assert.notEqual(state?.sessionId, 'old');
    const notice = state?.turns[0]?.parts[0];
    assert.match(notice?.kind === 'notice' ? notice.text : '', /cannot resume/);
  } finally {
    await it.end();
  }
});

test('a copy of a chat has its transcript and a session of its own', async () => {
  const it = await world({ capabilities: { sessionCapabilities: { fork: {} } } });
  try {
    await it.run([{ update: said('agent_message_chunk', 'Hi') }]);
    assert.equal(it.state.agent.capabilities.fork, true);
    it.chat.controller.typeDraft('unsent', 'view');
    const fork = it.chats.fork(it.chat.chatId);
    assert.ok(fork && fork !== it.chat);
    await fork.controller.connect();
    const { state } = fork.store;
    assert.equal(state.sessionId, `${it.state.sessionId}-fork`);
    assert.deepEqual(state.turns, it.state.turns);
    assert.equal(state.draft.text, '');
    fork.controller.send('[]');
    await new Promise<void>(resolve =>
      fork.store.onDidApply(({ action }) => action.type === 'turnEnded' && resolve()),
    );
    assert.equal(it.state.turns.length, 1, 'the original stays as it was');
    assert.equal(it.chats.fork('unknown'), undefined);
  } finally {
    await it.end();
  }
});
