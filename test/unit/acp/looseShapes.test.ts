/** Shapes that agents send who keep to the protocol loosely: what they mean is read, and nothing is lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ErrorCode, RequestError } from '../../../src/acp/rpc/errors';
import type * as schema from '../../../src/acp/schema/schema';
import { RawPeer } from './rawPeer';

/** What the chat is told for a notification with these parameters. */
async function told(params: unknown): Promise<schema.SessionNotification[]> {
  const seen: schema.SessionNotification[] = [];
  const peer = new RawPeer({ sessionUpdate: notification => seen.push(notification) });
  peer.send({ method: 'session/update', params });
  await peer.ask('x', {});
  assert.deepEqual(peer.logger.at('warn', 'error'), []);
  return seen;
}

async function updatesOf(update: unknown): Promise<unknown[]> {
  return (await told({ sessionId: 's', update })).map(notification => notification.update);
}

const text = (words: string, kind = 'agent_message_chunk') => ({
  sessionUpdate: kind,
  content: { type: 'text', text: words },
});

test('a message whose content is a list, a text, or called otherwise', async () => {
  const sessionUpdate = 'agent_message_chunk';
  assert.deepEqual(
    await updatesOf({ sessionUpdate, content: [{ type: 'text', text: 'a' }, 'b'] }),
    [text('a'), text('b')],
  );
  for (const update of [
    { sessionUpdate, content: 'a' },
    { sessionUpdate, text: 'a' },
    { sessionUpdate, delta: 'a' },
    { sessionUpdate, content: { text: 'a' } },
  ]) {
    assert.deepEqual(await updatesOf(update), [text('a')]);
  }
});

test('kinds of updates in another case, or called `type`', async () => {
  for (const name of ['agentThoughtChunk', 'AgentThoughtChunk', 'agent-thought-chunk']) {
    assert.deepEqual(
      await updatesOf({ sessionUpdate: name, content: { type: 'text', text: 'hm' } }),
      [text('hm', 'agent_thought_chunk')],
    );
  }
  assert.deepEqual(
    await updatesOf({ type: 'agent_message_chunk', content: { type: 'text', text: 'a' } }),
    [text('a')],
  );
});

test('several updates in one notification keep their order', async () => {
  const toolCall = { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'T' };
  assert.deepEqual(await updatesOf([text('a'), toolCall, text('b'), null]), [
    text('a'),
    toolCall,
    text('b'),
  ]);
});

test("names in snake case, except in what is the agent's own", async () => {
  const [notification] = await told({
    session_id: 's',
    update: {
      session_update: 'tool_call',
      tool_call_id: 'c',
      title: 'T',
      kind: 'edit',
      raw_input: { file_path: '/a', nested: { old_string: 'x' } },
      content: [{ type: 'diff', path: '/a', old_text: 'x', new_text: 'y' }],
      locations: [{ path: '/a' }],
    },
  });
  assert.deepEqual(notification, {
    sessionId: 's',
    update: {
      sessionUpdate: 'tool_call',
      toolCallId: 'c',
      title: 'T',
      kind: 'edit',
      rawInput: { file_path: '/a', nested: { old_string: 'x' } },
      content: [{ type: 'diff', path: '/a', oldText: 'x', newText: 'y' }],
      locations: [{ path: '/a' }],
    },
  });
});

test('answers and requests in snake case', async () => {
  const peer = new RawPeer({
    readTextFile: ({ path }) => Promise.resolve({ content: `of ${path}` }),
    createTerminal: ({ outputByteLimit, env }) =>
      Promise.resolve({ terminalId: `${outputByteLimit} ${env?.[0]?.name}` }),
  });
  const answer = peer.connection.newSession({ cwd: '/w', mcpServers: [] });
  const { id } = await peer.next();
  const modes = { current_mode_id: 'a', available_modes: [{ id: 'a', name: 'A' }] };
  peer.send({ id, result: { session_id: 's', modes } });
  assert.deepEqual(await answer, {
    sessionId: 's',
    modes: { currentModeId: 'a', availableModes: [{ id: 'a', name: 'A' }] },
  });
  const read = await peer.ask('fs/read_text_file', { session_id: 's', path: '/f' });
  assert.deepEqual(read['result'], { content: 'of /f' });
  const created = await peer.ask('terminal/create', {
    session_id: 's',
    command: 'ls',
    output_byte_limit: 5,
    env: { SNAKE_CASE: '1' },
  });
  assert.deepEqual(created['result'], { terminalId: '5 SNAKE_CASE' });
});

test('parameters in a list of one', async () => {
  assert.deepEqual((await told([{ sessionId: 's', update: text('a') }]))[0]?.update, text('a'));
});

