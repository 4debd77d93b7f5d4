/** What updates, requests and answers mean to a chat, with a real agent process on the other side. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { initialSession } from '../../../src/session/state/initialSession';
import { allTurns } from '../../../src/session/state/selectors';
import type { Part, SessionState, ToolCallPart } from '../../../src/session/state/state';
import { world, type World } from './world';
import { ChatRequests } from '../../../src/vscode/chats/chatRequests';
import { done, permission, text, thought, tool, toolUpdate } from './agentSteps';
import { choose } from './choose';

async function open(t: TestContext, program: Record<string, unknown> = {}): Promise<World> {
  const opened = await world(program);
  t.after(() => opened.end());
  return opened;
}

/** A part as one line: `text: hello`, `tool a: completed`. */
function line(part: Part): string {
  switch (part.kind) {
    case 'text':
    case 'thought':
      return `${part.kind}: ${part.text}`;
    case 'tool':
      return `tool ${part.toolCallId} "${part.title}": ${part.status}`;
    case 'notice':
      return `${part.level}: ${part.text}`;
    case 'user':
      return `user: ${part.message.text}`;
    case 'content':
      return `content: ${part.block.kind}`;
    case 'plan':
      return `plan: ${part.entries.map(entry => entry.content).join(', ')}`;
  }
}
const lines = (state: SessionState) => state.turns.at(-1)?.parts.map(line);
const actionsOf = (state: SessionState) =>
  allTurns(state).flatMap(({ parts }) =>
    parts.flatMap(part => (part.kind === 'notice' ? part.actions : [])),
  );
const lastTool = (state: SessionState) =>
  state.turns.at(-1)?.parts.findLast((part): part is ToolCallPart => part.kind === 'tool');

test('chunks of one kind and message append; kinds, messages and tools begin a new part', async t => {
  const { run } = await open(t);
  const state = await run([
    thought('a'),
    thought('b'),
    text('c', 'm1'),
    text('', 'm1'),
    text('d', 'm1'),
    text('e', 'm2'),
    tool('t', { status: 'completed' }),
    text('f', 'm2'),
    done,
  ]);
  assert.deepEqual(lines(state), [
    'thought: ab',
    'text: cd',
    'text: e',
    'tool t "Tool t": completed',
    'text: f',
  ]);
});

test('an echo of the prompt is shown once', async t => {
  const { run } = await open(t);
  const steps = [
    { update: { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'PROMPT' } } },
    text('hi'),
    done,
  ];
  const program = JSON.stringify(steps);
  const state = await run(
    JSON.parse(program.replace('PROMPT', '[{\\"update')) as readonly unknown[],
  );
  assert.deepEqual(lines(state), ['text: hi']);
});

test('permission may come before the call is announced, and the call is then updated', async t => {
  const { run, until, chat } = await open(t);
  const ended = run([
    permission('p', { title: 'Write file', kind: 'edit', status: 'pending' }),
    toolUpdate('p', { status: 'completed' }),
    done,
  ]);
  const waiting = await until(state => state.permissions.length > 0);
  assert.equal(waiting.permissions[0]?.title, 'Write file');
  const part = waiting.activeTurn?.parts[0];
  assert.equal(part?.kind === 'tool' && part.status, 'awaiting');
  choose(chat.controller, waiting.permissions[0]?.id, 'yes');
  const state = await ended;
  assert.deepEqual(lines(state), [
    'tool p "Write file": completed',
    'text: {"outcome":{"outcome":"selected","optionId":"yes"}}',
  ]);
  assert.deepEqual(state.permissions, []);
});

test('a rejected call stays rejected though the agent calls it failed', async t => {
  const { run, until, chat } = await open(t);
  const ended = run([
    permission('p', { title: 'Write' }),
    toolUpdate('p', { status: 'failed' }),
    done,
  ]);
  const { permissions } = await until(state => state.permissions.length > 0);
  assert.equal(choose(chat.controller, permissions[0]?.id, 'no'), true);
  assert.equal(choose(chat.controller, permissions[0]?.id, 'no'), false, 'nothing waits any more');
  assert.equal(lastTool(await ended)?.status, 'rejected');
});

