/** Agents that ask or tell too much, as real processes: the chat stays small, and usable. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { SessionAction } from '../../../src/session/state/actions';
import type { SessionState } from '../../../src/session/state/state';
import { done, text } from './agentSteps';
import { world, type World } from './world';

const MEGABYTE = 1024 * 1024;

interface Opened extends World {
  readonly largest: () => number;
  /** Resolves when the agent has been told that it asks too much. */
  readonly refused: Promise<void>;
}

/** A chat, and the largest single action that it told its views. */
async function open(t: TestContext): Promise<Opened> {
  let tellRefused: () => void;
  const refused = new Promise<void>(resolve => (tellRefused = resolve));
  const opened = await world(
    {},
    {
      agentLimits: () => ({ maxLineBytes: 32 * MEGABYTE }),
      tap: ({ direction, json }) => {
        if (direction === 'send' && json.includes('Too many requests')) tellRefused();
      },
    },
  );
  t.after(() => opened.end());
  let largest = 0;
  opened.chat.store.onDidApply(({ action }: { readonly action: SessionAction }) => {
    largest = Math.max(largest, JSON.stringify(action).length);
  });
  return { ...opened, largest: () => largest, refused };
}

const size = (value: unknown): number => JSON.stringify(value).length;
const lastText = ({ turns }: SessionState): string =>
  (turns.at(-1)?.parts ?? []).map(part => (part.kind === 'text' ? part.text : '')).join('');

/** The agent counts its answers by what they say. */
const counted = (state: SessionState): Record<string, number> =>
  JSON.parse(lastText(state)) as Record<string, number>;

async function goesOn({ run }: World): Promise<void> {
  const state = await run([text('still here'), done]);
  deepEqual(state.turns.at(-1)?.end, { reason: 'end_turn' });
  equal(lastText(state), 'still here');
}

// A hundred thousand by hand: FLOOD_REQUESTS=100000.
const REQUESTS = Number(process.env['FLOOD_REQUESTS'] ?? 5_000);

const OPTIONS = [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }];

for (const [method, params] of [
  ['session/request_permission', { toolCall: { toolCallId: 'call$N' }, options: OPTIONS }],
  [
    'elicitation/create',
    { mode: 'form', message: '$N', requestedSchema: { type: 'object', properties: {} } },
  ],
] as const) {
  test(`of ${REQUESTS} ${method} at once some wait for the user; the others are told why not`, async t => {
    const opened = await open(t);
    const { send, until, chat } = opened;
    const count = REQUESTS;
    send([{ flood: { method, params, count } }, done]);
    const waitingIn = (state: SessionState) => state.permissions.length + state.elicitations.length;
    await until(state => waitingIn(state) === 256);
    await opened.refused;
    equal(chat.store.state.connection.kind, 'ready');
    chat.controller.stop();
    const state = await until(({ activeTurn }) => !activeTurn);
    equal(waitingIn(state), 0);
    ok(size(state) < MEGABYTE, `${size(state)} units`);
    const answers = counted(state);
    const refused = Object.keys(answers).filter(words => words.startsWith('Too many requests'));
    equal(refused.length, 1);
    match(refused[0] ?? '', /256 of this session are open\. Ask again/);
    equal(
      Object.values(answers).reduce((sum, each) => sum + each, 0),
      count,
    );
    await goesOn(opened);
  });
}

test('of very many commands at once few run; the others are told why not', async t => {
  const opened = await open(t);
  const { run, chat } = opened;
  const params = { command: 'sleep', args: ['1000000'] };
  const state = await run([{ flood: { method: 'terminal/create', params, count: 2_000 } }, done]);
  const answers = counted(state);
  const started = answers['{"terminalId":"id"}'] ?? 0;
  ok(started > 0 && started <= 64, `${started} were started`);
  equal(Object.keys(state.terminals).length, started);
  match(Object.keys(answers).join(), /Too many commands at once: 64 of this session are running/);
  equal(
    Object.values(answers).reduce((sum, each) => sum + each, 0),
    2_000,
  );
  for (const id of Object.keys(state.terminals)) await chat.controller.killTerminal(id);
  await goesOn(opened);
});

test('commands that ended and were never released make room', async t => {
  const { run, until, chat } = await open(t);
  const create = { method: 'terminal/create', params: { command: 'true' }, count: 50 };
  for (let times = 1; times <= 3; times++) {
    const state = await run([{ flood: create }, done]);
    deepEqual(counted(state), { '{"terminalId":"id"}': 50 }, 'none is refused');
    await until(({ terminals }) => Object.values(terminals).every(({ exit }) => exit));
    equal(Object.keys(chat.store.state.terminals).length, times * 50);
  }
});