test('tool calls: ids, statuses and fields by other names, content that is no list', async () => {
  const sessionUpdate = 'tool_call_update';
  const cases: [given: object, meant: object][] = [
    [{ toolCallId: 7 }, { toolCallId: '7' }],
    [
      { id: 'c', input: { a: 1 }, output: 'o' },
      {
        id: 'c',
        input: { a: 1 },
        output: 'o',
        toolCallId: 'c',
        rawInput: { a: 1 },
        rawOutput: 'o',
      },
    ],
    [
      { toolCallId: 'c', content: 'done' },
      { toolCallId: 'c', content: [wrapped('done')] },
    ],
    [
      { toolCallId: 'c', content: { type: 'text', text: 'done' } },
      { toolCallId: 'c', content: [wrapped('done')] },
    ],
  ];
  for (const [given, meant] of cases) {
    assert.deepEqual(await updatesOf({ sessionUpdate, ...given }), [{ sessionUpdate, ...meant }]);
  }
  const statuses = {
    done: 'completed',
    SUCCESS: 'completed',
    inProgress: 'in_progress',
    running: 'in_progress',
    queued: 'pending',
    error: 'failed',
    cancelled: 'failed',
  };
  for (const [status, meant] of Object.entries(statuses)) {
    assert.deepEqual(await updatesOf({ sessionUpdate, toolCallId: 'c', status }), [
      { sessionUpdate, toolCallId: 'c', status: meant },
    ]);
  }
});

function wrapped(words: string): object {
  return { type: 'content', content: { type: 'text', text: words } };
}

test('plans: steps as bare texts, statuses by other names', async () => {
  assert.deepEqual(
    await updatesOf({
      sessionUpdate: 'plan',
      todos: ['look', { text: 'do', status: 'done' }, { content: 'check', status: 'inProgress' }],
    }),
    [
      {
        sessionUpdate: 'plan',
        entries: [
          { content: 'look', priority: 'medium', status: 'pending' },
          { content: 'do', priority: 'medium', status: 'completed' },
          { content: 'check', priority: 'medium', status: 'in_progress' },
        ],
      },
    ],
  );
});

/** Asks permission; the user chooses the option at `index`. */
async function asked(params: object, index: number) {
  let request: schema.RequestPermissionRequest | undefined;
  const peer = new RawPeer({
    requestPermission: given => {
      request = given;
      const optionId = given.options[index]?.optionId ?? '';
      return Promise.resolve({ outcome: { outcome: 'selected' as const, optionId } });
    },
  });
  const { result } = await peer.ask('session/request_permission', { sessionId: 's', ...params });
  return { request, result };
}

test('permission: bare words, other names, kinds left to be told from the words', async () => {
  const toolCall = { toolCallId: 'c' };
  const words = await asked({ toolCall, options: ['Allow', 'Always allow', 'No', 'Later'] }, 1);
  assert.deepEqual(
    words.request?.options.map(({ name, kind }) => `${name}: ${kind}`),
    ['Allow: allow_once', 'Always allow: allow_always', 'No: reject_once', 'Later: unknown'],
  );
  assert.deepEqual(words.result, { outcome: { outcome: 'selected', optionId: 'Always allow' } });
  const numbered = await asked(
    {
      toolCall,
      options: [
        { id: 1, label: 'Go', kind: 'approve' },
        { id: 2, label: 'Stop', kind: 'deny' },
      ],
    },
    1,
  );
  assert.deepEqual(
    numbered.request?.options.map(({ optionId, name, kind }) => [optionId, name, kind]),
    [
      ['1', 'Go', 'allow_once'],
      ['2', 'Stop', 'reject_once'],
    ],
  );
  assert.deepEqual(numbered.result, { outcome: { outcome: 'selected', optionId: 2 } });
  const told = await asked({ toolCall, options: [{ optionId: 'reject', name: 'Notify me' }] }, 0);
  assert.equal(told.request?.options[0]?.kind, 'reject_once');
});

test('permission about nothing that was named, and about a call without an id', async () => {
  const options = [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }];
  const bare = await asked({ message: 'Delete it all?', options }, 0);
  assert.equal(bare.request?.toolCall.title, 'Delete it all?');
  assert.ok(bare.request.toolCall.toolCallId);
  const unnamed = await asked({ toolCall: { title: 'Run' }, options }, 0);
  assert.equal(unnamed.request?.toolCall.title, 'Run');
  assert.ok(unnamed.request.toolCall.toolCallId);
});

test('versions as text, ends of turns in any case, ends that are errors', async () => {
  const peer = new RawPeer();
  const answer = async <T>(open: Promise<T>, result: unknown): Promise<T> => {
    peer.send({ id: (await peer.next()).id, result });
    return open;
  };
  for (const protocolVersion of ['1', '1.0', 'v1', '1.0.0']) {
    const { connection } = peer;
    const initialized = await answer(connection.initialize({ protocolVersion: 1 }), {
      protocolVersion,
    });
    assert.equal(initialized.protocolVersion, 1);
  }
  const end = (result: unknown) =>
    answer(peer.connection.prompt({ sessionId: 's', prompt: [] }), result);
  assert.equal((await end({ stopReason: 'endTurn' })).stopReason, 'end_turn');
  assert.equal((await end({ stop_reason: 'MAX_TOKENS' })).stopReason, 'max_tokens');
  assert.equal((await end({})).stopReason, 'end_turn');
  assert.equal((await end(null)).stopReason, 'end_turn');
  await assert.rejects(end({ stopReason: 'error', error: { message: 'no model' } }), error => {
    assert.ok(error instanceof RequestError);
    return error.code === ErrorCode.internal && error.message === 'no model';
  });
  await assert.rejects(end({ stopReason: 'failed' }), /gave no reason/);
});