test('tool call ids used again in a later turn are new calls; late updates find theirs', async t => {
  const { run } = await open(t);
  await run([tool('t', { status: 'in_progress' }), toolUpdate('t', { status: 'completed' }), done]);
  const second = await run([tool('t', { status: 'in_progress' }), done]);
  assert.equal(second.turns.length, 2);
  assert.equal(lastTool(second)?.status, 'completed', 'closed at the end of the turn');
  const third = await run([
    toolUpdate('t', { content: [{ type: 'content', content: { type: 'text', text: 'late' } }] }),
    done,
  ]);
  assert.deepEqual(third.turns.at(-1)?.parts, []);
  const late = third.turns[1]?.parts[0];
  assert.equal(late?.kind === 'tool' && late.content.length, 1);
});

test('an update for an unknown call is shown; content replaces, absent fields stay', async t => {
  const { run } = await open(t);
  const block = (value: string) => [{ type: 'content', content: { type: 'text', text: value } }];
  const state = await run([
    toolUpdate('u', { title: 'Unannounced', kind: 'search', content: block('one') }),
    toolUpdate('u', { content: block('two'), status: 'completed' }),
    done,
  ]);
  const part = lastTool(state);
  assert.equal(part?.title, 'Unannounced');
  assert.equal(part.toolKind, 'search');
  assert.deepEqual(part.content, [
    { kind: 'block', block: { kind: 'text', text: { text: 'two', truncated: false } } },
  ]);
});

test('Stop answers what waits, closes calls, still takes late updates, and is sent once', async t => {
  const { run, until, chat } = await open(t);
  const ended = run([
    tool('a', { status: 'in_progress' }),
    permission('b', { title: 'Run' }),
    { waitCancel: true },
    text('late words'),
    toolUpdate('a', { status: 'completed' }),
    { respond: { stopReason: 'cancelled' } },
  ]);
  await until(state => state.permissions.length > 0);
  chat.controller.stop();
  chat.controller.stop();
  assert.deepEqual(chat.store.state.permissions, []);
  assert.equal(chat.store.state.cancelling, true);
  assert.deepEqual(chat.store.state.activeTurn?.parts.map(line), [
    'tool a "Tool a": cancelled',
    'tool b "Run": cancelled',
  ]);
  const state = await ended;
  assert.equal(state.turns.at(-1)?.end?.reason, 'cancelled');
  assert.deepEqual(lines(state), [
    'tool a "Tool a": completed',
    'tool b "Run": cancelled',
    'text: {"outcome":{"outcome":"cancelled"}}late words',
  ]);
});

test('messages sent while a turn runs wait in order, can be edited and dropped, and follow', async t => {
  const { until, chat, send } = await open(t);
  const { controller, store } = chat;
  send([{ waitCancel: true }, { respond: { stopReason: 'cancelled' } }]);
  await until(state => state.activeTurn);
  controller.send('second');
  controller.send('third');
  controller.send('fourth');
  const [second, third, fourth] = store.state.queue;
  assert.ok(second && third && fourth);
  controller.dropQueued(second.id);
  controller.typeDraft('draft', 'v');
  controller.editQueued(third.id);
  assert.equal(store.state.draft.text, 'third\ndraft');
  controller.sendNow(fourth.id);
  const state = await until(({ turns }) => turns.length === 2);
  assert.deepEqual(
    state.turns.map(turn => turn.end?.reason),
    ['cancelled', 'end_turn'],
  );
  assert.equal(state.turns[1]?.prompt?.text, 'fourth');
  assert.deepEqual(state.queue, []);
});

test('waiting messages are sent in the order that the user gives them', async t => {
  const { until, chat, send } = await open(t);
  const { controller, store } = chat;
  send([{ waitCancel: true }, { respond: { stopReason: 'cancelled' } }]);
  await until(state => state.activeTurn);
  for (const each of ['one', 'two', 'three']) controller.send(each);
  const [one, two, three] = store.state.queue;
  assert.ok(one && two && three);
  const texts = () => store.state.queue.map(({ text: each }) => each).join(' ');
  controller.moveQueued(three.id, one.id);
  assert.equal(texts(), 'three one two');
  controller.moveQueued(one.id);
  assert.equal(texts(), 'three two one');
  const before = store.state;
  controller.moveQueued('gone', two.id);
  controller.moveQueued(two.id, two.id);
  controller.moveQueued(two.id, one.id);
  assert.equal(store.state, before, 'what changes nothing is nothing');
  controller.sendNow(three.id);
  const state = await until(({ turns }) => turns.length === 4);
  assert.deepEqual(
    state.turns.slice(1).map(({ prompt }) => prompt?.text),
    ['three', 'two', 'one'],
  );
});

