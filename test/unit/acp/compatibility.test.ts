import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientHandlers } from '../../../src/acp/rpc/clientHandlers';
import { ErrorCode, RequestError } from '../../../src/acp/rpc/errors';
import type * as schema from '../../../src/acp/schema/schema';
import { validateSent } from '../../conformance/schema';
import { RawPeer, type Received } from './rawPeer';

/** The shapes are those of the descriptions of ACP that older agents were written from. */

/** What the handler is told for these parameters of `session/update`. */
async function told(...params: object[]): Promise<schema.SessionNotification[]> {
  const seen: schema.SessionNotification[] = [];
  const peer = new RawPeer({ sessionUpdate: notification => seen.push(notification) });
  for (const each of params) peer.send({ method: 'session/update', params: each });
  await peer.ask('x', {});
  assert.deepEqual(peer.logger.at('warn', 'error'), []);
  return seen;
}

async function updateOf(params: object): Promise<unknown> {
  const [notification, ...rest] = await told({ sessionId: 's', ...params });
  assert.deepEqual(rest, []);
  assert.equal(notification?.sessionId, 's');
  return notification.update;
}

/** Sends a request with `connection` and answers it with `result`. */
async function answered<T>(peer: RawPeer, answer: Promise<T>, result: unknown): Promise<T> {
  const { id } = await peer.next();
  peer.send({ id, result });
  return answer;
}

test('a chunk of content without an update loses nothing', async () => {
  assert.deepEqual(await updateOf({ contentChunk: { id: 'p1', index: 0, delta: 'Hello' } }), {
    sessionUpdate: 'agent_message_chunk',
    messageId: 'p1',
    content: { type: 'text', text: 'Hello' },
    index: 0,
  });
});

test('a tool call without an update is announced, then changed; its diff is content', async () => {
  assert.deepEqual(
    await updateOf({
      toolCall: { toolCallId: 'c', title: 'Edit', kind: 'edit', status: 'pending' },
    }),
    {
      sessionUpdate: 'tool_call',
      toolCallId: 'c',
      title: 'Edit',
      kind: 'edit',
      status: 'pending',
    },
  );
  assert.deepEqual(
    await updateOf({
      toolCall: {
        toolCallId: 'c',
        status: 'completed',
        content: [{ type: 'text', text: 'done' }],
        locations: [{ path: '/w/a', line: 2 }],
        diff: { path: '/w/a', oldContent: 'old', newContent: 'new' },
      },
    }),
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'c',
      status: 'completed',
      locations: [{ path: '/w/a', line: 2 }],
      content: [
        { type: 'content', content: { type: 'text', text: 'done' } },
        { type: 'diff', path: '/w/a', oldText: 'old', newText: 'new' },
      ],
    },
  );
  assert.deepEqual(
    await updateOf({
      toolCall: { toolCallId: 'c', status: 'in_progress', diff: { path: '/n', newContent: 'n' } },
    }),
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'c',
      status: 'in_progress',
      content: [{ type: 'diff', path: '/n', oldText: null, newText: 'n' }],
    },
  );
});

test('steps are a plan, beside the session id and in an update', async () => {
  const steps = [
    { title: 'Read', status: 'completed' },
    { title: 'Write', status: 'pending' },
  ];
  const plan = {
    sessionUpdate: 'plan',
    entries: [
      { content: 'Read', priority: 'medium', status: 'completed' },
      { content: 'Write', priority: 'medium', status: 'pending' },
    ],
  };
  assert.deepEqual(await updateOf({ plan: { steps } }), plan);
  assert.deepEqual(await updateOf({ update: { sessionUpdate: 'plan', steps } }), plan);
});

test('several changes told at once are told in the order they were written', async () => {
  const seen = await told({
    sessionId: 's',
    currentModeId: 'plan',
    contentChunk: { id: 'p', index: 1, delta: 'a' },
    plan: { steps: [] },
    toolCall: { toolCallId: 'c', title: 'T' },
  });
  assert.deepEqual(
    seen.map(({ sessionId, update }) => [sessionId, update.sessionUpdate]),
    [
      ['s', 'current_mode_update'],
      ['s', 'agent_message_chunk'],
      ['s', 'plan'],
      ['s', 'tool_call'],
    ],
  );
});

test('an update beside the session id, and one without its kind', async () => {
  const update = { sessionUpdate: 'current_mode_update', currentModeId: 'm' };
  assert.deepEqual(await updateOf(update), update);
  assert.deepEqual(await updateOf({ update: { currentModeId: 'm' } }), update);
});

