import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../workbench/eventually';
import { InMemoryServer, openSession, THREAD, type Message } from './inMemoryServer';

/** A session in which the server has begun a turn. */
async function prompted(answer?: Parameters<typeof openSession>[1], server = new InMemoryServer()) {
  const opened = await openSession(server, answer);
  const turn = opened.prompt();
  // A test may look at how it ended later.
  turn.catch(() => undefined);
  await eventually('the prompt', () => server.received('turn/start'));
  const end = (turnState: Message = {}) =>
    server.notify('turn/completed', { turn: { id: 'turn', status: 'completed', ...turnState } });
  return { ...opened, turn, end };
}

function said(updates: readonly Message[]): string {
  return updates
    .filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk')
    .map(({ content }) => (content as { readonly text: string }).text)
    .join('');
}

function names(state: unknown): readonly string[] {
  const { configOptions } = state as {
    readonly configOptions: readonly { id: string; currentValue: string }[];
  };
  return configOptions.map(({ id, currentValue }) => `${id}: ${currentValue}`);
}

test('what came in pieces is not said again, and what did not is', async () => {
  const { server, turn, end, updates } = await prompted();
  for (const delta of ['Hel', 'lo ']) {
    server.notify('item/agentMessage/delta', { itemId: 'm1', delta });
  }
  for (const [id, text] of [
    ['m1', 'Hello you'],
    ['m2', '. More.'],
  ]) {
    server.notify('item/completed', { item: { type: 'agentMessage', id, text } });
  }
  end();
  assert.deepEqual(await turn, { stopReason: 'end_turn' });
  assert.equal(said(updates), 'Hello you. More.');
});

test('the output of a command is not said again in the end, however long it was', async () => {
  const { server, turn, end, updates } = await prompted();
  const command = { type: 'commandExecution', command: 'make', cwd: '/w', exitCode: 0 };
  const pieces = Array.from({ length: 30 }, (_, n) => `${n} ${'x'.repeat(10_000)}\n`);
  for (const [id, rest, whole] of [
    ['more', 'the end', `${pieces.join('')}the end`],
    ['same', undefined, pieces.join('')],
    ['other', 'another', 'another'],
    ['shorter', pieces.join('').slice(1000), pieces.join('').slice(1000)],
  ] as const) {
    const item = { ...command, id };
    server.notify('item/started', { item: { ...item, status: 'inProgress' } });
    for (const delta of pieces) {
      server.notify('item/commandExecution/outputDelta', { itemId: id, delta });
    }
    const last = { ...item, status: 'completed', aggregatedOutput: whole };
    server.notify('item/completed', { item: last });
    const isEnd = ({ toolCallId, status }: Message) => toolCallId === id && status === 'completed';
    await eventually('its end', () => updates.some(isEnd));
    const told = Object.values(updates.find(isEnd)?.['_meta'] as Record<string, Message>);
    assert.equal(told.find(({ data }) => data !== undefined)?.['data'], rest, id);
  }
  end();
  await turn;
});

test('the turn ends by its own end', async () => {
  const { server, turn, end } = await prompted();
  end({ id: 'another', status: 'interrupted' });
  server.say({ id: 'between', method: 'item/tool/call', params: {} });
  await eventually('what came between', () => server.answer('between'));
  end();
  assert.deepEqual(await turn, { stopReason: 'end_turn' });
});

