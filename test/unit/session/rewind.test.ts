/** Going back to before a prompt, with a real agent process on the other side. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { world, type World } from './world';

const steps = (content: string) => [
  {
    update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: content } },
  },
  { respond: { stopReason: 'end_turn' } },
];

async function open(t: TestContext): Promise<World> {
  const opened = await world({});
  t.after(() => opened.end());
  return opened;
}

test('the turns from a prompt on go, its text comes back, and the agent begins anew', async t => {
  const { run, chat } = await open(t);
  await run(steps('one'));
  const { sessionId } = await run(steps('two'));
  const [first, second] = chat.store.state.turns;
  assert.ok(first && second?.prompt && sessionId);
  chat.controller.typeDraft('and this', 'view');
  await chat.controller.rewind(second.id);

  const { state } = chat.store;
  assert.deepEqual(state.turns[0], first);
  const told = state.turns.slice(1).flatMap(turn => turn.parts);
  assert.deepEqual(
    told.map(part => part.kind),
    ['notice'],
  );
  assert.equal(state.draft.text, `${second.prompt.text}\nand this`);
  assert.deepEqual(
    state.draft.attachments.map(({ kind }) => kind),
    ['conversation'],
    'what was said before goes along',
  );
  assert.equal(state.sessionId, undefined);
  assert.equal(state.connection.kind, 'stopped');

  const after = await run(steps('anew'));
  assert.ok(after.sessionId, 'a new session was made');
  assert.deepEqual(
    after.turns.at(-1)?.parts.map(part => part.kind === 'text' && part.text),
    ['anew'],
  );
});

test('before the first prompt nothing is left to tell', async t => {
  const { run, chat } = await open(t);
  const { turns } = await run(steps('one'));
  await chat.controller.rewind(turns[0]?.id ?? '');
  assert.deepEqual(chat.store.state.turns, []);
  assert.deepEqual(chat.store.state.draft.attachments, []);
});

test('while a turn runs, or for a turn that is gone, nothing happens', async t => {
  const { run, until, chat } = await open(t);
  await run(steps('one'));
  const before = chat.store.state;
  await chat.controller.rewind('gone');
  assert.equal(chat.store.state, before);

  const ended = run([{ waitCancel: true }, { respond: { stopReason: 'cancelled' } }]);
  await until(state => state.activeTurn);
  await chat.controller.rewind(before.turns[0]?.id ?? '');
  assert.equal(chat.store.state.turns.length, 1);
  chat.controller.stop();
  await ended;
});

test('a prompt that was changed is sent from where it stood, with what was said before', async t => {
  const prompts: string[] = [];
  let sessions = 0;
  const { run, until, chat, end } = await world(
    {},
    {
      tap: ({ direction, json }) => {
        if (direction !== 'send') return;
        if (json.includes('"session/prompt"')) prompts.push(json);
        if (json.includes('"session/new"')) sessions += 1;
      },
    },
  );
  t.after(end);
  await run(steps('one'));
  await run(steps('two'));
  const { turns } = await run(steps('three'));
  const [first, second] = turns;
  assert.ok(first && second);
  chat.controller.typeDraft('not sent yet', 'view');

  const message = chat.controller.changedPrompt(second.id, {
    text: JSON.stringify(steps('otherwise')),
  });
  assert.ok(message);
  await chat.controller.resend(second.id, message);
  const after = await until(state => !state.activeTurn && state.turns.length === 2);

  assert.deepEqual(after.turns[0], first, 'what was before it stays');
  const [, again] = after.turns;
  assert.deepEqual(
    again?.parts.map(part => part.kind === 'text' && part.text),
    ['otherwise'],
    'nothing is said but the answer',
  );
  assert.deepEqual(
    again?.prompt?.attachments.map(({ kind }) => kind),
    ['conversation'],
  );
  assert.equal(sessions, 2, 'the agent starts a session that knows nothing of the rest');
  assert.match(prompts.at(-1) ?? '', /otherwise.*Conversation so far/);
  assert.equal(after.draft.text, 'not sent yet');
});

test('what goes along with a changed prompt: what it keeps, and what it names', async t => {
  const { run, chat } = await open(t);
  const attach = (label: string, mention?: string) =>
    chat.controller.attach({
      id: label,
      kind: 'file',
      label,
      title: label,
      uri: `file:///${label}`,
      ...(mention !== undefined && { mention }),
    });
  attach('a.ts');
  attach('b.ts');
  attach('c.ts', '@c.ts');
  const { turns } = await run([{ note: 'look at @c.ts ' }, ...steps('one')]);
  const [turn] = turns;
  assert.equal(turn?.prompt?.attachments.length, 3);
  // Chosen while the prompt was changed: its word stands nowhere but there.
  attach('d.ts', '@d.ts');
  const pasted = { kind: 'link', label: 'pasted', title: 'pasted', uri: 'https://a.b' } as const;
  chat.controller.attach({ ...pasted, id: 'pasted', forTurn: turn.id });
  chat.controller.attach({ ...pasted, id: 'elsewhere', forTurn: 'other' });
  const changed = chat.controller.changedPrompt(turn.id, {
    text: 'and @d.ts instead',
    without: ['a.ts'],
  });
  assert.deepEqual(
    changed?.attachments.map(({ label }) => label),
    ['b.ts', 'd.ts', 'pasted'],
  );
  assert.ok(changed?.attachments.every(({ forTurn }) => forTurn === undefined));
  chat.controller.removeAttachment('pasted');
  assert.notEqual(changed?.id, turn.prompt.id);
  assert.equal(
    chat.controller.changedPrompt(turn.id, { text: ' ', without: ['a.ts', 'b.ts'] }),
    undefined,
  );
  assert.equal(chat.controller.changedPrompt('gone', { text: 'x' }), undefined);
});

test('an answer is tried again by another model, which the new session gets', async t => {
  const models = {
    configOptions: [
      {
        id: 'model',
        name: 'Model',
        category: 'model',
        type: 'select',
        currentValue: 'small',
        options: [
          { value: 'small', name: 'Small' },
          { value: 'large', name: 'Large' },
        ],
      },
    ],
  };
  const { run, until, chat, end } = await world({ opened: models });
  t.after(end);
  const { turns } = await run(steps('one'));
  const [turn] = turns;
  assert.ok(turn?.prompt);
  const message = chat.controller.changedPrompt(turn.id);
  assert.equal(message?.text, turn.prompt.text);
  await chat.controller.resend(turn.id, message, { optionId: 'model', value: 'large' });
  const after = await until(
    state => !state.activeTurn && state.turns.length === 1 && state.turns[0]?.id !== turn.id,
  );
  assert.equal(after.configOptions[0]?.value, 'large');
});

test('a changed prompt that is too large is refused before anything goes back', async t => {
  const { run, chat, end } = await world(
    {},
    { promptLimits: () => ({ promptBytes: 2_000, promptsPerMinute: 0 }) },
  );
  t.after(end);
  const { turns } = await run(steps('one'));
  const id = turns[0]?.id ?? '';
  assert.equal(chat.controller.changedPrompt(id, { text: 'x'.repeat(3_000) }), undefined);
  const { state } = chat.store;
  assert.equal(state.turns[0]?.id, id);
  assert.match(JSON.stringify(state.turns.at(-1)?.parts.at(-1)), /too large/);
});