test('a message sent before the agent is ready is sent when it is', async t => {
  const { until, chat } = await world({}, { connect: false }).then(opened => {
    t.after(() => opened.end());
    return opened;
  });
  chat.controller.send('hello');
  const state = await until(({ turns }) => turns.length === 1);
  assert.equal(state.turns[0]?.prompt?.text, 'hello');
});

test('updates before the session/new response are kept', async t => {
  const { until } = await open(t, {
    early: [
      {
        sessionUpdate: 'available_commands_update',
        availableCommands: [{ name: 'go', description: 'Goes', input: { hint: 'where' } }],
      },
    ],
  });
  const state = await until(({ commands }) => commands.length > 0);
  assert.deepEqual(state.commands, [{ name: 'go', description: 'Goes', hint: 'where' }]);
});

test('an error ends the turn in plain words, with what its data says; the chat goes on', async t => {
  const { run } = await open(t);
  for (const [data, detail] of [
    ['used up', 'Bad luck: used up.'],
    [{ details: 'used up' }, 'Bad luck: used up.'],
    [[{ message: 'first' }], 'Bad luck.'],
    [{ error: { message: 'nested' } }, 'Bad luck: nested.'],
    [undefined, 'Bad luck.'],
  ] as const) {
    const state = await run([
      text('so far'),
      { fail: { code: -32603, message: 'Bad luck', data } },
    ]);
    assert.equal(state.turns.at(-1)?.end?.reason, 'failed');
    const notice = state.turns.at(-1)?.parts.at(-1);
    assert.equal(notice?.kind === 'notice' && notice.detail, detail);
  }
  assert.deepEqual(lines(await run([text('fine'), done])), ['text: fine']);
});

test('the agent dying in a turn ends it with its exit code and last words; no word is lost', async t => {
  const { until, send, chat } = await open(t);
  const program = [tool('t', { status: 'in_progress' }), { exit: 3 }];
  const words = `${JSON.stringify(program)}\nkeep me`;
  chat.controller.typeDraft('keep me', 'v');
  chat.controller.typeDraft('', 'v');
  send(program);
  chat.controller.typeDraft('keep me', 'v');
  const state = await until(({ connection }) => connection.kind === 'failed');
  await until(({ activeTurn }) => !activeTurn);
  assert.equal(chat.store.state.turns.at(-1)?.end?.reason, 'interrupted');
  assert.equal(chat.store.state.draft.text, words);
  assert.ok(state.connection.kind === 'failed');
  const { problem } = state.connection;
  assert.match(problem.title + problem.detail, /3/);
  assert.deepEqual(problem.output.slice(-2), ['out of memory', 'last words']);
  await chat.controller.restart();
  assert.equal(chat.store.state.connection.kind, 'ready');
  assert.equal(chat.store.state.draft.text, words);
});

test('files are read and written in the session, and refusals have codes and no internals', async t => {
  const { run, cwd } = await open(t);
  const path = join(cwd, 'a.txt');
  writeFileSync(path, 'alpha\n');
  const state = await run([
    { ask: { method: 'fs/read_text_file', params: { path } } },
    { ask: { method: 'fs/write_text_file', params: { path, content: 'beta\n' } } },
    { ask: { method: 'fs/read_text_file', params: { path: `${path}.missing` } } },
    { ask: { method: 'fs/read_text_file', params: { path: 'a.txt' } } },
    done,
  ]);
  assert.equal(readFileSync(path, 'utf8'), 'beta\n');
  assert.deepEqual(lines(state), [
    'text: {"content":"alpha\\n"}{}' +
      `{"code":-32002,"message":"No such file: ${path}.missing"}` +
      '{"code":-32602,"message":"The path must be absolute: a.txt"}',
  ]);
});