test('embedded resources, plan entries with ids, writing tools', async () => {
  assert.deepEqual(
    await updateOf({
      update: {
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'embedded_resource', uri: 'file:///a', text: 't', mimeType: 'text/x' },
      },
    }),
    {
      sessionUpdate: 'agent_message_chunk',
      content: {
        type: 'resource',
        resource: { uri: 'file:///a', text: 't', mimeType: 'text/x' },
      },
    },
  );
  assert.deepEqual(
    await updateOf({
      update: {
        sessionUpdate: 'tool_call',
        toolCallId: 'c',
        title: 'Write',
        kind: 'write',
        content: [{ type: 'embedded_resource', uri: 'file:///b', blob: 'AA==' }],
      },
    }),
    {
      sessionUpdate: 'tool_call',
      toolCallId: 'c',
      title: 'Write',
      kind: 'edit',
      content: [
        {
          type: 'content',
          content: { type: 'resource', resource: { uri: 'file:///b', blob: 'AA==' } },
        },
      ],
    },
  );
  assert.deepEqual(
    await updateOf({
      update: { sessionUpdate: 'plan', entries: [{ id: '1', content: 'Do', status: 'pending' }] },
    }),
    {
      sessionUpdate: 'plan',
      entries: [{ id: '1', content: 'Do', status: 'pending', priority: 'medium' }],
    },
  );
});

/** Asks permission with `params` and has the user choose. */
async function asked(
  params: object,
  choose: (request: schema.RequestPermissionRequest) => string | undefined,
): Promise<{ readonly request: schema.RequestPermissionRequest; readonly response: Received }> {
  const requests: schema.RequestPermissionRequest[] = [];
  const peer = new RawPeer({
    requestPermission: request => {
      requests.push(request);
      const optionId = choose(request);
      return Promise.resolve({
        outcome:
          optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId },
      });
    },
  });
  const response = await peer.ask('session/request_permission', { sessionId: 's', ...params });
  const [request] = requests;
  assert.ok(request);
  return { request, response };
}

const optionOfKind =
  (kind: string) =>
  ({ options }: schema.RequestPermissionRequest): string | undefined =>
    options.find(option => option.kind === kind)?.optionId;

test('a permission with an id and a title is answered with a decision', async () => {
  const params = {
    permissionId: 'p1',
    title: 'Run tests',
    kind: 'execute',
    content: [{ type: 'text', text: 'npm test' }],
  };
  const decisions: Record<string, object> = {
    allow_once: { decision: 'once' },
    allow_always: { decision: 'always' },
    reject_once: { decision: 'reject' },
    none: { decision: 'reject', cancelled: true },
  };
  for (const [kind, decision] of Object.entries(decisions)) {
    const { request, response } = await asked(params, optionOfKind(kind));
    assert.deepEqual(response['result'], decision, kind);
    assert.deepEqual(request.toolCall, {
      toolCallId: 'p1',
      title: 'Run tests',
      kind: 'execute',
      content: [{ type: 'content', content: { type: 'text', text: 'npm test' } }],
    });
  }
  const { request } = await asked({ ...params, toolCallId: 'c' }, () => undefined);
  assert.equal(request.toolCall.toolCallId, 'c');
});

test('a permission with options of its own is answered with one of them', async () => {
  const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }];
  const { request, response } = await asked(
    { permissionId: 'p', title: 'T', options },
    () => 'yes',
  );
  assert.deepEqual(request.toolCall, { toolCallId: 'p', title: 'T' });
  assert.deepEqual(response['result'], { outcome: { outcome: 'selected', optionId: 'yes' } });
});

test('a permission that is to be granted is granted, or not', async () => {
  const permission = { type: 'file_write', path: '/w/a.txt', content: 'new text' };
  for (const [kind, granted] of [
    ['allow_once', true],
    ['reject_once', false],
    ['none', false],
  ] as const) {
    const { request, response } = await asked({ permission }, optionOfKind(kind));
    assert.deepEqual(response['result'], { granted }, kind);
    assert.deepEqual(request.toolCall, {
      toolCallId: 'permission-1',
      title: 'Write /w/a.txt',
      kind: 'edit',
      rawInput: permission,
      locations: [{ path: '/w/a.txt' }],
      content: [
        {
          type: 'content',
          content: { type: 'resource', resource: { uri: '/w/a.txt', text: 'new text' } },
        },
      ],
    });
  }
  const other: [permission: object, title: string, kind: string][] = [
    [{ type: 'shell', command: 'ls -l' }, 'Run ls -l', 'execute'],
    [{ type: 'file_delete', path: '/w/a' }, 'Delete /w/a', 'delete'],
    [{ type: 'file_read', path: '/w/a' }, 'Read /w/a', 'read'],
    [{ type: 'use_camera' }, 'use camera', 'other'],
    [{}, '', 'other'],
  ];
  for (const [raw, title, kind] of other) {
    const { request } = await asked({ permission: raw }, () => undefined);
    assert.deepEqual([request.toolCall.title, request.toolCall.kind], [title, kind]);
  }
});

