/**
 * Whatever an agent sends, nothing throws, hangs or is left unhandled, and what it sends after that arrives
 * and is shown. Seed and length: FUZZ_SEED, FUZZ_MESSAGES, FUZZ_V2.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestError } from '../../../src/acp/rpc/errors';
import { corpus, messagesOfV2 } from './corpus';
import { FuzzWorld, shows } from './fuzzWorld';
import { bytesOf, mutatedLine, piecesOf, Random } from './mutations';
import { unhandled } from './unhandled';

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_251_128);
const MESSAGES = Number(process.env['FUZZ_MESSAGES'] ?? 100_000);
const MESSAGES_V2 = Number(process.env['FUZZ_V2'] ?? 20_000);
const BATCH = 400;
const ANSWERS = 1_000;

const { messages, answers } = corpus();
const failures = unhandled();

function assertUnharmed(world: FuzzWorld, where: string): void {
  const [failure] = failures;
  assert.equal(failure, undefined, `${where}: ${failure instanceof Error ? failure.stack : ''}`);
  // An agent that refuses a session is logged with what it answered; that is no failure of ours.
  const cause = world.logger.causes.find(error => !(error instanceof RequestError));
  assert.equal(cause, undefined, `${where}: ${cause instanceof Error ? cause.stack : ''}`);
  assert.deepEqual(
    world.logger.at('error').filter(entry => !entry.endsWith(': no session')),
    [],
    where,
  );
}

/** Plain JSON, as webviews and the history get it. */
function assertPlain(state: unknown, where: string): void {
  assert.deepEqual(JSON.parse(JSON.stringify(state)), state, where);
}

for (const version of [1, 2] as const) {
  const count = version === 1 ? MESSAGES : MESSAGES_V2;
  test(`${count} mutated messages of v${version} do no harm (seed ${SEED})`, async t => {
    t.diagnostic(`FUZZ_SEED=${SEED}`);
    await mutatedMessages(version, count);
  });
}

async function mutatedMessages(version: 1 | 2, count: number): Promise<void> {
  const random = new Random(SEED);
  const world = new FuzzWorld(version);
  const from = version === 1 ? messages : messagesOfV2();
  let session = '';
  let prompt: unknown;
  const info = version === 2 && { info: { name: 'agent', version: '1' }, capabilities: {} };
  const initialized = { protocolVersion: version, ...info };
  world.on('initialize', ({ id }) => world.send({ id, result: initialized }));
  world.on('session/new', ({ id }) => world.send({ id, result: { sessionId: session } }));
  world.on('session/prompt', ({ id }) => {
    prompt = id;
    if (version === 2) world.send({ id, result: { messageId: 'prompt' } });
  });

  for (let sent = 0, batch = 0; sent < count; sent += BATCH, batch++) {
    const where = `v${version}, seed ${SEED}, batch ${batch}`;
    session = `session-${batch}`;
    prompt = undefined;
    const chat = world.newChat();
    const { store } = chat;
    await world.until(`${where}: start`, () => store.state.connection.kind === 'ready');
    chat.controller.send('go');
    await world.until(`${where}: prompt`, () => store.state.activeTurn !== undefined);

    const lines = Array.from({ length: BATCH }, () => line(from, session, random));
    for (const piece of piecesOf(bytesOf(lines, random), random)) world.write(piece);

    const words = `still here ${batch}`;
    const content = { type: 'text', text: words };
    const update = (fields: object): void =>
      world.send({ method: 'session/update', params: { sessionId: session, update: fields } });
    world.write('\n');
    update({ sessionUpdate: 'agent_message_chunk', messageId: words, content });
    world.send({
      id: `check-${batch}`,
      method: 'fs/read_text_file',
      params: { sessionId: session, path: '/w/a' },
    });
    await world.until(`${where}: the update after it`, () => shows(store.state, words));
    await world.until(
      `${where}: the request after it`,
      () => world.response(`check-${batch}`) !== undefined,
    );
    assert.deepEqual(world.response(`check-${batch}`)?.['result'], { content: 'text' }, where);
    if (version === 1) world.send({ id: prompt, result: { stopReason: 'end_turn' } });
    else for (const state of ['running', 'idle']) update({ sessionUpdate: 'state_update', state });
    await world.until(`${where}: the end of the turn`, () => !store.state.activeTurn);
    if (version === 1) {
      assert.deepEqual(store.state.turns.at(-1)?.end, { reason: 'end_turn' }, where);
    }
    // What v2 tells of a turn may have ended it before: its requests still wait for the user.
    if (version === 1) assert.deepEqual(store.state.permissions, [], where);
    assert.ok(JSON.stringify(store.state).length < 64 * 1024 * 1024, where);
    if (batch % 10 === 0) assertPlain(store.state, where);
    assertUnharmed(world, where);
    await world.chats.delete(chat.chatId);
  }
  assertUnharmed(world, `v${version}, seed ${SEED}, at the end`);
  world.dispose();
}

/** A recorded message, mostly about this session, changed. */
function line(from: readonly string[], session: string, random: Random): string {
  const message = JSON.parse(random.pick(from)) as Record<string, unknown>;
  const params = message['params'];
  if (typeof params === 'object' && params !== null && 'sessionId' in params) {
    params.sessionId = random.oneIn(30) ? `unknown-${random.below(30)}` : session;
  }
  if (random.oneIn(20)) return JSON.stringify(message);
  return mutatedLine(message, random);
}

test(`${ANSWERS} mutated answers leave every chat ready or with a reason (seed ${SEED})`, async () => {
  const random = new Random(SEED + 1);
  const answer = (method: string): Record<string, unknown> =>
    JSON.parse(random.pick(answers.get(method) ?? [])) as Record<string, unknown>;
  for (let done = 0; done < ANSWERS;) {
    const world = new FuzzWorld();
    // The mutated answer first; if it says nothing to this request, a plain one follows.
    const reply = (method: string, plain: () => object): void =>
      world.on(method, ({ id }) => {
        const mutated = mutatedLine({ ...answer(method), _: {} }, random);
        // The id said last counts.
        world.write(`${mutated.slice(0, -1)},"id":${JSON.stringify(id)}}\n`);
        world.send({ id, result: plain() });
        done += 1;
      });
    let sessions = 0;
    world.on('initialize', ({ id }) => world.send({ id, result: { protocolVersion: 1 } }));
    reply('session/new', () => ({ sessionId: `s${(sessions += 1)}` }));
    reply('session/prompt', () => ({ stopReason: 'end_turn' }));
    reply('session/set_mode', () => ({}));
    reply('session/set_config_option', () => ({}));
    for (let round = 0; round < 40; round++) {
      const where = `seed ${SEED}, answer ${done}`;
      const { store, controller, chatId } = world.newChat();
      const settled = (): boolean => /ready|failed|signIn/.test(store.state.connection.kind);
      await world.until(`${where}: start`, settled);
      const [option] = store.state.configOptions;
      if (option?.type === 'select') await controller.setConfig(option.id, 'other');
      if (store.state.connection.kind === 'ready') {
        controller.send('go');
        await world.until(`${where}: end`, () => store.state.turns.some(({ end }) => end));
      }
      assertPlain(store.state, where);
      assertUnharmed(world, where);
      await world.chats.delete(chatId);
    }
    world.dispose();
  }
});
