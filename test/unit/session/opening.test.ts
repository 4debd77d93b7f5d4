/** What may come in between while a session opens, with a real agent process on the other side. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { Deferred } from '../../../src/base/deferred';
import { choose } from './choose';
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

test("a folder that is opened later is the chat's too, and one that was closed is no more", async t => {
  let isOpen = false;
  const opened = await world({}, { roots: cwd => (isOpen ? [cwd] : ['/nowhere']) });
  t.after(opened.end);
  const path = join(opened.cwd, 'a.txt');
  writeFileSync(path, 'here');
  const read = async () => {
    const { length } = opened.state.turns;
    opened.send([{ ask: { method: 'fs/read_text_file', params: { path } } }]);
    const { permissions } = await opened.until(
      state => state.permissions.length > 0 || state.turns.length > length,
    );
    choose(opened.chat.controller, permissions[0]?.id, 'reject');
    const { turns } = await opened.until(({ activeTurn }) => !activeTurn);
    return JSON.stringify(turns.at(-1)?.parts);
  };
  assert.match(await read(), /does not allow this file to be read/);
  isOpen = true;
  assert.match(await read(), /here/);
  isOpen = false;
  assert.match(await read(), /does not allow this file to be read/);
});

test('an agent whose changes cannot be tracked answers all the same, and the chat says so', async t => {
  const { run, end } = await world(
    {},
    {
      tracking: {
        promptReady: () => Promise.reject(new Error('not loaded')),
        record: (_turn, _path, write) => write(),
      },
    },
  );
  t.after(end);
  const { turns } = await run([]);
  assert.equal(turns[0]?.end?.reason, 'end_turn');
  const [notice] = turns[0].parts;
  assert.ok(notice?.kind === 'notice' && notice.level === 'warning');
  assert.match(notice.text, /cannot be reviewed/);
});

for (const [what, capabilities, folders, says] of [
  ['takes one folder', {}, ['/other'], true],
  ['takes several', { sessionCapabilities: { additionalDirectories: {} } }, ['/other'], false],
  ['takes one, of one', {}, [], false],
] as const) {
  test(`an agent that ${what}: the first turn says which, or nothing`, async t => {
    const opened = await world({ capabilities }, { additionalDirectories: folders });
    t.after(opened.end);
    assert.deepEqual(opened.state.turns, [], 'a new chat looks like one');
    await opened.run([]);
    const { turns } = await opened.run([]);
    const notices = turns.map(({ parts }) =>
      parts.flatMap(part => (part.kind === 'notice' ? [part.text] : [])),
    );
    const sentence = `Program works in only one folder: ${basename(opened.cwd)}.`;
    assert.deepEqual(notices, [says ? [sentence] : [], []]);
  });
}