const terminalHandlers: Partial<ClientHandlers> = {
  createTerminal: () => Promise.resolve({ terminalId: 't' }),
  terminalOutput: () =>
    Promise.resolve({ output: 'out', truncated: false, exitStatus: { exitCode: 3, signal: null } }),
  waitForTerminalExit: () => Promise.resolve({ exitCode: null, signal: 'SIGTERM' }),
};

const reference = { sessionId: 's', terminalId: 't' };

test('terminals: the environment as an object, and the old name of the limit', async () => {
  const seen: unknown[] = [];
  const peer = new RawPeer({
    ...terminalHandlers,
    createTerminal: params => {
      seen.push(params);
      return Promise.resolve({ terminalId: 't' });
    },
  });
  const params = { sessionId: 's', command: 'ls', env: { A: 'b' }, outputBytesLimit: 5 };
  await peer.ask('terminal/create', params);
  assert.deepEqual(seen, [
    {
      sessionId: 's',
      command: 'ls',
      args: [],
      env: [{ name: 'A', value: 'b' }],
      outputByteLimit: 5,
    },
  ]);
});

test('terminals answer in the shape that the agent is known to use', async () => {
  const schemaOutput = {
    output: 'out',
    truncated: false,
    exitStatus: { exitCode: 3, signal: null },
  };
  const schemaExit = { exitCode: null, signal: 'SIGTERM' };
  const plain = new RawPeer(terminalHandlers);
  // An object as environment is no sign of the draft: agents of today write it too.
  await plain.ask('terminal/create', { sessionId: 's', command: 'ls', env: {} });
  assert.deepEqual((await plain.ask('terminal/output', reference))['result'], schemaOutput);
  assert.deepEqual((await plain.ask('terminal/wait_for_exit', reference))['result'], schemaExit);

  const signs: ((peer: RawPeer) => Promise<unknown>)[] = [
    peer => peer.ask('terminal/create', { sessionId: 's', command: 'ls', outputBytesLimit: 1 }),
    peer => {
      const chunk = { id: 'p', index: 0, delta: 'x' };
      peer.send({ method: 'session/update', params: { sessionId: 's', contentChunk: chunk } });
      return peer.ask('x', {});
    },
    peer =>
      answered(peer, peer.connection.initialize({ protocolVersion: 1 }), {
        protocolVersion: 1,
        agentCapabilities: { modes: true, plan: false },
      }),
    peer =>
      answered(peer, peer.connection.initialize({ protocolVersion: 1 }), {
        protocolVersion: 1,
        authMethods: ['none'],
      }),
    peer =>
      peer.ask('session/request_permission', { sessionId: 's', permissionId: 'p', title: 'T' }),
  ];
  for (const sign of signs) {
    const peer = new RawPeer({
      ...terminalHandlers,
      requestPermission: () => Promise.resolve({ outcome: { outcome: 'cancelled' } }),
    });
    await sign(peer);
    assert.deepEqual((await peer.ask('terminal/output', reference))['result'], {
      ...schemaOutput,
      exitCode: 3,
    });
    assert.deepEqual((await peer.ask('terminal/wait_for_exit', reference))['result'], {
      signal: 'SIGTERM',
    });
  }
});

test('methods of authentication as words, capabilities of the draft', async () => {
  const peer = new RawPeer();
  const initialized = await answered(peer, peer.connection.initialize({ protocolVersion: 1 }), {
    protocolVersion: 1,
    agentInfo: { name: 'a' },
    agentCapabilities: { modes: true, plan: true },
    authMethods: ['none', 'password', 'oauth', 'sso', { id: 'x', name: 'X' }, 5],
  });
  assert.deepEqual(initialized.agentCapabilities, { modes: true, plan: true });
  assert.deepEqual(initialized.authMethods, [
    { id: 'password', name: 'Password' },
    { id: 'oauth', name: 'Sign in with the browser' },
    { id: 'sso', name: 'sso' },
    { id: 'x', name: 'X' },
  ]);
});

