/** Agents over a WebSocket: chats with the official SDK's server, and servers that do otherwise. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import type { WebSocket } from 'ws';
import type { WebSocketAgent } from '../../../src/agents/definitions';
import { AgentSupervisor, type AgentSupervisorOptions } from '../../../src/agents/supervisor';
import type { AgentError } from '../../../src/session/ports';
import type { SessionState } from '../../../src/session/state/state';
import { choose } from '../session/choose';
import { world, type World } from '../session/world';
import { remoteServer, type RemoteServer, type RemoteServerOptions } from './remoteServer';
import { Chat, problemOf, prompt, recordingLogger } from './support';

async function serve(t: TestContext, options: RemoteServerOptions = {}): Promise<RemoteServer> {
  const server = await remoteServer(options);
  t.after(() => server.close());
  return server;
}

async function chatWith(t: TestContext, { url }: RemoteServer): Promise<World> {
  const it = await world({}, { url });
  t.after(() => it.end());
  return it;
}

/** A supervisor of the agent at `url`, without a chat. */
function supervise(
  t: TestContext,
  definition: Pick<WebSocketAgent, 'url'> & Partial<WebSocketAgent>,
  options: Partial<AgentSupervisorOptions> & { readonly seconds?: number } = {},
) {
  const { log, logger } = recordingLogger();
  const { seconds = 20, ...rest } = options;
  const host = new AgentSupervisor(
    { kind: 'webSocket', name: 'Remote', headers: {}, ...definition },
    {
      logger,
      processes: {
        add: () => assert.fail('a process was started'),
      } as unknown as AgentSupervisorOptions['processes'],
      environment: { get: () => Promise.resolve({}) },
      settings: () => ({ initializeSeconds: seconds, maxLineBytes: 64 * 1024 }),
      workspaceFolder: () => undefined,
      clientVersion: '0.0.1',
      now: () => Date.now(),
      ...rest,
    },
  );
  t.after(() => host.stop());
  return { host, log };
}

const text = (state: SessionState): string =>
  [...state.turns, ...(state.activeTurn ? [state.activeTurn] : [])]
    .flatMap(({ parts }) => parts)
    .map(part => (part.kind === 'text' ? part.text : ''))
    .join('');

const say = (it: World, words: string) => {
  const { length } = it.state.turns;
  it.chat.controller.send(words);
  return {
    ended: () => it.until(state => !state.activeTurn && state.turns.length > length),
  };
};

test('a prompt streams its answer, in order', async t => {
  const it = await chatWith(t, await serve(t));
  const state = await say(it, 'stream').ended();
  assert.equal(text(state), Array.from({ length: 100 }, (_, index) => `${index} `).join(''));
  assert.equal(state.turns.at(-1)?.end?.reason, 'end_turn');
});

test('a request for permission is asked, and its answer reaches the agent', async t => {
  const server = await serve(t);
  const it = await chatWith(t, server);
  const turn = say(it, 'ask');
  const { permissions } = await it.until(state => state.permissions.length > 0);
  assert.ok(choose(it.chat.controller, permissions[0]?.id, 'yes'));
  await turn.ended();
  assert.deepEqual(server.events, [{ outcome: { outcome: 'selected', optionId: 'yes' } }]);
});

test('files are read and written through the editor', async t => {
  const it = await chatWith(t, await serve(t));
  writeFileSync(path.join(it.cwd, 'from.txt'), 'quiet');
  const to = path.join(it.cwd, 'to.txt');
  await say(it, `copy ${path.join(it.cwd, 'from.txt')} ${to}`).ended();
  assert.equal(readFileSync(to, 'utf8'), 'QUIET');
});

test('a turn is cancelled, and the next one goes on', async t => {
  const it = await chatWith(t, await serve(t));
  const turn = say(it, 'wait');
  await it.until(state => text(state) === 'waiting');
  it.chat.controller.stop();
  assert.equal((await turn.ended()).turns.at(-1)?.end?.reason, 'cancelled');
  assert.match(text(await say(it, 'still here').ended()), /still here$/);
});

test('a server that closes in a turn interrupts it, and Restart connects again', async t => {
  const server = await serve(t);
  const it = await chatWith(t, server);
  const turn = say(it, 'wait');
  await it.until(state => text(state) === 'waiting');
  server.socket().close(1012, 'Maintenance');
  const { turns } = await turn.ended();
  assert.equal(turns.at(-1)?.end?.reason, 'interrupted');
  const { connection } = await it.until(state => state.connection.kind === 'failed');
  assert.ok(connection.kind === 'failed');
  assert.equal(connection.problem.kind, 'disconnected');
  assert.match(connection.problem.detail, /closed it with code 1012: Maintenance/);
  assert.deepEqual(connection.problem.actions, ['restart', 'showLog']);
  await it.chat.controller.restart();
  await it.until(state => state.connection.kind === 'ready');
  assert.match(text(await say(it, 'back again').ended()), /back again$/);
  assert.equal(server.requests.length, 2);
});

