/** A conversation that the agent tells again, by `session/load`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { initialSession } from '../../../src/session/state/initialSession';
import type { SessionState, Turn } from '../../../src/session/state/state';
import { Contents, ContentsOfReplay } from '../../../src/session/translate/contents';
import { world } from './world';

test('a chat taken up again is replayed, also when Gemini replays it late', async t => {
  const opened = await world(
    {
      name: 'gemini-cli',
      capabilities: { loadSession: true },
      replay: [prompt('first'), answer('one')],
      lateReplay: [prompt('sec'), prompt('ond'), answer('two')],
    },
    { restore: earlier },
  );
  t.after(() => opened.end());
  await opened.chat.controller.connect();
  assert.deepEqual(conversation(opened.state), [
    ['first', 'one'],
    ['second', 'two'],
  ]);
});

test('what is written while a chat is taken up goes out once the whole of it is told', async t => {
  const opened = await world(
    {
      name: 'gemini-cli',
      capabilities: { loadSession: true },
      replay: [prompt('first'), answer('one')],
      lateReplay: [prompt('second'), answer('two')],
    },
    { connect: false, restore: earlier },
  );
  t.after(() => opened.end());
  opened.chat.controller.send('third');
  const state = await opened.until(
    ({ turns, activeTurn }) => !activeTurn && turns.at(-1)?.prompt?.text === 'third',
  );
  assert.deepEqual(conversation(state), [['first', 'one'], ['second', 'two'], ['third']]);
});

test('an agent that goes while it replays is gone', async t => {
  const opened = await world(
    {
      name: 'gemini-cli',
      capabilities: { loadSession: true },
      replay: [prompt('first')],
      exitsAfterLoad: 3,
    },
    { connect: false, restore: earlier },
  );
  t.after(() => opened.end());
  await opened.chat.controller.connect();
  await opened.until(({ connection }) => connection.kind === 'failed');
});

test('what is known of a conversation stays, unless the agent tells of a prompt that is not', async t => {
  const known = [turn('a', 'first'), turn('b', 'second, with a file'), turn('c', 'third')];
  const kept = [
    ['first', 'as it was'],
    ['second, with a file', 'as it was'],
    ['third', 'as it was'],
  ];
  const cases: readonly (readonly [string, readonly object[], readonly unknown[]])[] = [
    ['nothing at all', [], kept],
    [
      'the same, and what was attached',
      [prompt('first'), answer('1'), prompt('<f>second, with a file</f>'), prompt('third')],
      kept,
    ],
    ['less', [prompt('third'), answer('3')], kept],
    [
      'more',
      [prompt('first'), answer('1'), prompt('elsewhere'), answer('2')],
      [
        ['first', '1'],
        ['elsewhere', '2'],
      ],
    ],
    [
      'the same in another order',
      [prompt('third'), prompt('first')].flatMap(each => [each, answer('!')]),
      [
        ['third', '!'],
        ['first', '!'],
      ],
    ],
  ];
  for (const [what, replay, expected] of cases) {
    const opened = await world(
      { capabilities: { loadSession: true }, replay },
      { connect: false, restore: cwd => ({ ...earlier(cwd), turns: known }) },
    );
    t.after(() => opened.end());
    let shown = known.length;
    opened.chat.store.onDidApply(() => (shown = Math.min(shown, opened.state.turns.length)));
    await opened.chat.controller.connect();
    assert.equal(opened.state.connection.kind, 'ready');
    assert.deepEqual(conversation(opened.state), expected, what);
    assert.equal(shown, expected.length, 'nothing goes before it is known what comes');
    assert.equal(opened.state.turns === known, expected === kept, what);
  }
});

test('what is told of the session counts at once while its conversation is replayed', async t => {
  const models = { availableModels: [{ modelId: 'm' }, { modelId: 'n' }], currentModelId: 'm' };
  const modes = { availableModes: [{ id: 'ask' }, { id: 'code' }], currentModeId: 'ask' };
  const opened = await world(
    {
      name: 'gemini-cli',
      capabilities: { loadSession: true },
      opened: { models, modes },
      replay: [prompt('first')],
      lateReplay: [
        { sessionUpdate: 'current_model_update', currentModelId: 'n' },
        { sessionUpdate: 'current_mode_update', currentModeId: 'code' },
        { sessionUpdate: 'session_info_update', title: 'Renamed' },
        { sessionUpdate: 'usage_update', used: 1, size: 2 },
        { sessionUpdate: 'available_commands_update', availableCommands: [{ name: 'web' }] },
      ],
    },
    {
      connect: false,
      restore: cwd => ({ ...earlier(cwd), turns: [turn('a', 'first')] }),
    },
  );
  t.after(() => opened.end());
  await opened.chat.controller.connect();
  const { configOptions, title, usage, commands } = opened.state;
  assert.deepEqual(
    configOptions.map(({ category, value }) => [category, value]),
    [
      ['model', 'n'],
      ['mode', 'code'],
    ].sort(),
  );
  assert.equal(title, 'Renamed');
  assert.deepEqual(usage, { used: 1, size: 2 });
  assert.deepEqual(
    commands.map(({ name }) => name),
    ['web'],
  );
});

test('a replay fills in the texts that are not kept any more, and replaces none', () => {
  const known = new Contents();
  const replay = new ContentsOfReplay(known);
  const diff = (path: string) =>
    ({ kind: 'diff', diff: { path, oldText: null, newText: '' } }) as const;
  known.put('call/0', diff('/w/src/a.ts'));
  replay.put('call/0', diff('a.ts'));
  replay.put('call/1', diff('b.ts'));
  for (const contents of [known, replay]) {
    assert.deepEqual(contents.get('call/0'), diff('/w/src/a.ts'));
    assert.deepEqual(contents.get('call/1'), diff('b.ts'));
  }
});

function turn(id: string, text: string): Turn {
  return {
    id,
    prompt: { id: `${id}-prompt`, text, attachments: [] },
    parts: [{ kind: 'text', id: `${id}-text`, text: 'as it was' }],
    startedAt: 0,
    endedAt: 1,
    end: { reason: 'end_turn' },
  };
}

function earlier(cwd: string): SessionState {
  const chat = initialSession({ chatId: 'c', agentName: 'Program', cwd, at: 0 });
  return { ...chat, sessionId: 'old' };
}

function prompt(text: string): object {
  return { sessionUpdate: 'user_message_chunk', content: { type: 'text', text } };
}

function answer(text: string): object {
  return { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
}

function conversation({ turns }: SessionState): readonly (readonly (string | undefined)[])[] {
  return turns.map(turn => [
    turn.prompt?.text,
    ...turn.parts.map(part => (part.kind === 'text' ? part.text : part.kind)),
  ]);
}
