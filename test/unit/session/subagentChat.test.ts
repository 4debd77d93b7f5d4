import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { SessionAction } from '../../../src/session/state/actions';
import { ownParts, partsUnder } from '../../../src/session/state/lanes';
import { reduce } from '../../../src/session/state/reducer';
import { allTurns } from '../../../src/session/state/selectors';
import type { Part, SessionState } from '../../../src/session/state/state';
import { subagentChat } from '../../../src/session/state/subagent';
import { anyAction, START } from './arbitraries';

type Call = Extract<SessionAction, { type: 'toolCallChanged' }>;

const call = (toolCallId: string, fields: Partial<Call> = {}): Call => ({
  type: 'toolCallChanged',
  turnId: 'turn',
  partId: `p-${toolCallId}`,
  toolCallId,
  announced: true,
  title: toolCallId,
  status: 'running',
  at: 1,
  ...fields,
});

const say = (text: string, parentToolCallId?: string): SessionAction => ({
  type: 'chunkReceived',
  stream: 'text',
  turnId: 'turn',
  partId: `p-${text}`,
  text,
  at: 2,
  ...(parentToolCallId !== undefined && { parentToolCallId }),
});

const block = (text: string) => ({
  kind: 'block' as const,
  block: { kind: 'text' as const, text: { text, truncated: false } },
});

const input = (value: unknown) => ({ text: JSON.stringify(value), truncated: false });

const asks = (id: string, toolCallId: string): SessionAction => ({
  type: 'permissionRequested',
  request: {
    id,
    toolCallId,
    title: id,
    options: [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }],
    requestedAt: 3,
  },
});

const sent: SessionAction = {
  type: 'turnStarted',
  turnId: 'turn',
  prompt: { id: 'prompt', text: 'Go', attachments: [] },
  at: 0,
};

const told = (...actions: readonly SessionAction[]): SessionState =>
  [sent, ...actions].reduce(reduce, START);

/** The only turn of a subagent's conversation, and each of its parts in a word. */
function shown(state: SessionState, toolCallId: string) {
  const chat = subagentChat(state, 'turn', `p-${toolCallId}`);
  const [turn, ...others] = chat ? allTurns(chat.session) : [];
  assert.equal(others.length, 0);
  return { ...chat, turn, says: turn && ownParts(turn).map(word) };
}

function word(part: Part): string {
  switch (part.kind) {
    case 'user':
      return `asked: ${part.message.text}`;
    case 'content':
      return part.block.kind === 'text' ? `brought: ${part.block.text.text}` : part.block.kind;
    case 'tool':
      return `[${part.toolCallId}]`;
    default:
      return 'text' in part ? part.text : part.kind;
  }
}

test('the conversation of a subagent has its task, and what it said and did', () => {
  const state = told(
    say('I ask one.'),
    call('task', { rawInput: input({ description: 'Tests', prompt: 'Write "tests".\n' }) }),
    say('Looking.', 'task'),
    call('read', { parentToolCallId: 'task' }),
    say('Meanwhile.'),
    call('other'),
    say('Not mine.', 'other'),
    say('Found.', 'task'),
  );
  const { call: own, session, turn, says } = shown(state, 'task');
  assert.deepEqual(says, ['asked: Write "tests".\n', 'Looking.', '[read]', 'Found.']);
  assert.equal(own?.toolCallId, 'task');
  assert.equal(session?.title, 'task');
  assert.notEqual(session.chatId, state.chatId);
  assert.equal(session.activeTurn, turn, 'it runs');
  assert.equal(turn?.prompt, undefined, 'nothing that could be sent again');
  assert.equal(shown(state, 'read').turn, undefined, 'a call is no subagent');
  assert.equal(subagentChat(state, 'turn', 'gone'), undefined);
  assert.equal(subagentChat(state, 'gone', 'p-task'), undefined);
});

test('its parts are the same while they are, so that they are not drawn again', () => {
  const before = told(
    call('task'),
    say('One.', 'task'),
    call('read', { parentToolCallId: 'task' }),
  );
  const parts = (state: SessionState) => shown(state, 'task').turn?.parts ?? [];
  const elsewhere = reduce(before, {
    type: 'backgroundChanged',
    items: [{ kind: 'call', id: 'task' }],
  });
  assert.equal(parts(elsewhere), parts(before));
  const after = reduce(before, say('Two.', 'task'));
  assert.equal(parts(after).length, parts(before).length + 1);
  for (const [index, part] of parts(before).entries()) assert.equal(parts(after)[index], part);
});

test('a subagent of a subagent stands under its call, and opens from there', () => {
  const state = told(
    call('outer'),
    call('inner', { parentToolCallId: 'outer' }),
    say('Deep.', 'inner'),
    call('run', { parentToolCallId: 'inner' }),
    asks('ask', 'run'),
  );
  const { turn, says, session } = shown(state, 'outer');
  assert.deepEqual(says, ['[inner]']);
  assert.deepEqual(turn && partsUnder(turn, 'inner').map(word), ['Deep.', '[run]']);
  assert.equal(session?.permissions.length, 1);
  const inner = shown(state, 'inner');
  assert.deepEqual(inner.says, ['Deep.', '[run]']);
  assert.equal(inner.session?.permissions[0]?.id, 'ask');
});

