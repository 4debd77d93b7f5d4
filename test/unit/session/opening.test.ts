/** What may come in between while a session opens, with a real agent process on the other side. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Deferred } from '../../../src/base/deferred';
import { world } from './world';

for (const what of ['cancelStart', 'closeAll'] as const) {
  test(`${what} does not wait for a question about MCP servers, and takes it back`, async t => {
    const asked = new Deferred<AbortSignal>();
    const { chats, chat, until, end } = await world(
      {},
      {
        connect: false,
        mcpServers: (_capabilities, signal) => {
          asked.resolve(signal);
          return new Promise(() => undefined);
        },
      },
    );
    t.after(end);
    const signal = await asked.promise;
    assert.equal(signal.aborted, false);
    if (what === 'closeAll') await chats.closeAll();
    else chat.controller.cancelStart();
    await until(({ connection }) => connection.kind === 'stopped');
    assert.equal(signal.aborted, true);
  });
}