test('decisions are those that are offered, and each answer is one of them', async () => {
  const rule = { acceptWithExecpolicyAmendment: { execpolicy_amendment: ['npm', 'test'] } };
  const params = {
    threadId: THREAD,
    itemId: 'call',
    command: '/bin/bash -lc "npm test"',
    cwd: '/w',
    availableDecisions: ['accept', rule, 'cancel'],
  };
  const chosen = ['accept', 'rule', 'cancel', undefined];
  let asked: Message = {};
  const { server } = await prompted((_method, request) => {
    asked = request;
    const optionId = chosen.shift();
    return { outcome: optionId ? { outcome: 'selected', optionId } : { outcome: 'cancelled' } };
  });
  const answers: unknown[] = [];
  for (const id of ['1', '2', '3', '4']) {
    server.say({ id, method: 'item/commandExecution/requestApproval', params });
    answers.push((await eventually('the answer', () => server.answer(id)))['result']);
  }
  const options = asked['options'] as readonly { readonly name: string; readonly kind: string }[];
  assert.deepEqual(
    options.map(({ name, kind }) => `${kind}: ${name}`),
    [
      'allow_once: Yes',
      "allow_always: Yes, and don't ask again for npm test",
      'reject_once: No, and stop',
    ],
  );
  assert.equal((asked['toolCall'] as Message)['title'], 'npm test');
  assert.deepEqual(
    answers,
    ['accept', rule, 'cancel', 'cancel'].map(decision => ({ decision })),
  );
});