test('what waits in it is its own alone', () => {
  const state = told(
    call('task'),
    call('run', { parentToolCallId: 'task' }),
    call('own'),
    asks('mine', 'run'),
    asks('not mine', 'own'),
    asks('of the call itself', 'task'),
  );
  const ids = shown(state, 'task').session?.permissions.map(({ id }) => id);
  assert.deepEqual(ids, ['mine']);
});

test('an id that a later turn uses again is asked about there', () => {
  const ended: SessionAction = {
    type: 'turnEnded',
    end: { reason: 'end_turn' },
    planPartId: 'plan',
    at: 5,
  };
  const later = { turnId: 'later', partId: 'later' };
  const state = told(
    call('task'),
    call('run', { parentToolCallId: 'task' }),
    ended,
    { ...sent, turnId: 'later' },
    call('run', later),
    asks('ask', 'run'),
  );
  const { session } = shown(state, 'task');
  assert.deepEqual(session?.permissions, []);
  assert.equal(session.activeTurn, undefined, 'it ended with its turn');
});

test('what it has brought stands at the end, unless it said so', () => {
  const done = (text: string): Call =>
    call('task', { announced: false, status: 'completed', content: [block(text)] });
  const begun = [
    call('task', { rawInput: input({ prompt: 'Count.' }), content: [block('Count.')] }),
    say('I count.', 'task'),
  ];
  assert.deepEqual(shown(told(...begun), 'task').says, ['asked: Count.', 'I count.']);
  assert.deepEqual(shown(told(...begun, done('Seven.')), 'task').says, [
    'asked: Count.',
    'I count.',
    'brought: Seven.',
  ]);
  assert.deepEqual(shown(told(...begun, done('I count. (2 tools)')), 'task').says, [
    'asked: Count.',
    'I count.',
  ]);
});

test('the task of a session is what it was asked, and a failure is told', () => {
  const child = (fields: Partial<Call>) =>
    call('subagent:child', { partId: 'p-child', announced: false, ...fields });
  const at = (state: SessionState) => shown(state, 'child').says;
  const described = [child({ content: [block('Writes tests.')] }), say('Hm.', 'subagent:child')];
  assert.deepEqual(at(told(...described)), ['asked: Writes tests.', 'Hm.']);
  const given = child({ rawInput: { text: 'Do "prompt": "x"', truncated: false } });
  assert.deepEqual(at(told(...described, given)), ['asked: Do "prompt": "x"', 'Hm.']);
  const failed = child({ status: 'failed', content: [block('Writes tests.'), block('No disk.')] });
  assert.deepEqual(at(told(...described, given, failed)), [
    'asked: Do "prompt": "x"',
    'Hm.',
    'brought: No disk.',
  ]);
  const plan = { planId: 'subagent:child', kind: 'steps' as const, entries: [] };
  const planned = told(
    ...described,
    { type: 'namedPlanChanged', plan },
    { type: 'namedPlanChanged', plan: { ...plan, planId: 'another' } },
  );
  assert.deepEqual(shown(planned, 'child').session?.plans, [plan]);
});

test('a task is read also from an input that was cut, wherever that is', () => {
  const whole = JSON.stringify({ prompt: 'Say "hé" \\ \u2028 and\n go', subagent_type: 'x' });
  for (let end = 12; end <= whole.length; end += 1) {
    const rawInput = { text: whole.slice(0, end), truncated: true };
    const { says } = shown(told(call('task', { rawInput }), say('Hm.', 'task')), 'task');
    const asked = says?.[0]?.replace('asked: ', '') ?? '';
    assert.ok('Say "hé" \\ \u2028 and\n go'.startsWith(asked), `${end}: ${asked}`);
  }
});

test('whatever happened, all under a call is in its conversation once, and nothing else', () => {
  fc.assert(
    fc.property(fc.array(anyAction, { maxLength: 60 }), actions => {
      const state = actions.reduce(reduce, START);
      for (const turn of allTurns(state)) {
        for (const part of turn.parts) {
          if (part.kind !== 'tool') continue;
          const chat = subagentChat(state, turn.id, part.id);
          const under = partsUnder(turn, part.toolCallId);
          assert.equal(chat !== undefined, under.length > 0);
          if (!chat) continue;
          const [own] = allTurns(chat.session);
          const isTold = ({ id }: Part) => !/#(?:task|result\d+)$/.test(id);
          const ids = (parts: readonly Part[]) => parts.filter(isTold).map(({ id }) => id);
          assert.deepEqual(own && ids(ownParts(own)), ids(under));
          assert.equal(new Set(own?.parts.map(({ id }) => id)).size, own?.parts.length);
        }
      }
    }),
  );
});
