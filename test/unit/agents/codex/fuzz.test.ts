/**
 * Whatever the server says, nothing throws or hangs, and what it says after that arrives: FUZZ_SEED,
 * FUZZ_APP_SERVER (how many messages).
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { eventually } from '../../../workbench/eventually';
import { mutatedLine, Random } from '../../acp/mutations';
import { openSession } from './inMemoryServer';

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_130);
const MESSAGES = Number(process.env['FUZZ_APP_SERVER'] ?? 20_000);
const BATCH = 500;

/** What the server was seen to say, and what its schema says that it may, a message a line. */
const RECORDED = ['appServer', 'appServerUnseen'].flatMap(name =>
  readFileSync(resolve(`test/fixtures/${name}.ndjson`), 'utf8')
    .split('\n')
    .filter(line => line !== ''),
);

const failures: unknown[] = [];
const onFailure = (reason: unknown): number => failures.push(reason);

before(() => {
  process.on('uncaughtException', onFailure);
  process.on('unhandledRejection', onFailure);
});

after(() => {
  process.off('uncaughtException', onFailure);
  process.off('unhandledRejection', onFailure);
});

test(`${MESSAGES} mutated messages of the server do no harm (seed ${SEED})`, async () => {
  const random = new Random(SEED);
  for (let sent = 0; sent < MESSAGES; sent += BATCH) {
    const where = `seed ${SEED}, after ${sent}`;
    const { server, agent, updates, prompt } = await openSession();
    const turn = prompt().then(
      () => 'ended',
      () => 'failed',
    );
    await eventually(`${where}: the prompt`, () => server.received('turn/start'));
    for (let count = 0; count < BATCH; count++) {
      const message = JSON.parse(random.pick(RECORDED)) as Record<string, unknown>;
      server.writeLine(random.oneIn(20) ? JSON.stringify(message) : mutatedLine(message, random));
    }
    const words = `still here ${sent}`;
    server.notify('item/completed', { item: { type: 'agentMessage', id: words, text: words } });
    const params = { threadId: 'id-1', itemId: words };
    server.say({ id: words, method: 'item/fileChange/requestApproval', params });
    await eventually(`${where}: the message after it`, () =>
      updates.some(update => JSON.stringify(update).includes(words)),
    );
    await eventually(`${where}: the answer to the question after it`, () => server.answer(words));
    server.notify('turn/completed', { turn: { id: 'turn', status: 'completed' } });
    assert.match(await turn, /ended|failed/, where);
    await agent.stop();
    const [failure] = failures;
    assert.equal(failure, undefined, `${where}: ${failure instanceof Error ? failure.stack : ''}`);
  }
});