test('the exit of a command is told whenever it is asked for: late, twice, and after a kill', async t => {
  const { run } = await open(t);
  const create = (script: string) => ({
    ask: { method: 'terminal/create', params: { command: '/bin/sh', args: ['-c', script] } },
    quiet: true,
  });
  const of = (method: string) => ({ ask: { method, params: { terminalId: '$LAST' } } });
  const steps = [
    create('printf said; exit 3'),
    ...['wait_for_exit', 'wait_for_exit', 'output'].map(name => of(`terminal/${name}`)),
    create('printf part; exec sleep 1000'),
    ...['kill', 'kill', 'wait_for_exit', 'wait_for_exit'].map(name => of(`terminal/${name}`)),
    done,
  ];
  const said = JSON.stringify(lines(await run(steps))).replaceAll('\\', '');
  assert.equal(said.match(/\{"exitCode":3,"signal":null\}/g)?.length, 3);
  assert.equal(said.match(/"signal":"SIGTERM"/g)?.length, 2);
});

test('commands run, tell their output, and end with the turn that was stopped', async t => {
  const { run, until, chat } = await open(t);
  const terminal = { type: 'terminal', terminalId: '$LAST' };
  const ended = run([
    {
      ask: { method: 'terminal/create', params: { command: 'printf', args: ['one\\ntwo'] } },
      quiet: true,
    },
    { ask: { method: 'terminal/wait_for_exit', params: { terminalId: '$LAST' } } },
    done,
  ]);
  const state = await ended;
  const [one] = Object.values(state.terminals);
  assert.equal(one?.output, 'one\ntwo');
  assert.deepEqual(one.exit, { exitCode: 0, signal: null });
  assert.equal(one.owned, true);

  const stopped = run([
    {
      ask: { method: 'terminal/create', params: { command: 'sleep', args: ['600'] } },
      quiet: true,
    },
    tool('t', { kind: 'execute', content: [terminal] }),
    { ask: { method: 'terminal/wait_for_exit', params: { terminalId: 'unknown' } } },
    { waitCancel: true },
    { respond: { stopReason: 'cancelled' } },
  ]);
  await until(({ activeTurn }) => activeTurn?.parts.some(part => part.kind === 'text'));
  chat.controller.stop();
  const after = await stopped;
  assert.match(lines(after)?.join() ?? '', /-32002/);
  const sleeping = Object.values(after.terminals).find(({ command }) => command.includes('sleep'));
  await until(({ terminals }) => terminals[sleeping?.id ?? '']?.exit);
});

test('a finished plan becomes part of its turn, an unfinished one stays', async t => {
  const { run } = await open(t);
  const plan = (...statuses: string[]) => ({
    update: {
      sessionUpdate: 'plan',
      entries: statuses.map((status, index) => ({ content: `${index}`, priority: 'low', status })),
    },
  });
  const unfinished = await run([plan('completed', 'in_progress'), done]);
  assert.equal(unfinished.plan?.length, 2);
  const finished = await run([plan('completed', 'completed'), done]);
  assert.equal(finished.plan, undefined);
  assert.deepEqual(lines(finished), ['plan: 0, 1']);
});

test('unknown kinds are shown, never lost', async t => {
  const { run } = await open(t);
  const state = await run([
    { update: { sessionUpdate: 'from_the_future', payload: 1 } },
    { update: { sessionUpdate: 'agent_message_chunk', content: { type: 'hologram', x: 1 } } },
    done,
  ]);
  assert.deepEqual(lines(state), ['content: unknown', 'content: unknown']);
});

const MODES = {
  currentModeId: 'ask',
  availableModes: [
    { id: 'ask', name: 'Ask' },
    { id: 'code', name: 'Code' },
  ],
};

test('modes are an option; a refused change is taken back and explained', async t => {
  const { chat, state, run } = await open(t, { opened: { modes: MODES }, refuseMode: true });
  const [mode] = state.configOptions;
  assert.equal(mode?.name, 'Mode');
  const changing = chat.controller.setConfig(mode.id, 'code');
  assert.equal(chat.store.state.configOptions[0]?.value, 'code', 'shown at once');
  await changing;
  assert.equal(chat.store.state.configOptions[0]?.value, 'ask');
  assert.deepEqual(lines(chat.store.state), ['warning: Mode could not be changed.']);
  const told = await run([
    { update: { sessionUpdate: 'current_mode_update', currentModeId: 'code' } },
    done,
  ]);
  assert.equal(told.configOptions[0]?.value, 'code');
});

