/** What Cursor, Grok and Qwen Code ask in ways of their own, by the documentation of the first and what the others were seen to send. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ErrorCode } from '../../../src/acp/rpc/errors';
import type * as schema from '../../../src/acp/schema/schema';
import { RawPeer } from './rawPeer';

const call = (toolCallId: string) => ({ sessionUpdate: 'tool_call', toolCallId, title: 'T' });
const cursorQuestions = {
  toolCallId: 'c1',
  title: 'Need input',
  questions: [
    {
      id: 'mode',
      prompt: 'Which mode?',
      options: [
        { id: 'a', label: 'Agent' },
        { id: 'p', label: 'Plan' },
      ],
    },
    {
      id: 'checks',
      prompt: 'Which checks?',
      options: [
        { id: 't', label: 'Tests' },
        { id: 'l', label: 'Lint' },
      ],
      allowMultiple: true,
    },
  ],
};

async function asked(
  method: string,
  params: object,
  response: schema.CreateElicitationResponse,
): Promise<{
  readonly form: schema.CreateElicitationRequest | undefined;
  readonly result: unknown;
  /** Of the calls that the chat was told of. */
  readonly titles: readonly unknown[];
}> {
  let form: schema.CreateElicitationRequest | undefined;
  const titles: unknown[] = [];
  const peer = new RawPeer({
    sessionUpdate: ({ update }) => titles.push('title' in update && update.title),
    createElicitation: request => {
      form = request;
      return Promise.resolve(response);
    },
  });
  peer.send({ method: 'session/update', params: { sessionId: 'one', update: call('c1') } });
  peer.send({ method: 'session/update', params: { sessionId: 'two', update: call('c2') } });
  const { result } = await peer.ask(method, params);
  return { form, result, titles };
}

test('Cursor asks questions: a form in the chat of the call, answered with the options it named', async () => {
  const content = { q0: 'p', q1: ['t', 'l'] };
  const { form, result } = await asked('cursor/ask_question', cursorQuestions, {
    action: 'accept',
    content,
  });
  const { sessionId, toolCallId, message, requestedSchema } = form as unknown as {
    readonly [key: string]: unknown;
    readonly requestedSchema: { readonly properties: Record<string, Record<string, unknown>> };
  };
  assert.deepEqual([sessionId, toolCallId, message], ['one', 'c1', 'Need input']);
  const { q0, q1 } = requestedSchema.properties;
  assert.deepEqual(q0?.['oneOf'], [
    { const: 'a', title: 'Agent' },
    { const: 'p', title: 'Plan' },
  ]);
  assert.deepEqual([q1?.['type'], q1?.['title']], ['array', 'Which checks?']);
  const answers = [
    { questionId: 'mode', selectedOptionIds: ['p'] },
    { questionId: 'checks', selectedOptionIds: ['t', 'l'] },
  ];
  assert.deepEqual(result, { outcome: { outcome: 'answered', answers } });
  for (const [action, outcome] of [
    ['decline', 'skipped'],
    ['cancel', 'cancelled'],
  ] as const) {
    const no = await asked('cursor/ask_question', cursorQuestions, { action });
    assert.deepEqual(no.result, { outcome: { outcome } });
  }
});

test('Grok asks questions: answered by their texts', async () => {
  const params = {
    sessionId: 's',
    toolCallId: 'c',
    questions: [
      { question: 'Which?', options: [{ label: 'Red', description: 'the red one' }] },
      { question: 'What more?', options: [{ label: 'A' }, { label: 'B' }], multiSelect: true },
      { question: 'Why?' },
    ],
  };
  const content = { q0: 'Red', q1: ['A', 'B'], q2: 'so' };
  const method = '_x.ai/ask_user_question';
  const answers = { 'Which?': 'Red', 'What more?': ['A', 'B'], 'Why?': 'so' };
  for (const told of [params, { method: 'x.ai/ask_user_question', params }]) {
    const { form, result } = await asked(method, told, { action: 'accept', content });
    assert.equal((form as { readonly sessionId?: string }).sessionId, 's');
    assert.deepEqual(result, { outcome: 'accepted', answers, annotations: {} });
  }
  const { result } = await asked(method, params, { action: 'decline' });
  assert.deepEqual(result, { outcome: 'skip_interview' });
});

async function planned(method: string, params: object, optionId: string | undefined) {
  let request: schema.RequestPermissionRequest | undefined;
  const peer = new RawPeer({
    requestPermission: told => {
      request = told;
      return Promise.resolve({
        outcome:
          optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId },
      });
    },
  });
  peer.send({ method: 'session/update', params: { sessionId: 's', update: call('c') } });
  const { result } = await peer.ask(method, params);
  return { request, result };
}

