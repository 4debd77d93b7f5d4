/**
 * What a real server was seen to say, and what its schema says that it may, as the updates that come of it.
 * `RESET_RESULTS=1` writes them again; a difference is looked at.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { eventually } from '../../../workbench/eventually';
import { InMemoryServer, openSession, type Message } from './inMemoryServer';

for (const name of ['appServer', 'appServerUnseen']) {
  test(`what the server says in ${name} becomes the same updates as ever`, async () => {
    const lines = readFileSync(resolve(`test/fixtures/${name}.ndjson`), 'utf8').split('\n');
    const asked: unknown[] = [];
    const server = new InMemoryServer();
    const { updates, prompt } = await openSession(server, (method, params) => {
      // They are asked while more comes: in which order is not said.
      asked.push({ [method]: params });
      return {};
    });
    void prompt().catch(() => undefined);
    await eventually('the prompt', () => server.received('turn/start'));
    for (const line of lines.filter(Boolean)) {
      server.writeLine(line);
      const { id } = JSON.parse(line) as Message;
      if (id === undefined) continue;
      await eventually(`the answer to ${JSON.stringify(id)}`, () => server.answer(id));
    }
    const last = 'the last';
    server.notify('item/completed', { item: { type: 'agentMessage', id: last, text: last } });
    await eventually('the last of it', () => JSON.stringify(updates.at(-1)).includes(last));
    // The commands come when they are there, between whatever else does.
    const own = updates.filter(update => !JSON.stringify(update).includes('"available_commands_'));
    const text = [...own.slice(0, -1), ...asked]
      .map(each => JSON.stringify(each, withoutPlace))
      .join('\n');
    const golden = resolve(`test/fixtures/${name}.updates.ndjson`);
    if (process.env['RESET_RESULTS'] === '1') writeFileSync(golden, `${text}\n`);
    assert.equal(`${text}\n`, readFileSync(golden, 'utf8'));
  });
}

/** Times are said in the words of the machine's own place. */
function withoutPlace(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/^It resets at .*$/, 'It resets at …') : value;
}