test('configOptions win over modes; models without an option of their own are kept', async t => {
  const { chat, state } = await open(t, {
    opened: {
      modes: MODES,
      models: { currentModelId: 'm', availableModels: [{ modelId: 'm', name: 'M' }] },
      configOptions: [
        {
          id: 'mode',
          name: 'Approval',
          category: 'mode',
          type: 'select',
          currentValue: 'ask',
          options: [{ group: 'g', name: 'Group', options: [{ value: 'ask', name: 'Ask' }] }],
        },
        { id: 'fast', name: 'Fast', type: 'boolean', currentValue: false },
      ],
    },
  });
  assert.deepEqual(
    state.configOptions.map(({ name, source }) => `${name} (${source})`),
    ['Model (model)', 'Approval (configOption)', 'Fast (configOption)'],
  );
  await chat.controller.setConfig('fast', true);
  assert.equal(chat.store.state.configOptions.at(-1)?.value, true);
});

test('sign-in needed at session/new: the message waits and is sent after signing in', async t => {
  const opened = await world({ auth: [{ id: 'key', name: 'Key' }] }, { connect: false });
  t.after(() => opened.end());
  const { chat, until } = opened;
  chat.controller.send('hello');
  const asked = await until(({ connection }) => connection.kind === 'signIn');
  assert.ok(asked.connection.kind === 'signIn');
  assert.deepEqual(
    asked.connection.methods.map(({ name }) => name),
    ['Key'],
  );
  await chat.controller.signIn('key');
  const state = await until(({ turns }) => turns.length === 1);
  assert.equal(state.turns[0]?.prompt?.text, 'hello');
});

test('a chat that the agent has forgotten keeps its transcript and begins anew', async t => {
  for (const error of [
    { code: -32002, message: 'No such session' },
    { code: -32603, message: 'Out of order' },
  ]) {
    const opened = await world(
      { capabilities: { loadSession: true }, loadFails: error },
      {
        restore: cwd => ({
          ...initialSession({ chatId: 'c', agentName: 'Program', cwd, at: 0 }),
          sessionId: 'old',
          turns: [{ id: 't', parts: [], startedAt: 0, endedAt: 1 }],
        }),
      },
    );
    t.after(() => opened.end());
    await opened.chat.controller.connect();
    const { connection, turns } = opened.state;
    assert.equal(connection.kind, error.code === -32002 ? 'ready' : 'failed');
    assert.equal(turns[0]?.id, 't');
  }
});

test('a request that comes after Stop is answered like those that were open', async t => {
  const { run, until, chat } = await open(t);
  const ended = run([
    tool('begun'),
    { waitCancel: true },
    permission('late', { title: 'Late' }),
    { respond: { stopReason: 'cancelled' } },
  ]);
  await until(state => state.activeTurn?.parts.length);
  chat.controller.stop();
  assert.equal(lines(await ended)?.at(-1), 'text: {"outcome":{"outcome":"cancelled"}}');
});

test('what lasts is never granted by a plain Allow', async t => {
  const { run, until, chat } = await open(t);
  const options = [{ optionId: 'ever', name: 'Always', kind: 'allow_always' }];
  const params = { toolCall: { toolCallId: 'p', title: 'P' }, options };
  const ended = run([{ ask: { method: 'session/request_permission', params } }, done]);
  const waiting = await until(state => state.permissions.length > 0);
  const requests = new ChatRequests({
    onDidChange: () => ({ dispose: () => undefined }),
    all: [chat],
    get: () => chat,
  });
  const key = requests.oldest(chat.chatId);
  assert.equal(key && requests.standing(key, 'allow'), 'none');
  choose(chat.controller, waiting.permissions[0]?.id, 'ever');
  await ended;
});

test('an error after Stop is the end that was asked for', async t => {
  const { run, until, chat } = await open(t);
  const ended = run([{ waitCancel: true }, { fail: { code: -32603, message: 'aborted' } }]);
  await until(state => state.activeTurn);
  chat.controller.stop();
  const state = await ended;
  assert.equal(state.turns.at(-1)?.end?.reason, 'cancelled');
  assert.deepEqual(lines(state), []);
});

