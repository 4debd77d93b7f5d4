import assert from 'node:assert/strict';
import { inTurn, only, text, update, type ConformanceGroup } from '../conformanceCase';
import { kindsOf } from '../enumerate';

const select = (currentValue: string) => ({
  id: 'model',
  name: 'Model',
  category: 'model',
  type: 'select',
  currentValue,
  options: [
    { value: 'a', name: 'A' },
    { value: 'b', name: 'B' },
  ],
});

export const updates: ConformanceGroup = {
  title: 'Updates (`session/update`)',
  all: kindsOf('SessionUpdate'),
  cases: [
    inTurn(
      'user_message_chunk',
      'A replayed prompt begins its turn; an echo of the running one is not shown twice.',
      [update('user_message_chunk', { content: text('the prompt has this'), messageId: 'm' })],
      state => assert.deepEqual(state.turns[0]?.parts, []),
    ),
    inTurn(
      'agent_message_chunk',
      'Markdown that grows; a new message id begins a new paragraph.',
      [
        update('agent_message_chunk', { content: text('Hel'), messageId: 'a' }),
        update('agent_message_chunk', { content: text('lo'), messageId: 'a' }),
        update('agent_message_chunk', { content: text('Next'), messageId: 'b' }),
      ],
      state =>
        assert.deepEqual(
          state.turns[0]?.parts.map(part => part.kind === 'text' && [part.text, part.messageId]),
          [
            ['Hello', 'a'],
            ['Next', 'b'],
          ],
        ),
    ),
    inTurn(
      'agent_thought_chunk',
      'A thought, folded, with its time.',
      [update('agent_thought_chunk', { content: text('Hm') })],
      state => {
        const thought = only(state, 'thought');
        assert.equal(thought.text, 'Hm');
        assert.ok(thought.endedAt !== undefined);
      },
    ),
    inTurn(
      'tool_call',
      'A tool call with kind, state, places, content, raw input and output.',
      [
        update('tool_call', {
          toolCallId: 't',
          title: 'Read a.ts',
          kind: 'read',
          status: 'completed',
          locations: [{ path: '/w/a.ts', line: 3 }],
          rawInput: { path: 'a.ts' },
          rawOutput: { lines: 1 },
          content: [{ type: 'content', content: text('let a') }],
        }),
      ],
      state => {
        const call = only(state, 'tool');
        assert.deepEqual(
          [call.title, call.toolKind, call.status, call.locations],
          ['Read a.ts', 'read', 'completed', [{ path: '/w/a.ts', line: 3 }]],
        );
        assert.equal(call.content.length, 1);
        assert.match(call.rawInput?.text ?? '', /a\.ts/);
        assert.match(call.rawOutput?.text ?? '', /lines/);
      },
    ),
    inTurn(
      'tool_call_update',
      'Changes what it names of the call and leaves the rest.',
      [
        update('tool_call', { toolCallId: 't', title: 'Run', kind: 'execute', status: 'pending' }),
        update('tool_call_update', { toolCallId: 't', status: 'failed' }),
      ],
      state => {
        const { title, status } = only(state, 'tool');
        assert.deepEqual([title, status], ['Run', 'failed']);
      },
    ),
    inTurn(
      'plan',
      'The plan stands above the composer; a finished one becomes a part of its turn.',
      [
        update('plan', {
          entries: [{ content: 'First', priority: 'high', status: 'completed' }],
        }),
      ],
      state => assert.equal(only(state, 'plan').entries[0]?.content, 'First'),
    ),
    inTurn(
      'available_commands_update',
      'Commands are offered after `/`, with the hint of what to type.',
      [
        update('available_commands_update', {
          availableCommands: [{ name: 'web', description: 'Search', input: { hint: 'words' } }],
        }),
      ],
      state =>
        assert.deepEqual(state.commands, [{ name: 'web', description: 'Search', hint: 'words' }]),
    ),
    inTurn(
      'current_mode_update',
      'The mode in the footer follows.',
      [update('current_mode_update', { currentModeId: 'plan' })],
      state => assert.equal(state.configOptions[0]?.value, 'plan'),
      {
        opened: {
          modes: {
            currentModeId: 'ask',
            availableModes: [
              { id: 'ask', name: 'Ask' },
              { id: 'plan', name: 'Plan' },
            ],
          },
        },
      },
    ),
    inTurn(
      'config_option_update',
      "The options in the footer are replaced, in the agent's order.",
      [update('config_option_update', { configOptions: [select('b')] })],
      state => assert.equal(state.configOptions[0]?.value, 'b'),
      { opened: { configOptions: [select('a')] } },
    ),
    inTurn(
      'session_info_update',
      'The title of the chat; null takes it away.',
      [
        update('session_info_update', { title: 'Colours' }),
        update('session_info_update', { updatedAt: '2026-01-31T09:30:00Z' }),
      ],
      state => assert.equal(state.title, 'Colours'),
    ),
    inTurn(
      'usage_update',
      'A meter of the context, and the cost.',
      [update('usage_update', { used: 10, size: 100, cost: { amount: 0.5, currency: 'USD' } })],
      state =>
        assert.deepEqual(state.usage, {
          used: 10,
          size: 100,
          cost: { amount: 0.5, currency: 'USD' },
        }),
    ),
    inTurn(
      'notice',
      'A line in the chat, colored by its severity.',
      [update('notice', { severity: 'warning', title: 'Slow', description: 'Busy' })],
      state => {
        const { level, text: said, detail } = only(state, 'notice');
        assert.deepEqual([level, said, detail], ['warning', 'Slow', 'Busy']);
      },
    ),
    inTurn(
      'compaction_update',
      'A notice that changes in place as the compaction goes on.',
      [
        update('compaction_update', { compactionId: 'c', status: 'in_progress' }),
        update('compaction_update', {
          compactionId: 'c',
          status: 'completed',
          summary: [text('All of it')],
        }),
      ],
      state => {
        const notice = only(state, 'notice');
        assert.match(notice.text, /summarized/);
        assert.equal(notice.body, 'All of it');
      },
    ),
    inTurn(
      'compaction_summary_chunk',
      'The summary grows, folded into the notice of its compaction.',
      [
        update('compaction_summary_chunk', { compactionId: 'c', content: text('So ') }),
        update('compaction_summary_chunk', { compactionId: 'c', content: text('far') }),
        update('compaction_update', { compactionId: 'c', status: 'failed', error: 'Too long' }),
      ],
      state => {
        const notice = only(state, 'notice');
        assert.deepEqual(
          [notice.level, notice.body, notice.detail],
          ['warning', 'So far', 'Too long'],
        );
      },
    ),
  ],
};

