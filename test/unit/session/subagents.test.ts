import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Part } from '../../../src/session/state/state';
import { world } from './world';
import { choose } from './choose';

const say = (text: string, meta?: object) => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text },
  ...(meta && { _meta: meta }),
});
const think = (text: string, meta?: object) => ({
  ...say(text, meta),
  sessionUpdate: 'agent_thought_chunk',
});
const call = (toolCallId: string, status: string, meta?: object) => ({
  sessionUpdate: status === 'pending' ? 'tool_call' : 'tool_call_update',
  toolCallId,
  title: toolCallId,
  status,
  ...(meta && { _meta: meta }),
});

/** Each part as `lane: what`. */
const told = (parts: readonly Part[] = []) =>
  parts.map(part => {
    const lane = 'parentToolCallId' in part ? `${part.parentToolCallId}: ` : '';
    if (part.kind === 'tool') return `${lane}[${part.toolCallId} ${part.status}]`;
    return part.kind === 'text' || part.kind === 'thought' ? lane + part.text : lane + part.kind;
  });

test('what two subagents say at once stays apart, and apart from what their agent says', async () => {
  const it = await world();
  try {
    const a = { claudeCode: { toolName: 'Read', parentToolUseId: 'task-a' } };
    const b = { parentToolCallId: 'task-b' };
    const program = [
      say('I ask two.'),
      call('task-a', 'pending'),
      call('task-b', 'pending'),
      say('One ', a),
      say('Eins ', b),
      think('hm ', b),
      say('two', a),
      think('hmm', b),
      call('read', 'pending', a),
      call('read', 'completed'),
      say('Zwei', b),
      say('Both '),
      say('Deux', a),
      say('answered.'),
      call('task-a', 'completed'),
    ].map(update => ({ update }));
    const { turns } = await it.run(program);
    assert.deepEqual(told(turns[0]?.parts), [
      'I ask two.',
      '[task-a completed]',
      '[task-b cancelled]',
      'task-a: One two',
      'task-b: Eins ',
      'task-b: hm hmm',
      'task-a: [read completed]',
      'task-b: Zwei',
      'Both answered.',
      'task-a: Deux',
    ]);
    const thought = turns[0]?.parts[5];
    assert.ok(thought?.kind === 'thought' && thought.endedAt !== undefined);
  } finally {
    await it.end();
  }
});

test('a parent that nobody knows, or that stands under its own child, is none', async () => {
  const it = await world();
  try {
    const { turns } = await it.run(
      [
        say('Lost', { parentToolCallId: 'nowhere' }),
        call('self', 'pending', { parentToolCallId: 'self' }),
        call('outer', 'pending'),
        call('inner', 'pending', { parentToolCallId: 'outer' }),
        call('outer', 'in_progress', { parentToolCallId: 'inner' }),
      ].map(update => ({ update })),
    );
    assert.deepEqual(told(turns[0]?.parts), [
      'Lost',
      '[self cancelled]',
      '[outer completed]',
      'outer: [inner cancelled]',
    ]);
  } finally {
    await it.end();
  }
});

test('what a subagent still does when the turn is over stands where it was begun', async () => {
  const it = await world();
  try {
    await it.run([{ update: call('task', 'pending') }]);
    const under = { claudeCode: { parentToolUseId: 'task' } };
    const { turns } = await it.run([
      { update: say('A new turn. ') },
      { update: say('Still here', under) },
      { update: call('late', 'pending', under) },
      { update: call('late', 'completed', under) },
    ]);
    assert.deepEqual(told(turns[0]?.parts), [
      '[task cancelled]',
      'task: Still here',
      'task: [late completed]',
    ]);
    assert.deepEqual(told(turns[1]?.parts), ['A new turn. ']);
  } finally {
    await it.end();
  }
});

const from = (sessionId: string, update: object) => ({
  send: { method: 'session/update', params: { sessionId, update } },
});
const subagent = (sessionId: string, fields: object) => ({
  update: { sessionUpdate: 'subagent_update', sessionId, ...fields },
});

test('a session of a subagent is shown under its call, and changes nothing of the chat', async () => {
  const it = await world();
  try {
    const before = it.state;
    const { turns, plans, ...after } = await it.run([
      // Before it is told whose session it is.
      from('child', say('Early. ')),
      subagent('child', { title: 'Tester', state: { state: 'running' } }),
      from('child', {
        sessionUpdate: 'session_message',
        messageId: 'm',
        content: [{ type: 'text', text: 'Run the tests' }],
      }),
      from('child', say('They fail.')),
      from('child', { sessionUpdate: 'usage_update', used: 1, size: 2 }),
      from('child', {
        sessionUpdate: 'available_commands_update',
        availableCommands: [{ name: 'x', description: '' }],
      }),
      from('child', {
        sessionUpdate: 'plan',
        entries: [{ content: 'Look', priority: 'low', status: 'pending' }],
      }),
      from('child', call('run', 'pending')),
      from('child', {
        sessionUpdate: 'subagent_update',
        subagentSessionId: 'grandchild',
        name: 'Helper',
      }),
      from('grandchild', say('Helping.')),
      from('child', { sessionUpdate: 'session_info_update', title: 'Test runner' }),
      subagent('child', {
        state: { state: 'idle', stopReason: 'error', error: { code: -32603, message: 'No tests' } },
      }),
    ]);
    assert.deepEqual(told(turns[0]?.parts), [
      '[subagent:child failed]',
      'subagent:child: Early. They fail.',
      'subagent:child: [subagent:child/run cancelled]',
      'subagent:child: [subagent:grandchild cancelled]',
      'subagent:grandchild: Helping.',
    ]);
    const [tester] = turns[0]?.parts ?? [];
    assert.ok(tester?.kind === 'tool');
    assert.equal(tester.title, 'Test runner');
    assert.equal(tester.rawInput?.text, 'Run the tests');
    assert.deepEqual(
      tester.content.map(content => content.kind === 'block' && content.block),
      [{ kind: 'text', text: { text: 'No tests', truncated: false } }],
    );
    assert.equal(plans?.[0]?.planId, 'subagent:child');
    assert.deepEqual(after.usage, before.usage);
    assert.deepEqual(after.commands, before.commands);
    assert.equal(after.title, before.title);
  } finally {
    await it.end();
  }
});