test('a failed prompt can be tried again until the next one, and only then', async t => {
  const { chat, run, until } = await open(t);
  const { controller } = chat;
  const offered = () => actionsOf(chat.store.state);
  await run([{ fail: { code: -32603, message: 'overloaded' } }]);
  assert.deepEqual(offered(), ['retry', 'showLog']);
  await controller.retry();
  await until(({ turns, activeTurn }) => turns.length === 2 && !activeTurn);
  assert.deepEqual(offered(), ['showLog', 'retry', 'showLog']);
  await run([text('now')]);
  assert.deepEqual(offered(), ['showLog', 'showLog']);
  await controller.retry();
  assert.equal(chat.store.state.activeTurn, undefined);
  assert.equal(chat.store.state.turns.length, 3);
});

test('the process is stopped by force only while Stop is not answered', async t => {
  const { chat, agent, send, until } = await open(t);
  const { controller, store } = chat;
  await controller.forceStop();
  assert.equal(agent.status.kind, 'ready');
  send([{ ask: { method: 'fs/read_text_file', params: { path: '/nowhere' } } }, { waitCancel: 1 }]);
  await until(({ activeTurn }) => activeTurn?.parts.length);
  store.dispatch({
    type: 'noticeAdded',
    turnId: 'n',
    partId: 'n',
    level: 'warning',
    text: 'It has not stopped yet.',
    actions: ['forceStop'],
    at: 1,
  });
  assert.deepEqual(actionsOf(store.state), ['forceStop']);
  controller.stop();
  await until(({ activeTurn }) => !activeTurn);
  assert.deepEqual(actionsOf(store.state), []);
  await controller.forceStop();
  assert.equal(agent.status.kind, 'ready');
});

test('what the user calls a chat stays, whatever the agent calls it', async t => {
  const { chat, run } = await open(t);
  const titled = (title: string) => ({ update: { sessionUpdate: 'session_info_update', title } });
  const rename = (title: string | undefined) =>
    chat.store.dispatch({ type: 'titleChanged', title, byUser: true });
  assert.equal((await run([titled('first')])).title, 'first');
  rename('mine');
  assert.equal((await run([titled('second')])).title, 'mine');
  rename(undefined);
  assert.equal(chat.store.state.title, undefined);
  assert.equal((await run([titled('third')])).title, 'third');
});

test('a chat that is deleted in the middle of a turn comes back at rest', async t => {
  const { chats, chat, send, until } = await open(t);
  send([tool('t', { status: 'in_progress' }), { waitCancel: true }]);
  const running = await until(({ activeTurn }) => activeTurn?.parts.length);
  await chats.delete(chat.chatId);
  // Whichever state is kept of it.
  for (const state of [chat.store.state, running]) {
    const restored = chats.restore(state, 1);
    assert.ok(restored);
    const { turns, activeTurn, connection } = restored.store.state;
    assert.equal(activeTurn, undefined);
    assert.ok(turns.length === 1 && turns[0]?.end && turns[0].endedAt !== undefined);
    assert.equal(lastTool(restored.store.state)?.status, 'cancelled');
    assert.equal(connection.kind, 'stopped');
  }
});

test('attachments go along; one that is gone is told and the message still sent', async t => {
  const { chat, until } = await open(t, { logPrompt: true });
  const attachment = (label: string) => ({ id: label, kind: 'file' as const, label, title: label });
  chat.controller.attach(attachment('here'));
  chat.controller.attach(attachment('gone'));
  chat.controller.send('look');
  const state = await until(({ turns }) => turns.length === 1);
  assert.deepEqual(state.draft.attachments, []);
  assert.deepEqual(lines(state), [
    'warning: gone could not be attached.',
    'text: [{"type":"text","text":"look"},{"type":"resource_link","uri":"file:///x","name":"here"}]',
  ]);
});

test('closing a chat stops its agent when no other chat uses it', async t => {
  const { chats, chat, agent } = await open(t);
  const other = chats.create('Program');
  assert.ok(other);
  await other.controller.connect();
  await chats.delete(chat.chatId);
  assert.equal(agent.status.kind, 'ready');
  await chats.delete(other.chatId);
  assert.equal(agent.status.kind, 'stopped');
});

test('an agent that goes right after its answer has answered', async t => {
  const { run, chat } = await open(t, { exitsAfter: 'session/prompt' });
  const { turns } = await run([text('all said'), done]);
  assert.equal(turns[0]?.end?.reason, 'end_turn');
  assert.notEqual(chat.store.state.connection.kind, 'starting');
});
