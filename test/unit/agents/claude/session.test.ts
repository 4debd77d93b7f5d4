import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../workbench/eventually';
import { InMemoryCli, openSession, sessionWith } from './inMemoryCli';

const PROMPT = [{ type: 'text', text: 'go' }];
const DONE = { type: 'result', subtype: 'success', result: 'done' };

/** A session in which the CLI has got a prompt. */
async function prompted(answer?: Parameters<typeof openSession>[1]) {
  const cli = new InMemoryCli();
  const opened = await openSession(cli, answer);
  const turn = opened.session.prompt(PROMPT);
  // A test may look at how it ended later.
  turn.catch(() => undefined);
  const message = await eventually('the prompt', () => cli.received('user'));
  return { cli, turn, uuid: message['uuid'], ...opened };
}

function said(updates: readonly Readonly<Record<string, unknown>>[]): string {
  return updates
    .filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk')
    .map(({ content }) => (content as { readonly text: string }).text)
    .join('');
}

function delta(text: string) {
  return {
    type: 'stream_event',
    event: { type: 'content_block_delta', delta: { type: 'text_delta', text } },
  };
}

test('what came in pieces is not said again, and what did not is', async () => {
  const { cli, turn, updates } = await prompted();
  const message = { id: 'm1' };
  cli.say({ type: 'stream_event', event: { type: 'message_start', message } });
  for (const piece of ['Hel', 'lo ']) cli.say(delta(piece));
  cli.say({ type: 'assistant', message: { ...message, content: [text('Hello you')] } });
  cli.say({ type: 'assistant', message: { id: 'm2', content: [text('. More.')] } });
  cli.say(DONE);
  assert.deepEqual(await turn, { stopReason: 'end_turn' });
  assert.equal(said(updates), 'Hello you. More.');
});

test('the turn ends by the result of its own message', async () => {
  const { cli, turn, uuid } = await prompted();
  let isOver = false;
  void turn.then(() => (isOver = true));
  cli.say({ ...DONE, user_message_uuid: 'another' });
  cli.say({ ...DONE, origin: { kind: 'task-notification' } });
  cli.ask('in between', { subtype: 'of_tomorrow' });
  await eventually('what came between', () => cli.answer('in between'));
  assert.equal(isOver, false);
  cli.say({ ...DONE, user_message_uuid: uuid, stop_reason: 'max_tokens' });
  assert.deepEqual(await turn, { stopReason: 'max_tokens' });
});

test('what is said meanwhile is of the turn, which ends when all was answered', async () => {
  const { cli, turn, uuid, session } = await prompted();
  let isOver = false;
  void turn.then(() => (isOver = true));
  assert.equal(await session.steer([{ type: 'text', text: 'left' }]), true);
  const told = await eventually('the message', () => {
    const last = cli.received('user');
    return last?.['uuid'] === uuid ? undefined : last;
  });
  assert.equal(told['priority'], 'next');
  cli.say({ ...DONE, user_message_uuid: uuid });
  cli.ask('in between', { subtype: 'of_tomorrow' });
  await eventually('what came between', () => cli.answer('in between'));
  assert.equal(isOver, false);
  cli.say({ ...DONE, user_message_uuids: [told['uuid']] });
  assert.deepEqual(await turn, { stopReason: 'end_turn' });
  assert.equal(await session.steer(PROMPT), false, 'no turn runs');
});

test('a turn that is cancelled does not wait for what was said to it', async () => {
  const { cli, turn, uuid, session } = await prompted();
  await session.steer([{ type: 'text', text: 'left' }]);
  session.cancel();
  cli.say({ ...DONE, subtype: 'error_during_execution', user_message_uuid: uuid });
  assert.deepEqual(await turn, { stopReason: 'cancelled' });
});

