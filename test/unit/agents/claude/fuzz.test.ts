/**
 * Whatever the CLI says, nothing throws or hangs, and what it says after that arrives: FUZZ_SEED, FUZZ_STREAM_JSON
 * (how many messages).
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { eventually } from '../../../workbench/eventually';
import { mutatedLine, Random } from '../../acp/mutations';
import { unhandled } from '../../acp/unhandled';
import { InMemoryCli, openSession } from './inMemoryCli';

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_130);
const MESSAGES = Number(process.env['FUZZ_STREAM_JSON'] ?? 20_000);
const BATCH = 500;

/** What the CLI was seen to say, a message a line. */
const RECORDED = readFileSync(resolve('test/fixtures/streamJson.ndjson'), 'utf8')
  .split('\n')
  .filter(line => line !== '');

const failures = unhandled();

test(`${MESSAGES} mutated messages of the CLI do no harm (seed ${SEED})`, async () => {
  const random = new Random(SEED);
  for (let sent = 0; sent < MESSAGES; sent += BATCH) {
    const where = `seed ${SEED}, after ${sent}`;
    const cli = new InMemoryCli();
    const { session, updates } = await openSession(cli);
    const turn = session.prompt([{ type: 'text', text: 'go' }]).then(
      () => 'ended',
      () => 'failed',
    );
    await eventually(`${where}: the prompt`, () => cli.received('user') !== undefined);
    for (let count = 0; count < BATCH; count++) {
      const message = JSON.parse(random.pick(RECORDED)) as Record<string, unknown>;
      cli.writeLine(random.oneIn(20) ? JSON.stringify(message) : mutatedLine(message, random));
    }
    const words = `still here ${sent}`;
    cli.say({ type: 'assistant', message: { content: [{ type: 'text', text: words }] } });
    cli.ask(`check-${sent}`, { subtype: 'can_use_tool', tool_name: 'Bash', input: {} });
    await eventually(`${where}: the message after it`, () =>
      JSON.stringify(updates.at(-1) ?? null).includes(words),
    );
    await eventually(
      `${where}: the answer to the question after it`,
      () => cli.answer(`check-${sent}`) !== undefined,
    );
    // What works in the background has the turn go on.
    cli.say({ type: 'system', subtype: 'background_tasks_changed', tasks: [] });
    cli.say({ type: 'result', subtype: 'success', result: 'done' });
    assert.match(await turn, /ended|failed/, where);
    await session.close();
    const [failure] = failures;
    assert.equal(failure, undefined, `${where}: ${failure instanceof Error ? failure.stack : ''}`);
  }
});
