/** What only a WebSocket has: close codes, binary messages, and messages that belong to nothing. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { WebSocket } from 'ws';
import { chatWith, say, serve, supervise, textOf } from './remoteSupport';
import { Chat, problemOf, prompt } from './support';

test('a server that closes with a reason is quoted', async t => {
  const server = await serve(t, {});
  const it = await chatWith(t, server);
  say(it, 'wait');
  await it.until(state => textOf(state) === 'waiting');
  server.socket().close(1008, 'No more for you');
  const { connection } = await it.until(state => state.connection.kind === 'failed');
  assert.ok(connection.kind === 'failed');
  assert.match(connection.problem.detail, /closed it with code 1008: No more for you/);
  assert.deepEqual(connection.problem.actions, ['restart', 'showLog']);
  // What it refuses would be refused again, and again.
  assert.equal(server.connections, 1);
  await it.chat.controller.restart();
  await it.until(state => state.connection.kind === 'ready');
  assert.match(textOf(await say(it, 'back again').ended()), /back again$/);
});

test('the last lease closes the connection, normally', async t => {
  const server = await serve(t, {});
  const { host } = supervise(t, server);
  const lease = host.lease();
  await host.connect();
  const closed = once(server.socket(), 'close');
  lease.dispose();
  assert.equal((await closed)[0], 1000);
  assert.equal(host.status.kind, 'stopped');
});

test('a server that speaks something else is no ACP agent', async t => {
  const talks = (first: string) => ({
    onConnection: (socket: WebSocket) => {
      socket.on('message', () => socket.send(first));
    },
  });
  const garbage = await serve(t, talks('hello, who are you?'));
  const problem = await problemOf(supervise(t, garbage, { seconds: 1 }).host.connect());
  assert.equal(problem.kind, 'notAcp');
  assert.deepEqual(problem.output, ['hello, who are you?']);
  const closes = await serve(t, {
    onConnection: socket => socket.on('message', () => socket.close(1003, 'No JSON, please')),
  });
  const early = await problemOf(supervise(t, closes).host.connect());
  assert.match(early.title, /closed the connection before it was ready/);
  assert.match(early.detail, /1003: No JSON, please/);
});

test('binary messages and garbage between messages do no harm', async t => {
  const server = await serve(t, {});
  const { host } = supervise(t, server);
  const link = await host.connect();
  const { chat, sessionId } = await Chat.open(link);
  server.socket().send(Buffer.from([0, 1, 2]));
  server.socket().send('no JSON');
  server.socket().send('{"half');
  const update = {
    sessionUpdate: 'agent_message_chunk',
    content: { type: 'text', text: 'pretty ' },
  };
  const params = { sessionId, update };
  const message = { jsonrpc: '2.0', method: 'session/update', params };
  server.socket().send(JSON.stringify(message, undefined, 2));
  await link.prompt(prompt(sessionId, 'still fine'));
  assert.equal(chat.text, 'pretty still fine');
});