test('a permission has the suggestions as an option, and each answer its meaning', async () => {
  const input = { command: 'npm test' };
  const rules = [{ toolName: 'Bash', ruleContent: 'npm test:*' }];
  const suggestion = { type: 'addRules', rules, behavior: 'allow', destination: 'localSettings' };
  const request = {
    subtype: 'can_use_tool',
    tool_name: 'Bash',
    tool_use_id: 'call',
    input,
    permission_suggestions: [suggestion],
  };
  const chosen = ['allow-once', 'allow-always', 'reject', undefined];
  let asked: Readonly<Record<string, unknown>> = {};
  const { cli } = await prompted((_method, params) => {
    asked = params;
    const optionId = chosen.shift();
    return { outcome: optionId ? { outcome: 'selected', optionId } : { outcome: 'cancelled' } };
  });
  const answers: unknown[] = [];
  for (const id of ['1', '2', '3', '4']) {
    cli.ask(id, request);
    answers.push((await eventually('the answer', () => cli.answer(id)))['response']);
  }
  const options = asked['options'] as readonly { readonly name: string; readonly kind: string }[];
  assert.deepEqual(
    options.map(({ name, kind }) => `${kind}: ${name}`),
    ['allow_once: Yes', "allow_always: Yes, and don't ask again for npm test:*", 'reject_once: No'],
  );
  const behaviors = answers.map(answer => answer as Readonly<Record<string, unknown>>);
  assert.deepEqual(
    behaviors.map(({ behavior }) => behavior),
    ['allow', 'allow', 'deny', 'deny'],
  );
  assert.deepEqual(behaviors[0]?.['updatedInput'], input);
  assert.deepEqual(behaviors[1]?.['updatedPermissions'], [suggestion]);
  assert.equal(behaviors[2]?.['interrupt'], undefined);
  assert.equal(behaviors[3]?.['interrupt'], true);
});

test('questions are a form, and its answers what the tool reads', async () => {
  const questions = [
    { question: 'Which colour?', header: 'Colour', options: [{ label: 'Red' }, { label: 'Blue' }] },
    {
      question: 'Which days?',
      header: 'Days',
      multiSelect: true,
      options: [{ label: 'Monday' }, { label: 'Friday, late' }],
    },
  ];
  const content = {
    question_0: 'Blue',
    question_0_own: 'a dark one',
    question_1: ['Monday', 'Friday, late'],
  };
  const { cli } = await prompted(() => ({ action: 'accept', content }));
  const tool = { tool_name: 'AskUserQuestion', tool_use_id: 'call', input: { questions } };
  cli.ask('1', { subtype: 'can_use_tool', ...tool });
  const { response } = await eventually('the answer', () => cli.answer('1'));
  assert.deepEqual(response, {
    behavior: 'allow',
    updatedInput: {
      questions,
      answers: { 'Which colour?': 'Blue', 'Which days?': 'Monday, "Friday, late"' },
      annotations: { 'Which colour?': { notes: 'a dark one' } },
    },
  });
});

test('options are the modes and models, and a change asks the CLI', async () => {
  const cli = new InMemoryCli();
  const { session, opened, updates } = await openSession(cli);
  const names = (state: unknown) =>
    (state as { configOptions: readonly { id: string; currentValue: string }[] }).configOptions.map(
      ({ id, currentValue }) => `${id}: ${currentValue}`,
    );
  assert.deepEqual(names(opened), ['mode: default', 'model: default']);
  assert.deepEqual(names(await session.set('model', 'large')), [
    'mode: default',
    'model: large',
    'effort: default',
  ]);
  assert.deepEqual(cli.received('control_request')?.['request'], {
    subtype: 'set_model',
    model: 'large',
  });
  await assert.rejects(session.set('mode', 'bypassPermissions'), /no option "mode"/);
  cli.say({ type: 'system', subtype: 'status', permissionMode: 'plan' });
  const changed = await eventually('the change', () => updates.at(-1));
  assert.deepEqual(names(changed), ['mode: plan', 'model: large', 'effort: default']);
});

test('cancelling interrupts, and the turn ends as cancelled', async () => {
  const { cli, session, turn } = await prompted();
  session.cancel();
  await eventually('the interrupt', () => {
    const request = cli.received('control_request')?.['request'] as { readonly subtype?: string };
    return request.subtype === 'interrupt';
  });
  cli.say({ type: 'result', subtype: 'error_during_execution', is_error: true, errors: [] });
  assert.deepEqual(await turn, { stopReason: 'cancelled' });
});

