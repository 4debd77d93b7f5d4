import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Elicitation } from '../../../src/session/state/elicitation';
import type { SessionState } from '../../../src/session/state/state';
import { world, type World } from './world';

const FORM = {
  mode: 'form',
  message: 'Which colour?',
  requestedSchema: {
    type: 'object',
    properties: {
      colour: { type: 'string', oneOf: [{ const: 'r', title: 'Red' }] },
      count: { type: 'integer', minimum: 1 },
    },
    required: ['colour'],
  },
};
const PAGE = {
  mode: 'url',
  message: 'Sign in',
  elicitationId: 'e1',
  url: 'https://example.com/in?x=1',
};

const ask = (params: object, method = 'elicitation/create') => ({ ask: { method, params } });
const call = (toolCallId: string) => ({
  update: { sessionUpdate: 'tool_call', toolCallId, title: 'Ask', status: 'in_progress' },
});

/** The texts that the agent got back, one for each question. */
function answers(state: SessionState): unknown {
  const turn = state.turns.at(-1);
  return turn?.parts.flatMap(part => (part.kind === 'text' ? [part.text] : [])).join('');
}

async function asked(it: World, ...steps: object[]): Promise<Elicitation> {
  it.send(steps);
  const state = await it.until(({ elicitations }) => elicitations.length > 0);
  return state.elicitations[0] as Elicitation;
}

const idle = (state: SessionState) => !state.activeTurn && state.turns.length > 0;

test('a form waits, is checked, and is answered with what was filled in', async () => {
  const it = await world();
  try {
    const form = await asked(it, call('c'), ask({ ...FORM, toolCallId: 'c' }));
    assert.equal(form.message, 'Which colour?');
    const status = () =>
      it.state.activeTurn?.parts.find(part => part.kind === 'tool' && part.toolCallId === 'c');
    assert.equal((status() as { status: string }).status, 'awaiting');
    const { controller } = it.chat;
    await controller.answerElicitation(form.id, 'accept', '{"count":"0"}');
    const refused = it.state.elicitations[0];
    assert.deepEqual(refused?.kind === 'form' && refused.problems, {
      colour: 'Choose one.',
      count: 'Enter a number of at least 1.',
    });
    await controller.answerElicitation(form.id, 'accept', 'no JSON');
    await controller.answerElicitation(form.id, 'shrug', '{}');
    assert.equal(it.state.elicitations.length, 1, 'neither is an answer');
    await controller.answerElicitation(form.id, 'accept', '{"colour":"r","count":"2"}');
    assert.equal((status() as { status: string }).status, 'running');
    const state = await it.until(idle);
    assert.equal(answers(state), '{"action":"accept","content":{"colour":"r","count":2}}');
    await controller.answerElicitation(form.id, 'accept', '{"colour":"r"}');
  } finally {
    await it.end();
  }
});

test('decline and cancel are told apart', async () => {
  const it = await world();
  try {
    for (const action of ['decline', 'cancel']) {
      const form = await asked(it, ask(FORM));
      await it.chat.controller.answerElicitation(form.id, action);
      assert.equal(answers(await it.until(idle)), `{"action":"${action}"}`);
    }
  } finally {
    await it.end();
  }
});

test('Stop cancels what is asked, and what is asked after it', async () => {
  const it = await world();
  try {
    await asked(it, ask(FORM), { waitCancel: true }, ask(PAGE));
    it.chat.controller.stop();
    assert.deepEqual(it.state.elicitations, []);
    assert.equal(answers(await it.until(idle)), '{"action":"cancel"}{"action":"cancel"}');
  } finally {
    await it.end();
  }
});

test('an agent that takes its question back, or goes away, leaves none behind', async () => {
  const it = await world();
  try {
    it.send([{ asks: [{ method: 'elicitation/create', params: FORM }] }, { cancelAsked: true }]);
    await it.until(({ elicitations }) => elicitations.length > 0);
    await it.until(({ elicitations }) => elicitations.length === 0);
    await it.until(idle);
    it.send([{ asks: [{ method: 'elicitation/create', params: FORM }] }, { waitCancel: true }]);
    await it.until(({ elicitations }) => elicitations.length > 0);
    await it.agent.stop();
    assert.equal(it.state.connection.kind, 'stopped');
    assert.deepEqual(it.state.elicitations, []);
  } finally {
    await it.end();
  }
});

test('a page opens on consent only, and stays until the agent says that it is done', async () => {
  const it = await world();
  try {
    const page = await asked(it, ask(PAGE), {
      send: { method: 'elicitation/complete', params: { elicitationId: 'other' } },
    });
    assert.deepEqual(it.opened, []);
    await it.chat.controller.answerElicitation(page.id, 'accept');
    assert.deepEqual(it.opened, ['https://example.com/in?x=1']);
    const state = await it.until(idle);
    assert.equal(answers(state), '{"action":"accept"}');

    it.send([
      ask(PAGE),
      { send: { method: 'elicitation/complete', params: { elicitationId: 'e1' } } },
      { waitCancel: true },
    ]);
    const asking = await it.until(({ elicitations }) => elicitations.length > 0);
    const opened: boolean[] = [];
    it.chat.store.onDidApply(({ action }) => {
      if (action.type === 'elicitationOpened') opened.push(true);
    });
    await it.chat.controller.answerElicitation(asking.elicitations[0]?.id ?? '', 'accept');
    assert.deepEqual(opened, [true]);
    await it.until(({ elicitations }) => elicitations.length === 0);
    it.chat.controller.stop();
    await it.until(idle);
  } finally {
    await it.end();
  }
});

test('a page that is no web page is never opened', async () => {
  const it = await world();
  try {
    const page = await asked(it, ask({ ...PAGE, url: 'file:///etc/passwd' }));
    await it.chat.controller.answerElicitation(page.id, 'accept');
    assert.equal(it.state.elicitations.length, 1);
    assert.deepEqual(it.opened, []);
    await it.chat.controller.answerElicitation(page.id, 'decline');
    assert.equal(answers(await it.until(idle)), '{"action":"decline"}');
  } finally {
    await it.end();
  }
});

test('what is asked while a session opens reaches the chat that opens it', async () => {
  const it = await world({ asksAtNew: FORM }, { connect: false });
  try {
    const asking = await it.until(({ elicitations }) => elicitations.length > 0);
    assert.equal(asking.connection.kind, 'starting');
    await it.chat.controller.answerElicitation(
      asking.elicitations[0]?.id ?? '',
      'accept',
      '{"colour":"r"}',
    );
    const state = await it.until(({ connection }) => connection.kind === 'ready');
    assert.equal(state.title, '{"action":"accept","content":{"colour":"r"}}');
  } finally {
    await it.end();
  }
});

test('a mode or a shape that nobody knows is refused with words, and the turn goes on', async () => {
  const it = await world();
  try {
    const state = await it.run([
      ask({ mode: 'voice', message: 'Say it' }),
      ask({ mode: 'form', message: 'No schema' }),
    ]);
    assert.match(String(answers(state)), /-32602.*form and url.*-32602.*requestedSchema/);
  } finally {
    await it.end();
  }
});