test('a connection that breaks in a turn is a problem without a reason', async t => {
  const server = await serve(t);
  const it = await chatWith(t, server);
  say(it, 'wait');
  await it.until(state => text(state) === 'waiting');
  server.socket().terminate();
  const { connection } = await it.until(state => state.connection.kind === 'failed');
  assert.ok(connection.kind === 'failed');
  assert.match(connection.problem.detail, /closed it without a reason/);
});

test('a connection that breaks while nothing is asked is made again by itself', async t => {
  const server = await serve(t);
  const it = await chatWith(t, server);
  server.socket().terminate();
  await it.until(({ connection }) => connection.kind === 'ready' && server.requests.length === 2);
  assert.match(text(await say(it, 'back again').ended()), /back again$/);
});

test('headers and the address take variables from the login shell, which logs do not show', async t => {
  const server = await serve(t);
  const secrets: string[] = [];
  const { host, log } = supervise(
    t,
    { url: `${server.url}?room=\${env:ROOM}`, headers: { Authorization: 'Bearer ${env:GH_PAT}' } },
    {
      environment: { get: () => Promise.resolve({ GH_PAT: 'pat-1234', ROOM: 'blue' }) },
      onSecrets: values => void secrets.push(...values),
    },
  );
  await host.connect();
  assert.equal(server.requests[0]?.headers.authorization, 'Bearer pat-1234');
  assert.equal(server.requests[0]?.url, '/acp?room=blue');
  assert.ok(['pat-1234', 'Bearer pat-1234', 'blue'].every(value => secrets.includes(value)));
  assert.doesNotMatch(log.join('\n'), /pat-1234|blue/);
});

test('the last lease closes the connection, normally', async t => {
  const server = await serve(t);
  const { host } = supervise(t, { url: server.url });
  const lease = host.lease();
  await host.connect();
  const closed = once(server.socket(), 'close');
  lease.dispose();
  assert.equal((await closed)[0], 1000);
  assert.equal(host.status.kind, 'stopped');
});

test('a server is offered no terminal to sign in with, and offers only what it does itself', async t => {
  const server = await serve(t, {
    initialized: {
      authMethods: [
        { id: 'own', name: 'Own' },
        { id: 'tui', name: 'Terminal', type: 'terminal', args: ['login'] },
        { id: 'old', name: 'Old', _meta: { 'terminal-auth': { command: 'rm' } } },
        { id: 'key', name: 'Key', type: 'env_var', vars: [{ name: 'KEY' }] },
      ],
    },
  });
  const sent: { readonly method?: string; readonly params?: object }[] = [];
  const { host } = supervise(
    t,
    { url: server.url },
    {
      tap: ({ direction, json }) =>
        void (direction === 'send' && sent.push(JSON.parse(json) as object)),
    },
  );
  await host.connect();
  assert.deepEqual(
    host.authMethods().map(({ id }) => id),
    ['own'],
  );
  assert.doesNotMatch(JSON.stringify(sent[0]), /terminal-auth|"auth"/);
  assert.equal(await host.signIn('own', new AbortController().signal), true);
  assert.deepEqual(server.events, [{ authenticated: 'own' }]);
});

test('what an upgrade is refused with is said with what to do', async t => {
  const cases: [number, RegExp][] = [
    [401, /refused access \(HTTP 401\).*Correct "headers"/],
    [403, /refused access \(HTTP 403\).*Correct "headers"/],
    [404, /nothing at ws:.*HTTP 404.*Check "url"/],
    [200, /answered HTTP 200 instead.*Check "url"/],
    [503, /answered HTTP 503 instead/],
  ];
  for (const [refuse, expected] of cases) {
    const { url } = await serve(t, { refuse });
    const problem = await problemOf(supervise(t, { url }).host.connect());
    assert.match(problem.title, /could not be reached/);
    assert.match(problem.detail, expected);
    assert.deepEqual(problem.actions, ['retry', 'editAgents', 'showLog']);
  }
});