export const draftUpdates: ConformanceGroup = {
  title: 'Updates outside the stable schema',
  cases: [
    inTurn(
      'plan_update',
      'A plan with a name: steps, a file or a text, beside the plan without one.',
      [
        update('plan_update', {
          plan: { type: 'items', planId: 'p', entries: [{ content: 'A', status: 'in_progress' }] },
        }),
        update('plan_update', { plan: { type: 'markdown', planId: 'q', content: '# B' } }),
        update('plan_update', { plan: { type: 'file', planId: 'r', uri: 'file:///w/plan.md' } }),
      ],
      state =>
        assert.deepEqual(state.plans, [
          {
            planId: 'p',
            kind: 'steps',
            entries: [{ content: 'A', priority: 'medium', status: 'in_progress' }],
          },
          { planId: 'q', kind: 'text', text: '# B' },
          { planId: 'r', kind: 'file', uri: 'file:///w/plan.md' },
        ]),
    ),
    inTurn(
      'plan_removed',
      'The plan with that name goes.',
      [
        update('plan_update', { plan: { type: 'markdown', planId: 'q', content: 'B' } }),
        update('plan_removed', { planId: 'q' }),
      ],
      state => assert.equal(state.plans, undefined),
    ),
    inTurn(
      'subagent_update',
      'A subagent is shown as a tool call that runs while it works, with what it does under it.',
      [
        update('subagent_update', {
          sessionId: 'child',
          title: 'Look it up',
          state: { state: 'running' },
        }),
        update('subagent_update', { sessionId: 'child', state: { state: 'idle' } }),
      ],
      state => {
        const { title, status } = only(state, 'tool');
        assert.deepEqual([title, status], ['Look it up', 'completed']);
      },
    ),
    inTurn(
      'current_model_update',
      'The model in the footer follows.',
      [update('current_model_update', { currentModelId: 'b' })],
      state => assert.equal(state.configOptions[0]?.value, 'b'),
      {
        opened: {
          models: {
            currentModelId: 'a',
            availableModels: [
              { modelId: 'a', name: 'A' },
              { modelId: 'b', name: 'B' },
            ],
          },
        },
      },
    ),
    inTurn(
      'any other kind',
      'Shown as it came, folded; the turn goes on.',
      [update('_vendor/news', { x: 1 })],
      state => assert.equal(only(state, 'content').block.kind, 'unknown'),
    ),
  ],
};