/** The agent makes the text itself: `$BIG` stands for so many units of it. */
const big = (units: number, update: object) => ({ big: units, update });
const call = { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Run' };

for (const [what, step, shown] of [
  [
    'a tool output of 30 MB',
    big(30 * MEGABYTE, {
      ...call,
      content: [{ type: 'content', content: { type: 'text', text: '$BIG' } }],
    }),
    30_000,
  ],
  ['a raw output of 30 MB', big(30 * MEGABYTE, { ...call, rawOutput: { output: '$BIG' } }), 30_000],
  [
    'the output of a command of its own of 30 MB',
    big(30 * MEGABYTE, {
      ...call,
      _meta: { terminal_output: { terminal_id: 't', data: '$BIG' } },
    }),
    100_000,
  ],
  ['a title of 20 MB', big(20 * MEGABYTE, { ...call, title: '$BIG' }), 20_000],
  [
    'a title of the chat of 20 MB',
    big(20 * MEGABYTE, { sessionUpdate: 'session_info_update', title: '$BIG' }),
    20_000,
  ],
  [
    'a message of 30 MB in one piece',
    big(30 * MEGABYTE, {
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'text', text: '$BIG' },
    }),
    1_100_000,
  ],
  [
    'a notice of 20 MB',
    big(20 * MEGABYTE, { sessionUpdate: 'notice', severity: 'info', title: '$BIG' }),
    20_000,
  ],
  [
    'an unknown update of 20 MB',
    big(20 * MEGABYTE, { sessionUpdate: 'news', text: '$BIG' }),
    20_000,
  ],
  ['an id of 20 MB', big(20 * MEGABYTE, { ...call, toolCallId: '$BIG' }), 20_000],
] as const) {
  test(`${what} makes no large chat`, async t => {
    const opened = await open(t);
    const { run, largest } = opened;
    const state = await run([step, done]);
    deepEqual(state.turns.at(-1)?.end, { reason: 'end_turn' });
    ok(size(state) < shown, `${size(state)} units of state`);
    ok(largest() < shown, `${largest()} units of one action`);
    await goesOn(opened);
  });
}

test('the whole of a large output can be opened', async t => {
  const { run, chat } = await open(t);
  const content = [{ type: 'content', content: { type: 'text', text: '$BIG' } }];
  const state = await run([big(30 * MEGABYTE, { ...call, content }), done]);
  const part = state.turns[0]?.parts[0];
  const item = part?.kind === 'tool' ? part.content[0] : undefined;
  const preview =
    item?.kind === 'block' && item.block.kind === 'text' ? item.block.text : undefined;
  equal(preview?.truncated, true);
  const whole = chat.controller.contents.get(preview?.ref ?? '');
  equal(whole?.kind === 'text' && whole.text.length, 30 * MEGABYTE);
});

test('lists without end are cut, and what is missing is said', async t => {
  const opened = await open(t);
  const { run } = opened;
  const many = (count: number, item: unknown, rest: object) => ({
    many: count,
    update: { ...rest, list: item },
  });
  const state = await run([
    many(
      100_000,
      { content: 'step $N', priority: 'low', status: 'pending' },
      { sessionUpdate: 'plan', $LIST: 'entries' },
    ),
    many(
      10_000,
      { name: 'command$N', description: 'does $N' },
      { sessionUpdate: 'available_commands_update', $LIST: 'availableCommands' },
    ),
    many(
      1_000,
      { type: 'content', content: { type: 'text', text: 'block $N' } },
      { ...call, $LIST: 'content' },
    ),
    done,
  ]);
  equal(state.plan?.length, 501);
  equal(state.plan.at(-1)?.content, '(99500 more were left out.)');
  equal(state.commands.length, 5_000);
  const part = state.turns[0]?.parts[0];
  equal(part?.kind === 'tool' && part.content.length, 201);
  match(JSON.stringify(part?.kind === 'tool' && part.content.at(-1)), /block 200.*block 999/);
  ok(size(state) < 2 * MEGABYTE);
  await goesOn(opened);
});

// A million by hand: FLOOD_UPDATES=1000000.
const UPDATES = Number(process.env['FLOOD_UPDATES'] ?? 50_000);

test(`${UPDATES} tiny updates of one message are all there`, async t => {
  const opened = await open(t);
  const content = { type: 'text', text: '$N,' };
  const update = { sessionUpdate: 'agent_message_chunk', content };
  const state = await opened.run([{ updates: { count: UPDATES, update } }, done]);
  const expected = Array.from({ length: UPDATES }, (_, n) => `${n},`).join('');
  equal(lastText(state), expected);
  await goesOn(opened);
});

const CALLS = 4_500;

test(`of ${CALLS} updates that each begin something new, the last are shown`, async t => {
  const opened = await open(t);
  const update = { ...call, toolCallId: 'call$N', title: 'Step $N', status: 'completed' };
  const state = await opened.run([{ updates: { count: CALLS, update } }, done]);
  const parts = state.turns[0]?.parts ?? [];
  ok(parts.length <= 2_000 + 256, `${parts.length} parts`);
  const [first] = parts;
  const last = parts.at(-1);
  const left = CALLS - parts.length + 1;
  equal(
    first?.kind === 'notice' && first.text,
    `This answer is very long: its first ${left} parts are not shown.`,
  );
  equal(last?.kind === 'tool' && last.title, `Step ${CALLS - 1}`);
  await goesOn(opened);
});

test('a turn that says more than can be shown loses its beginning, with a note', async t => {
  const opened = await open(t);
  const { run } = opened;
  const piece = (n: number) =>
    big(MEGABYTE / 2, {
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'text', text: `<${n}>$BIG` },
    });
  const state = await run([...Array.from({ length: 60 }, (_, n) => piece(n)), done]);
  ok(size(state) < 17 * MEGABYTE, `${size(state)} units`);
  const parts = state.turns[0]?.parts ?? [];
  match(parts[0]?.kind === 'notice' ? parts[0].text : '', /its first \d+ parts are not shown/);
  match(lastText(state), /<59>/);
  await goesOn(opened);
});