test('nothing listens, nobody has that name, no variable has that value', async t => {
  const { url, close } = await remoteServer();
  await close();
  const detail = async (definition: Partial<WebSocketAgent> & { url: string }) =>
    (await problemOf(supervise(t, definition).host.connect())).detail;
  assert.match(await detail({ url }), /Nothing listens at ws:/);
  assert.match(await detail({ url: 'ws://no-such-host.invalid' }), /not found|failed/);
  assert.match(await detail({ url: '${env:NOWHERE}' }), /NOWHERE is not set/);
  assert.match(await detail({ url: 'https://${userHome}' }), /supports only "ws:" and "wss:"/);
  assert.match(await detail({ url, headers: { A: 'b\r\nc' } }), /not configured|Invalid character/);
});

test('a server that accepts and says nothing is given up in time', async t => {
  const silent = createServer().listen(0, '127.0.0.1');
  t.after(() => silent.close());
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const never = supervise(t, { url: `ws://127.0.0.1:${port}` }, { seconds: 1 });
  const unopened = await problemOf(never.host.connect());
  assert.equal(unopened.kind, 'timeout');
  assert.match(unopened.detail, /did not answer within 1 s/);
  const { url } = await serve(t, { onConnection: () => undefined });
  const unanswered = await problemOf(supervise(t, { url }, { seconds: 1 }).host.connect());
  assert.equal(unanswered.kind, 'timeout');
  assert.match(unanswered.detail, /connected, but did not answer/);
});

test('a start is given up while it connects', async t => {
  const silent = createServer().listen(0, '127.0.0.1');
  t.after(() => silent.close());
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const accepted = once(silent, 'connection');
  const { host } = supervise(t, { url: `ws://127.0.0.1:${port}` });
  const connecting = host.connect();
  const failed = assert.rejects(connecting, (error: AgentError) =>
    /stopped/.test(error.problem.title),
  );
  const [socket] = (await accepted) as [NodeJS.Socket & NodeJS.EventEmitter];
  const closed = once(socket, 'close');
  (socket as unknown as NodeJS.ReadableStream).resume();
  await host.stop();
  await failed;
  await closed;
  assert.equal(host.status.kind, 'stopped');
});

test('a server that speaks something else is no ACP agent', async t => {
  const talks = (first: string) => ({
    onConnection: (socket: WebSocket) => {
      socket.on('message', () => socket.send(first));
    },
  });
  const garbage = await serve(t, talks('hello, who are you?'));
  const problem = await problemOf(
    supervise(t, { url: garbage.url }, { seconds: 1 }).host.connect(),
  );
  assert.equal(problem.kind, 'notAcp');
  assert.deepEqual(problem.output, ['hello, who are you?']);
  const closes = await serve(t, {
    onConnection: socket => socket.on('message', () => socket.close(1003, 'No JSON, please')),
  });
  const early = await problemOf(supervise(t, { url: closes.url }).host.connect());
  assert.match(early.title, /closed the connection before it was ready/);
  assert.match(early.detail, /1003: No JSON, please/);
});

test('binary messages and garbage between messages do no harm', async t => {
  const server = await serve(t);
  const { host } = supervise(t, { url: server.url });
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

test('a message beyond the limit is left out; one far beyond it ends the connection', async t => {
  const server = await serve(t);
  const { host } = supervise(t, { url: server.url });
  const link = await host.connect();
  const { chat, sessionId } = await Chat.open(link);
  const sent = (bytes: number) => {
    const content = { type: 'text', text: 'x'.repeat(bytes) };
    const params = { sessionId, update: { sessionUpdate: 'agent_message_chunk', content } };
    server.socket().send(JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params }));
  };
  sent(100_000);
  await link.prompt(prompt(sessionId, 'next'));
  assert.doesNotMatch(chat.text, /x{1000}/);
  assert.match(chat.text, /next$/);
  const failed = new Promise<string>(resolve => {
    host.onDidChangeStatus(status => {
      if (status.kind === 'failed') resolve(status.problem.detail);
    });
  });
  sent(1_000_000);
  assert.match(await failed, /longer than .* Raise parley\.limits\.lineBytes/);
});

test('an agent on a server is not let go: nobody knows what it runs there', async t => {
  const server = await serve(t);
  const options = { idleMinutes: () => 1, children: () => new Set<string>() };
  const { host } = supervise(t, server, options);
  const lease = host.lease();
  await host.connect();
  t.mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => t.mock.timers.reset());
  lease.use('nothing');
  for (let n = 0; n < 5; n += 1) t.mock.timers.tick(60_000);
  assert.equal(host.status.kind, 'ready');
  t.mock.timers.reset();
});