test('sessions: modes as a list, models by id, options of the seeds', async () => {
  const peer = new RawPeer();
  const { connection } = peer;
  const params = { cwd: '/w', mcpServers: [] };
  const modes = [
    { id: 'code', name: 'Code' },
    { id: 'plan', name: 'Plan', description: 'Only plans' },
  ];
  const opened = { availableModes: modes, currentModeId: 'plan' };
  const made = await answered(peer, connection.newSession(params), {
    sessionId: 's',
    modes,
    currentModeId: 'plan',
  });
  assert.deepEqual(made.modes, opened);
  const loaded = await answered(peer, connection.loadSession({ ...params, sessionId: 's' }), {
    modes,
  });
  assert.deepEqual(loaded.modes, { ...opened, currentModeId: 'code' });

  const option = {
    id: 'auto_resume',
    name: 'Auto-resume sessions',
    description: 'Resume the last session on startup',
    type: 'select',
    currentValue: 'true',
    options: [
      { value: 'true', name: 'On' },
      { value: 'false', name: 'Off' },
    ],
  };
  const banjo = await answered(peer, connection.newSession(params), {
    sessionId: 's',
    configOptions: [option],
    models: {
      availableModels: [{ id: 'sonnet', name: 'Claude Sonnet', description: 'Fast' }],
      currentModelId: 'sonnet',
    },
  });
  assert.deepEqual(banjo.configOptions, [option]);
  assert.deepEqual(banjo.models, {
    availableModels: [{ modelId: 'sonnet', name: 'Claude Sonnet', description: 'Fast' }],
    currentModelId: 'sonnet',
  });
});

test('ends of turns by other names, and ends that are failures', async () => {
  const peer = new RawPeer();
  const end = (stopReason: string): Promise<schema.PromptResponse> =>
    answered(peer, peer.connection.prompt({ sessionId: 's', prompt: [] }), { stopReason });
  const names = {
    end_turn: 'end_turn',
    success: 'end_turn',
    canceled: 'cancelled',
    error_max_turns: 'max_turn_requests',
    bored: 'bored',
  };
  for (const [told, meant] of Object.entries(names)) {
    assert.equal((await end(told)).stopReason, meant);
  }
  await assert.rejects(end('auth_required'), (error: unknown) => {
    assert.ok(error instanceof RequestError);
    return error.code === ErrorCode.authRequired;
  });
  await assert.rejects(end('tool_error'), /A tool failed/);
});

test('an agent that speaks the draft is spoken to in it; others are not', async () => {
  const mcpServers: schema.McpServer[] = [
    { name: 'l', command: 'mcp', args: ['a'], env: [{ name: 'K', value: 'v' }] },
    { type: 'http', name: 'r', url: 'https://r.test', headers: [{ name: 'H', value: 'x' }] },
  ];
  const prompt: schema.ContentBlock[] = [
    { type: 'text', text: 'hi' },
    { type: 'resource', resource: { uri: 'file:///a', text: 't' } },
  ];
  const said = async (initialized: object): Promise<unknown[]> => {
    const peer = new RawPeer();
    const { connection } = peer;
    await answered(peer, connection.initialize({ protocolVersion: 1 }), {
      protocolVersion: 1,
      ...initialized,
    });
    const heard: Received[] = [];
    for (const ask of [
      () => connection.authenticate({ methodId: 'oauth' }),
      () => connection.newSession({ cwd: '/w', mcpServers }),
      () => connection.prompt({ sessionId: 's', prompt }),
    ]) {
      const answer = ask();
      const request = await peer.next();
      heard.push(request);
      peer.send({ id: request.id, result: { sessionId: 's' } });
      await answer;
    }
    if (!('authMethods' in initialized)) {
      assert.deepEqual(
        heard.flatMap(message => validateSent(JSON.stringify(message))),
        [],
      );
    }
    return heard.map(({ params }) => params);
  };
  assert.deepEqual(await said({ agentCapabilities: {} }), [
    { methodId: 'oauth' },
    { cwd: '/w', mcpServers },
    { sessionId: 's', prompt },
  ]);
  assert.deepEqual(await said({ authMethods: ['oauth'] }), [
    { methodId: 'oauth', method: 'oauth' },
    {
      cwd: '/w',
      mcpServers: [
        { type: 'local', name: 'l', command: 'mcp', args: ['a'], environment: { K: 'v' } },
        { type: 'remote', name: 'r', url: 'https://r.test', headers: { H: 'x' } },
      ],
    },
    {
      sessionId: 's',
      prompt,
      content: [
        { type: 'text', text: 'hi' },
        { type: 'embedded_resource', uri: 'file:///a', text: 't' },
      ],
    },
  ]);
});