test('a plan of Cursor or Grok is shown whole, and agreed to like anything that needs permission', async () => {
  const cursor = {
    toolCallId: 'c',
    name: 'Refactor tabs',
    overview: 'Tighten the layout.',
    plan: '1. Look\n2. Change',
    todos: [{ id: '1', content: 'Look at sizes', status: 'pending' }],
    phases: [{ name: 'Later', todos: [{ id: '2', content: 'Clean up', status: 'pending' }] }],
  };
  const { request } = await planned('cursor/create_plan', cursor, 'accept');
  assert.deepEqual([request?.sessionId, request?.toolCall.title], ['s', 'Refactor tabs']);
  const shown = JSON.stringify(request?.toolCall.content);
  for (const part of ['Tighten', '1. Look', 'Look at sizes', 'Later', 'Clean up']) {
    assert.ok(shown.includes(part), part);
  }
  const grok = { sessionId: 's', toolCallId: 'c', planContent: '# Plan' };
  for (const [optionId, ofCursor, ofGrok] of [
    ['accept', 'accepted', { outcome: 'approved' }],
    ['reject', 'rejected', { outcome: 'request_changes', feedback: '' }],
    [undefined, 'cancelled', { outcome: 'abandoned' }],
  ] as const) {
    const { result } = await planned('cursor/create_plan', cursor, optionId);
    assert.deepEqual(result, { outcome: { outcome: ofCursor } });
    assert.deepEqual((await planned('_x.ai/exit_plan_mode', grok, optionId)).result, ofGrok);
  }
});

test('the steps of Cursor are a plan, and only those that have changed are told anew', async () => {
  const plans: unknown[] = [];
  const peer = new RawPeer({
    sessionUpdate: ({ sessionId, update }) => {
      if (update.sessionUpdate !== 'plan') return;
      plans.push([sessionId, ...update.entries.map(entry => `${entry.content}: ${entry.status}`)]);
    },
  });
  peer.send({ method: 'session/update', params: { sessionId: 's', update: call('c') } });
  const method = 'cursor/update_todos';
  const todos = [
    { id: '1', content: 'one', status: 'in_progress' },
    { id: '2', content: 'two', status: 'pending' },
  ];
  const { result } = await peer.ask(method, { toolCallId: 'c', todos, merge: false });
  assert.deepEqual(result, { outcome: { outcome: 'accepted' } });
  const changed = [
    { id: '1', status: 'completed' },
    { id: '3', content: 'three', status: 'cancelled' },
  ];
  peer.send({ method, params: { toolCallId: 'c', todos: changed, merge: true } });
  await peer.ask('x', {});
  assert.deepEqual(plans, [
    ['s', 'one: in_progress', 'two: pending'],
    ['s', 'one: completed', 'two: pending', 'three: completed'],
  ]);
});

test('other methods of these agents, and parameters of no use, are refused as unknown', async () => {
  const peer = new RawPeer();
  peer.send({ method: 'session/update', params: { sessionId: 's', update: call('c') } });
  for (const [method, params] of [
    ['cursor/task', { toolCallId: 'c' }],
    ['cursor/ask_question', { questions: [] }],
    ['cursor/ask_question', null],
    ['cursor/create_plan', { plan: 7 }],
    ['cursor/update_todos', {}],
    ['_x.ai/exit_plan_mode', { sessionId: 's' }],
    ['other/ask_question', cursorQuestions],
  ] as const) {
    const { error } = await peer.ask(method, params);
    assert.equal((error as { readonly code: number }).code, ErrorCode.methodNotFound, method);
  }
});

test('Qwen Code asks questions as permission: a form, with the answers beside the permission', async () => {
  const questions = [
    { header: 'Colour', question: 'Which?', options: [{ label: 'Red' }, { label: 'Blue' }] },
    { question: 'What more?', options: [{ label: 'A' }, { label: 'B' }], multiSelect: true },
    { question: 'Why?', options: [] },
  ];
  const options = [
    { optionId: 'proceed_once', name: 'Submit', kind: 'allow_once' },
    { optionId: 'cancel', name: 'Cancel', kind: 'reject_once' },
  ];
  const toolCall = { toolCallId: 'c1', title: 'Ask user 3 questions', rawInput: { questions } };
  const method = 'session/request_permission';
  const content = { q0: 'Blue', q1: ['A', 'B'] };
  const answers = { 0: 'Blue', 1: 'A, B' };
  for (const _meta of [{ qwenQuestions: questions }, { toolName: 'ask_user_question' }]) {
    const params = { sessionId: 's', toolCall: { ...toolCall, _meta }, options };
    const { form, result, titles } = await asked(method, params, { action: 'accept', content });
    assert.equal((form as { readonly toolCallId?: string }).toolCallId, 'c1');
    assert.equal(titles.at(-1), 'Ask user 3 questions');
    assert.deepEqual(result, {
      outcome: { outcome: 'selected', optionId: 'proceed_once' },
      answers,
    });
    for (const [action, outcome] of [
      ['decline', { outcome: 'selected', optionId: 'cancel' }],
      ['cancel', { outcome: 'cancelled' }],
    ] as const) {
      assert.deepEqual((await asked(method, params, { action })).result, { outcome });
    }
  }
});

test('permission without questions stays permission, whatever tool it is for', async () => {
  for (const _meta of [{ toolName: 'ask_user_question' }, { qwenQuestions: [] }, undefined]) {
    let title: string | null | undefined;
    const peer = new RawPeer({
      requestPermission: ({ toolCall }) => {
        title = toolCall.title;
        return Promise.resolve({ outcome: { outcome: 'cancelled' } });
      },
    });
    const toolCall = { toolCallId: 'c', title: 'T', _meta };
    await peer.ask('session/request_permission', { sessionId: 's', toolCall, options: ['Yes'] });
    assert.equal(title, 'T');
  }
});