test('what a subagent is asked in pieces is put together, and what sessions say to each other is not shown twice', async () => {
  const it = await world();
  try {
    const chunk = (words: string, fields: object = {}) => ({
      sessionUpdate: 'session_message_chunk',
      messageId: 'm',
      content: { type: 'text', text: words },
      ...fields,
    });
    const { turns } = await it.run([
      subagent('child', { title: 'Tester' }),
      from('child', chunk('Run ')),
      from('child', chunk('the tests')),
      { update: chunk('Run the tests', { recipientSessionId: 'child' }) },
    ]);
    const [tester] = turns[0]?.parts ?? [];
    assert.ok(tester?.kind === 'tool');
    assert.equal(tester.rawInput?.text, 'Run the tests');
    assert.equal(turns[0]?.parts.length, 1);
  } finally {
    await it.end();
  }
});

test('what a subagent asks is answered in the chat', async () => {
  const it = await world();
  try {
    it.send([
      subagent('child', { title: 'Writer' }),
      {
        ask: {
          method: 'session/request_permission',
          params: {
            sessionId: 'child',
            toolCall: { toolCallId: 'write', title: 'Write' },
            options: [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }],
          },
        },
      },
    ]);
    const { permissions, activeTurn } = await it.until(state => state.permissions.length > 0);
    assert.deepEqual(told(activeTurn?.parts), [
      '[subagent:child pending]',
      'subagent:child: [subagent:child/write awaiting]',
    ]);
    choose(it.chat.controller, permissions[0]?.id, 'yes');
    const { turns } = await it.until(state => !state.activeTurn);
    assert.match(told(turns[0]?.parts).join('\n'), /"optionId":"yes"/);
  } finally {
    await it.end();
  }
});

test("calls of the same id are told apart: the agent's, and those of each of its subagents", async () => {
  const it = await world();
  try {
    const a = { parentToolCallId: 'task-a' };
    const b = { parentToolCallId: 'task-b' };
    const { turns } = await it.run(
      [
        call('task-a', 'pending'),
        call('task-b', 'pending'),
        call('1', 'pending'),
        call('1', 'pending', a),
        call('1', 'pending', b),
        call('2', 'pending', a),
        call('2', 'pending', b),
        call('2', 'pending'),
        call('1', 'in_progress', a),
        call('1', 'failed', b),
        call('1', 'completed'),
        call('2', 'in_progress'),
        call('2', 'completed', a),
        call('2', 'failed', b),
        say('done'),
      ].map(update => ({ update })),
    );
    assert.deepEqual(told(turns[0]?.parts), [
      '[task-a cancelled]',
      '[task-b cancelled]',
      '[1 completed]',
      'task-a: [task-a/1 completed]',
      'task-b: [task-b/1 failed]',
      'task-a: [2 completed]',
      'task-b: [task-b/2 failed]',
      '[/2 completed]',
      'done',
    ]);
    // The next turn begins to count again.
    const next = await it.run([
      { update: call('2', 'pending') },
      { update: call('2', 'completed') },
    ]);
    assert.deepEqual(told(next.turns[1]?.parts), ['[2 completed]']);
    assert.deepEqual(told(next.turns[0]?.parts), told(turns[0]?.parts));
  } finally {
    await it.end();
  }
});

test('what sessions of subagents call by the same id is apart, and permission is for the one that asks', async () => {
  const it = await world();
  try {
    it.send([
      { update: call('1', 'pending') },
      subagent('a', { title: 'A', state: { state: 'running' } }),
      subagent('b', { title: 'B', state: { state: 'running' } }),
      from('a', call('1', 'pending')),
      from('b', call('1', 'pending')),
      from('b', call('1', 'in_progress')),
      from('b', call('2', 'pending', { parentToolCallId: '1' })),
      { update: call('1', 'completed') },
      {
        ask: {
          method: 'session/request_permission',
          params: {
            sessionId: 'a',
            toolCall: { toolCallId: '1' },
            options: [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }],
          },
        },
        quiet: true,
      },
      from('a', call('1', 'failed')),
    ]);
    const waiting = await it.until(state => state.permissions.length > 0);
    assert.deepEqual(told(waiting.activeTurn?.parts), [
      '[1 completed]',
      '[subagent:a running]',
      '[subagent:b running]',
      'subagent:a: [subagent:a/1 awaiting]',
      'subagent:b: [subagent:b/1 running]',
      'subagent:b/1: [subagent:b/2 pending]',
    ]);
    assert.equal(waiting.permissions[0]?.toolCallId, 'subagent:a/1');
    choose(it.chat.controller, waiting.permissions[0].id, 'yes');
    const { turns } = await it.until(state => !state.activeTurn);
    assert.equal(told(turns[0]?.parts)[3], 'subagent:a: [subagent:a/1 failed]');
    assert.equal(told(turns[0]?.parts)[0], '[1 completed]');
  } finally {
    await it.end();
  }
});