test('a failure says what the CLI says; without a sign-in it asks for one', async () => {
  const failed = await prompted();
  const failure = {
    ...DONE,
    is_error: true,
    result: 'API Error: overloaded',
    api_error_status: 529,
  };
  failed.cli.say(failure);
  await assert.rejects(failed.turn, { message: 'API Error: overloaded', data: { status: 529 } });
  const signedOut = await prompted();
  signedOut.cli.say({ ...DONE, is_error: true, result: 'Not logged in · Please run /login' });
  await assert.rejects(signedOut.turn, { code: -32000 });
});

test('a process that ends in a turn fails it, and the next prompt takes the session up', async () => {
  const { cli, turn, session, started, updates } = await prompted();
  await session.set('mode', 'plan');
  await session.set('model', 'large');
  await session.set('effort', 'high');
  const block = { type: 'tool_use', id: 'call', name: 'Bash', input: { command: 'sleep 9' } };
  cli.say({ type: 'assistant', message: { id: 'm', content: [block] } });
  cli.exit(7);
  await assert.rejects(turn, /ended with exit code 7/);
  assert.equal(updates.at(-1)?.['status'], 'failed');
  void session.prompt(PROMPT).catch(() => undefined);
  await eventually('the next start', () => started.length === 2);
  assert.deepEqual(started[1], [
    ...['--resume', 'session', '--permission-mode', 'plan'],
    ...['--model', 'large', '--effort', 'high'],
  ]);
});

test('a session that is given up before the CLI answers ends its process', async () => {
  const cli = new InMemoryCli(false);
  const { session } = sessionWith(cli);
  const opened = session.open(['--session-id', 'session']);
  const refused = assert.rejects(opened, /ended with exit code 0/);
  await eventually('the first request', () => cli.received('control_request'));
  await session.close();
  await refused;
});

test('a title that the user gives is the name of the session', async () => {
  const { cli, session } = await prompted();
  await session.rename('Mine');
  assert.deepEqual(cli.received('control_request')?.['request'], {
    subtype: 'rename_session',
    title: 'Mine',
    source: 'host',
  });
});

test('subagents in the background have the turn go on until the agent has heard of them', async () => {
  const { cli, turn, session, updates, uuid } = await prompted();
  const use = { type: 'tool_use', id: 'call', name: 'Agent', input: { description: 'Look' } };
  const result = { type: 'tool_result', tool_use_id: 'call', content: 'launched' };
  const working = { task_id: 'task', task_type: 'local_agent' };
  const tasks = (list: readonly object[]) =>
    cli.say({ type: 'system', subtype: 'background_tasks_changed', tasks: list });
  cli.say({ type: 'assistant', message: { id: 'm', content: [use] } });
  tasks([working]);
  cli.say({ type: 'system', subtype: 'task_started', task_id: 'task', tool_use_id: 'call' });
  const launched = { tool_use_result: { status: 'async_launched' } };
  cli.say({ type: 'user', message: { content: [result] }, ...launched });
  cli.say({ ...DONE, user_message_uuid: uuid });
  const call = await eventually('the call goes on', () =>
    updates.findLast(({ capabilities }) => capabilities !== undefined),
  );
  assert.deepEqual([call['status'], call['capabilities']], ['in_progress', { cancel: {} }]);
  await session.stopTask('call');
  assert.deepEqual(cli.received('control_request')?.['request'], {
    subtype: 'stop_task',
    task_id: 'task',
  });
  const ended = { task_id: 'task', tool_use_id: 'call', status: 'stopped', summary: 'Stopped' };
  cli.say({ type: 'system', subtype: 'task_notification', ...ended });
  tasks([]);
  cli.say({ ...DONE, origin: { kind: 'task-notification' } });
  assert.deepEqual(await turn, { stopReason: 'end_turn' });
  assert.equal(updates.findLast(({ toolCallId }) => toolCallId === 'call')?.['status'], 'failed');
});

test('a limit comes as claude-agent-acp says it, also before the context is known', async () => {
  const { cli, updates } = await prompted();
  const info = { status: 'allowed_warning', rateLimitType: 'five_hour', utilization: 0.83 };
  cli.say({ type: 'rate_limit_event', rate_limit_info: info });
  const update = await eventually('the limit', () => updates.at(-1));
  assert.deepEqual(update, {
    sessionUpdate: 'usage_update',
    used: 0,
    size: 0,
    _meta: { '_claude/rateLimit': info },
  });
});

function text(words: string) {
  return { type: 'text', text: words };
}
