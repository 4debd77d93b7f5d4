/** Chats that the user pins or archives, and what their agents get to know of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TrafficTap } from '../../../src/acp/transport/transport';
import { parseHistory, snapshotLine } from '../../../src/session/history/historyText';
import { initialSession } from '../../../src/session/state/initialSession';
import { reduce } from '../../../src/session/state/reducer';
import { eventually } from '../../workbench/eventually';
import { world } from './world';

const ARCHIVES = {
  sessionCapabilities: { archive: {}, close: {}, fork: {}, list: {}, resume: {} },
};

/** The requests about a session that the agent gets, in order. */
function recorder(): { readonly tap: TrafficTap; readonly asked: string[] } {
  const asked: string[] = [];
  const tap: TrafficTap = ({ direction, json }) => {
    const { method } = JSON.parse(json) as { readonly method?: string };
    if (direction === 'send' && method && /session\/\w+/.test(method)) asked.push(method);
  };
  return { tap, asked };
}

test('an agent that archives sessions gets to know it, and takes them out again before it opens them', async () => {
  const { tap, asked } = recorder();
  const it = await world({ capabilities: ARCHIVES }, { tap });
  const { chat, agent } = it;
  // Another chat may need the agent, too.
  const lease = agent.lease();
  try {
    await it.run([]);
    asked.length = 0;
    await chat.controller.setListed('archived');
    assert.deepEqual(asked, ['session/close', 'session/archive']);
    assert.equal(it.state.listed, 'archived');
    assert.equal(it.state.archivedByAgent, true);
    await chat.controller.setListed('archived');
    assert.deepEqual(asked.slice(2), [], 'once is enough');
    await it.run([]);
    assert.deepEqual(asked.slice(2), ['session/unarchive', 'session/resume', 'session/prompt']);
    assert.equal(it.state.listed, undefined, 'what is worked in is not archived');
    assert.equal(it.state.archivedByAgent, undefined);
  } finally {
    lease.dispose();
    await it.end();
  }
});

test('an agent that runs for the archived chat alone gets to know it before it ends', async () => {
  const { tap, asked } = recorder();
  const it = await world({ capabilities: ARCHIVES }, { tap });
  try {
    await it.chat.controller.setListed('archived');
    assert.deepEqual(asked, ['session/new', 'session/close', 'session/archive']);
    assert.equal(it.agent.status.kind, 'stopped');
  } finally {
    await it.end();
  }
});

test('no agent is started for it: it gets to know it when it runs', async () => {
  const { tap, asked } = recorder();
  const state = (cwd: string) => ({
    ...initialSession({ chatId: 'old', agentName: 'Program', cwd, at: 0 }),
    sessionId: 'before',
  });
  const it = await world({ capabilities: ARCHIVES }, { tap, restore: state });
  try {
    await it.chat.controller.setListed('archived');
    assert.deepEqual([asked, it.agent.status.kind], [[], 'stopped']);
    const other = it.chats.create('Program');
    await eventually('the session is archived', () => it.state.archivedByAgent);
    assert.deepEqual(
      asked.filter(method => /archive/.test(method)),
      ['session/archive'],
    );
    await it.chat.controller.setListed(undefined);
    assert.equal(asked.at(-1), 'session/unarchive');
    assert.equal(it.state.archivedByAgent, undefined);
    await other?.controller.close();
  } finally {
    await it.end();
  }
});

test('an agent without an archive is asked for none, and a chat at work is not archived', async () => {
  const { tap, asked } = recorder();
  const it = await world({ capabilities: { sessionCapabilities: { resume: {} } } }, { tap });
  try {
    it.send([{ waitCancel: true }, { respond: { stopReason: 'cancelled' } }]);
    await it.until(({ activeTurn }) => activeTurn);
    await it.chat.controller.setListed('archived');
    assert.equal(it.state.listed, undefined);
    assert.ok(it.state.activeTurn, 'the turn goes on');
    it.chat.controller.stop();
    await it.until(({ activeTurn }) => !activeTurn);
    await it.chat.controller.setListed('archived');
    assert.equal(it.state.listed, 'archived');
    assert.equal(it.state.connection.kind, 'stopped');
    assert.deepEqual(
      asked.filter(method => /archive/.test(method)),
      [],
    );
  } finally {
    await it.end();
  }
});

test('a copy of a chat stands by its age', async () => {
  const it = await world({ capabilities: ARCHIVES });
  try {
    await it.run([]);
    await it.chat.controller.setListed('pinned');
    const copy = it.chats.fork(it.chat.chatId)?.store.state;
    assert.ok(copy);
    assert.equal(copy.listed, undefined);
    assert.equal(it.state.listed, 'pinned');
  } finally {
    await it.end();
  }
});

test('a title that the user gives reaches an agent that runs, also when the session is not open', async () => {
  const { tap, asked } = recorder();
  const state = (cwd: string) => ({
    ...initialSession({ chatId: 'old', agentName: 'Program', cwd, at: 0 }),
    sessionId: 'before',
  });
  const capabilities = { sessionCapabilities: { title: {} } };
  const it = await world({ capabilities }, { tap, restore: state });
  try {
    await it.chat.controller.rename('One');
    assert.deepEqual(asked, [], 'none is started for it');
    const lease = it.agent.lease();
    await it.agent.connect();
    await it.chat.controller.rename('Two');
    assert.deepEqual(asked, ['session/set_title']);
    lease.dispose();
  } finally {
    await it.end();
  }
});

test('where a chat stands is written with it, and when it was used does not change with that', async () => {
  const used = [
    { type: 'turnStarted', turnId: 't', prompt: { id: 'p', text: 'x', attachments: [] }, at: 10 },
    { type: 'turnEnded', end: { reason: 'end_turn' }, planPartId: 'q', at: 20 },
    { type: 'listedChanged', listed: 'pinned' },
  ] as const;
  const it = await world({}, { connect: false });
  try {
    const start = initialSession({ chatId: 'old', agentName: 'Program', cwd: it.cwd, at: 0 });
    const text = snapshotLine(start) + `${JSON.stringify(used)}\n`;
    const read = parseHistory(text);
    assert.equal(read?.listed, 'pinned');
    // The file was written later than anything was said.
    assert.equal(it.chats.restore(read, 5_000)?.updatedAt, 20);
    assert.equal(it.chats.restore({ ...start, chatId: 'empty' }, 5_000)?.updatedAt, 5_000);
    const unpinned = reduce(read, { type: 'listedChanged', listed: undefined });
    assert.ok(!('listed' in unpinned));
  } finally {
    await it.end();
  }
});