test('requests of the older form are answered in theirs', async () => {
  const optionIds = ['accept', 'session', 'decline'];
  const { server } = await prompted(() => ({
    outcome: { outcome: 'selected', optionId: optionIds.shift() },
  }));
  const params = { conversationId: THREAD, callId: 'c', command: ['bash', '-lc', 'ls'], cwd: '/w' };
  const answers: unknown[] = [];
  for (const id of ['1', '2', '3']) {
    server.say({ id, method: 'execCommandApproval', params });
    answers.push((await eventually('the answer', () => server.answer(id)))['result']);
  }
  assert.deepEqual(answers.slice(0, 2), [
    { decision: 'approved' },
    { decision: 'approved_for_session' },
  ]);
  assert.match(JSON.stringify(answers[2]), /"denied":\{"rejection":/);
});

test('what is answered elsewhere is asked no more, and is not answered again', async () => {
  const { server } = await prompted(() => new Promise(() => undefined));
  const params = { threadId: THREAD, itemId: 'f' };
  server.say({ id: 'f', method: 'item/fileChange/requestApproval', params });
  server.notify('serverRequest/resolved', { requestId: 'f' });
  server.say({ id: 'after', method: 'item/tool/call', params: {} });
  await eventually('what came after it', () => server.answer('after'));
  assert.equal(server.answer('f'), undefined);
});

test('questions are a form, and its answers what the tool reads', async () => {
  const questions = [
    { id: 'colour', header: 'Colour', question: 'Which?', options: [{ label: 'Red' }] },
    { id: 'name', header: 'Name', question: 'What name?', options: null },
  ];
  const content = { colour: 'Red', colour_own: 'a dark one', name: 'Rose' };
  const { server } = await prompted(() => ({ action: 'accept', content }));
  const params = { threadId: THREAD, itemId: 'q', questions };
  server.say({ id: 'q', method: 'item/tool/requestUserInput', params });
  const { result } = await eventually('the answer', () => server.answer('q'));
  assert.deepEqual(result, {
    answers: { colour: { answers: ['Red', 'a dark one'] }, name: { answers: ['Rose'] } },
  });
});

test('what an MCP server asks is a form, and its tools are asked about as any call', async () => {
  const asked: string[] = [];
  const { server } = await prompted(method => {
    asked.push(method);
    return method === 'elicitation/create'
      ? { action: 'accept', content: { name: 'x' } }
      : { outcome: { outcome: 'selected', optionId: 'session' } };
  });
  const params = {
    threadId: THREAD,
    serverName: 'files',
    mode: 'form',
    message: 'Which?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
  };
  const _meta = { codex_approval_kind: 'mcp_tool_call', persist: ['session'], tool_name: 'read' };
  server.say({ id: 'form', method: 'mcpServer/elicitation/request', params });
  const { result: form } = await eventually('the form', () => server.answer('form'));
  server.say({ id: 'tool', method: 'mcpServer/elicitation/request', params: { ...params, _meta } });
  const { result: tool } = await eventually('the approval', () => server.answer('tool'));
  assert.deepEqual(asked, ['elicitation/create', 'session/request_permission']);
  assert.deepEqual(form, { action: 'accept', content: { name: 'x' }, _meta: null });
  assert.deepEqual(tool, { action: 'accept', content: {}, _meta: { persist: 'session' } });
});

test('options are what the thread has, and a change asks the server', async () => {
  const { server, opened, ask, updates } = await openSession();
  assert.deepEqual(names(opened), [
    'mode: default',
    'model: small',
    'effort: low',
    'approval: on-request',
    'sandbox: workspaceWrite',
  ]);
  const set = (configId: string, value: string) =>
    ask('session/set_config_option', { configId, value });
  await set('sandbox', 'dangerFullAccess');
  assert.deepEqual(server.received('thread/settings/update'), {
    threadId: THREAD,
    sandboxPolicy: { type: 'dangerFullAccess' },
  });
  // What the user's configuration adds to it stays.
  await set('sandbox', 'workspaceWrite');
  assert.deepEqual(server.received('thread/settings/update')?.['sandboxPolicy'], {
    type: 'workspaceWrite',
    writableRoots: ['/more'],
    networkAccess: true,
  });
  await assert.rejects(set('approval', 'sometimes'), /no option "approval"/);
  const changed = { model: 'plain', collaborationMode: { mode: 'plan' } };
  server.notify('thread/settings/updated', { threadSettings: changed });
  const update = await eventually('the change', () =>
    updates.find(({ sessionUpdate }) => sessionUpdate === 'config_option_update'),
  );
  assert.deepEqual(names(update).slice(0, 2), ['mode: plan', 'model: plain']);
});

test('cancelling interrupts, and the turn ends as cancelled', async () => {
  const { server, agent, turn, end } = await prompted();
  agent.notification('session/cancel', { sessionId: THREAD });
  await eventually('the interrupt', () => server.received('turn/interrupt'));
  end({ status: 'interrupted' });
  assert.deepEqual(await turn, { stopReason: 'cancelled' });
});

test('a command that the interrupt has missed is stopped, and an earlier one goes on', async () => {
  const [old, left] = [
    { itemId: 'old', processId: '1' },
    { itemId: 'left', processId: '2' },
  ];
  const server = new InMemoryServer({ 'thread/backgroundTerminals/list': { data: [old, left] } });
  const { agent, prompt, updates } = await openSession(server);
  const hasCall = (id: string) => updates.some(({ toolCallId }) => toolCallId === id);
  const begin = async (id: string) => {
    const turn = prompt();
    const isBegun = () => JSON.stringify(server.received('turn/start')) !== undefined;
    await eventually('the prompt', isBegun);
    const item = { type: 'commandExecution', id, command: 'tail -f x', status: 'inProgress' };
    server.notify('item/started', { item });
    await eventually('the call', () => hasCall(id));
    return { turn };
  };
  const first = await begin('old');
  server.notify('turn/completed', { turn: { id: 'turn', status: 'completed' } });
  await first.turn;
  assert.deepEqual(updates.at(-1)?.['background'], [{ type: 'tool_call', toolCallId: 'old' }]);
  const second = await begin('left');
  agent.notification('session/cancel', { sessionId: THREAD });
  await eventually('the interrupt', () => server.received('turn/interrupt'));
  server.notify('turn/completed', { turn: { id: 'turn', status: 'interrupted' } });
  assert.deepEqual(await second.turn, { stopReason: 'cancelled' });
  assert.deepEqual(server.received('thread/backgroundTerminals/terminate'), {
    threadId: THREAD,
    processId: '2',
  });
});

test('a message steers the turn that runs; where none runs it is for a prompt', async () => {
  const { server, ask, turn, end } = await prompted();
  const steer = () =>
    ask('_session/steering', {
      prompt: [{ type: 'text', text: 'and this' }],
      _meta: { steering: { idleBehavior: 'promptRequired' } },
    });
  assert.deepEqual(await steer(), { outcome: 'injected' });
  assert.deepEqual(server.received('turn/steer'), {
    threadId: THREAD,
    expectedTurnId: 'turn',
    input: [{ type: 'text', text: 'and this', text_elements: [] }],
  });
  end();
  await turn;
  assert.equal((await steer())['outcome'], 'promptRequired');
});

test('slash commands are those of the server, and skills', async () => {
  const { server, prompt, updates } = await openSession();
  const commands = await eventually('the commands', () => updates[0]?.['availableCommands']);
  assert.deepEqual(
    (commands as readonly { readonly name: string }[]).map(({ name }) => name),
    ['compact', 'review', 'polish'],
  );
  const begin = async (text: string, method: string) => {
    const turn = prompt(text);
    const params = await eventually(method, () => server.received(method));
    server.notify('turn/started', { turn: { id: 'turn' } });
    server.notify('turn/completed', { turn: { id: 'turn', status: 'completed' } });
    await turn;
    return params;
  };
  await begin('/compact', 'thread/compact/start');
  const { target } = await begin('/review the tests', 'review/start');
  assert.deepEqual(target, { type: 'custom', instructions: 'the tests' });
  const { input } = await begin('/polish it', 'turn/start');
  assert.deepEqual(input, [
    { type: 'skill', name: 'polish', path: '/s' },
    { type: 'text', text: '$polish it', text_elements: [] },
  ]);
});

test('a plan that the user agrees to is carried out in the same turn of the chat', async () => {
  const { server, ask, prompt, updates } = await openSession(undefined, () => ({
    outcome: { outcome: 'selected', optionId: 'implement' },
  }));
  await ask('session/set_config_option', { configId: 'mode', value: 'plan' });
  const turn = prompt();
  await eventually('the prompt', () => server.received('turn/start'));
  server.notify('item/completed', { item: { type: 'plan', id: 'p', text: '# The plan' } });
  server.notify('turn/completed', { turn: { id: 'turn', status: 'completed' } });
  const next = await eventually('the next turn', () => {
    const started = server.received('turn/start');
    return JSON.stringify(started).includes('Implement the plan.') && started;
  });
  assert.ok(next);
  server.notify('turn/completed', { turn: { id: 'turn', status: 'completed' } });
  assert.deepEqual(await turn, { stopReason: 'end_turn' });
  const { plan } = updates.find(({ sessionUpdate }) => sessionUpdate === 'plan_update') ?? {};
  assert.deepEqual(plan, { type: 'markdown', planId: 'plan-mode', content: '# The plan' });
});

test('a failure says what the server says, with what it means', async () => {
  const failed = await prompted();
  const error = { message: 'Too much', codexErrorInfo: 'usageLimitExceeded' };
  failed.end({ status: 'failed', error });
  await assert.rejects(failed.turn, { message: 'Too much', data: { status: 429 } });
  const signedOut = await prompted();
  signedOut.end({ status: 'failed', error: { message: 'no', codexErrorInfo: 'unauthorized' } });
  await assert.rejects(signedOut.turn, { code: -32_000 });
});

test('without a sign-in nothing is sent', async () => {
  const account = { account: null, requiresOpenaiAuth: true };
  const { server, prompt } = await openSession(new InMemoryServer({ 'account/read': account }));
  await assert.rejects(prompt(), { code: -32_000 });
  assert.equal(server.received('turn/start'), undefined);
});

test('a server that ends in a turn fails it, and the next prompt takes the thread up', async () => {
  const next = new InMemoryServer();
  const server = new InMemoryServer();
  const { ask, prompt, updates } = await openSession(server, undefined, [next]);
  await ask('session/set_config_option', { configId: 'model', value: 'plain' });
  const turn = prompt();
  turn.catch(() => undefined);
  await eventually('the prompt', () => server.received('turn/start'));
  server.notify('turn/started', { turn: { id: 'turn' } });
  const item = { type: 'commandExecution', id: 'c', command: 'sleep 9', status: 'inProgress' };
  server.notify('item/started', { item });
  await eventually('the call', () => updates.at(-1)?.['toolCallId'] === 'c');
  server.exit(7);
  await assert.rejects(turn, /Codex ended with exit code 7/);
  assert.equal(updates.at(-1)?.['status'], 'failed');
  const again = prompt();
  await eventually('the next prompt', () => next.received('turn/start'));
  assert.equal(next.received('thread/resume')?.['threadId'], THREAD);
  assert.equal(next.received('thread/settings/update')?.['model'], 'plain');
  next.notify('turn/completed', { turn: { id: 'turn', status: 'completed' } });
  assert.deepEqual(await again, { stopReason: 'end_turn' });
});

test('the windows of the subscription come with the use of the context', async () => {
  const { server, updates, turn, end } = await prompted();
  const primary = { usedPercent: 83, windowDurationMins: 300, resetsAt: 1_796_090_000 };
  const secondary = { usedPercent: 104, windowDurationMins: 10_080, resetsAt: null };
  server.notify('account/rateLimits/updated', { rateLimits: { primary, secondary } });
  end();
  await turn;
  const said = updates.filter(({ sessionUpdate }) => sessionUpdate === 'usage_update');
  assert.deepEqual(
    said.map(({ _meta }) => (_meta as Message)['_claude/rateLimit']),
    [
      {
        status: 'allowed_warning',
        rateLimitType: 'five_hour',
        utilization: 0.83,
        resetsAt: 1_796_090_000,
      },
      { status: 'rejected', rateLimitType: 'seven_day', utilization: 1 },
    ],
  );
});

test('who has a subscription sees its windows as a chat opens', async () => {
  const primary = { usedPercent: 12, windowDurationMins: 300 };
  const server = new InMemoryServer({
    'account/read': { account: { type: 'chatgpt' } },
    'account/rateLimits/read': { rateLimits: { primary } },
  });
  const { updates } = await openSession(server);
  const shown = await eventually('the window', () =>
    updates.find(({ sessionUpdate }) => sessionUpdate === 'usage_update'),
  );
  assert.match(JSON.stringify(shown), /"utilization":0\.12/);
});

test('sessions are listed, renamed, archived and forked', async () => {
  const thread = {
    id: 't',
    cwd: '/w',
    name: null,
    preview: 'first words',
    updatedAt: 1_796_082_146,
  };
  const server = new InMemoryServer({ 'thread/list': { data: [thread], nextCursor: 'more' } });
  const { ask } = await openSession(server);
  assert.deepEqual(await ask('session/list', { cwd: '/w' }), {
    sessions: [
      {
        sessionId: 't',
        cwd: '/w',
        title: 'first words',
        updatedAt: '2026-11-30T23:42:26.000Z',
        archived: false,
      },
    ],
    nextCursor: 'more',
  });
  await ask('session/set_title', { title: 'Mine' });
  assert.deepEqual(server.received('thread/name/set'), { threadId: THREAD, name: 'Mine' });
  const forked = await ask('session/fork', { cwd: '/w', mcpServers: [] });
  assert.equal(forked['sessionId'], THREAD);
  const archived = await ask('session/list', { archived: 'only' });
  assert.equal(server.received('thread/list')?.['archived'], true);
  assert.match(JSON.stringify(archived), /"archived":true/);
  await assert.rejects(ask('session/list', { archived: 'include' }), { code: -32_602 });
  await ask('session/unarchive');
  assert.deepEqual(server.received('thread/unarchive'), { threadId: THREAD });
  await ask('session/archive');
  assert.deepEqual(server.received('thread/archive'), { threadId: THREAD });
  await assert.rejects(ask('session/prompt', { prompt: [] }), { code: -32_002 });
});
