/** Servers that answer wrongly: what is said, what to do next, and that Retry works once they do not. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { remoteServer, WIRES } from './remoteServer';
import { chatWith, failureOf, say, serve, supervise, textOf } from './remoteSupport';
import { Chat, problemOf, prompt } from './support';

for (const wire of WIRES) {
  describe(`over ${wire}`, () => {
    test('a version that neither side speaks is named, with what to do', async t => {
      const server = await serve(t, { wire, initialized: { protocolVersion: 99 } });
      const problem = await problemOf(supervise(t, server).host.connect());
      assert.equal(problem.kind, 'unsupportedVersion');
      assert.match(problem.detail, /answered version 99; Parley speaks version 1, 2\. Install/);
      assert.equal(problem.actions[0], 'retry');
    });

    test('a server that redirects to itself is asked once', async t => {
      const server = await serve(t, { wire, refuse: 302, location: '/acp' });
      const problem = await problemOf(supervise(t, server).host.connect());
      assert.match(problem.detail, /redirects to \/acp \(HTTP 302\)\. If you trust/);
      assert.ok(server.requests.length <= 1);
    });

    test('what refuses, and is corrected, is connected to with Retry, and nothing that was typed is lost', async t => {
      const wrong = await remoteServer({ wire, refuse: 403 });
      const port = Number(new URL(wrong.url).port);
      const it = await chatWith(t, wrong, { connect: false });
      void it.chat.controller.connect();
      it.chat.controller.typeDraft('half a thought', 'view');
      it.chat.controller.sendApart('first');
      await it.until(({ connection }) => connection.kind === 'failed');
      await wrong.close();
      await serve(t, { wire, listensAt: port });
      await it.chat.controller.retry();
      const state = await it.until(({ turns, activeTurn }) => !activeTurn && turns.length > 0);
      assert.match(textOf(state), /first$/);
      assert.equal(state.draft.text, 'half a thought');
    });
  });
}

test('answers to what was never asked, and to what was answered, do no harm', async t => {
  const server = await serve(t, {});
  const { host } = supervise(t, server);
  const link = await host.connect();
  const { chat, sessionId } = await Chat.open(link);
  for (const id of [9999, 0, '0', null, 'x']) {
    server.socket().send(JSON.stringify({ jsonrpc: '2.0', id, result: { sessionId: 'other' } }));
    server
      .socket()
      .send(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -1, message: 'no' } }));
  }
  await link.prompt(prompt(sessionId, 'still fine'));
  assert.equal(chat.text, 'still fine');
});

test('a server that answers only with wrong ids is given up in time', async t => {
  const server = await serve(t, {
    onConnection: socket => {
      socket.on('message', () =>
        socket.send('{"jsonrpc":"2.0","id":"other","result":{"protocolVersion":1}}'),
      );
    },
  });
  const problem = await problemOf(supervise(t, server, { seconds: 1 }).host.connect());
  assert.equal(problem.kind, 'timeout');
  assert.match(problem.detail, /connected, but did not answer.*allow more time/);
  assert.equal(problem.actions[0], 'retry');
});

test('a frame that is none ends the connection, which says so', async t => {
  const server = await serve(t, {});
  const it = await chatWith(t, server);
  const turn = say(it, 'wait');
  await it.until(state => textOf(state) === 'waiting');
  const failure = failureOf(it.agent);
  const { _socket: raw } = server.socket() as unknown as { _socket: NodeJS.WritableStream };
  raw.write(Buffer.from([0xff, 0xff, 0xff, 0xff]));
  assert.match(await failure, /connection failed: Invalid WebSocket frame/);
  await turn.ended();
  await it.until(({ connection }) => connection.kind === 'failed');
  assert.match(it.state.draft.text, /^wait/);
  await it.chat.controller.restart();
  assert.equal(it.state.connection.kind, 'ready');
});
