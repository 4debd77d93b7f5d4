/** Agents on servers, over each wire: chats with the official SDK's server, and servers that do otherwise. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { RemoteAgent } from '../../../src/agents/definitions';
import type { AgentError } from '../../../src/session/ports';
import { choose } from '../session/choose';
import { REPLAYED } from './remoteAgent';
import { remoteServer, WIRES, type Wire } from './remoteServer';
import {
  chatWith,
  failureOf,
  relay,
  say,
  serve,
  silentServer,
  supervise,
  textOf,
} from './remoteSupport';
import { Chat, problemOf, prompt } from './support';

const SCHEMES: Readonly<Record<Wire, string>> = { webSocket: 'ws', http: 'http', http2: 'http' };

/** How often the other side is asked whether it is there. */
const PING_MS = 25_000;

for (const wire of WIRES) {
  const scheme = SCHEMES[wire];
  describe(`over ${wire}`, () => {
    test('a prompt streams its answer, in order', async t => {
      const it = await chatWith(t, await serve(t, { wire }));
      const state = await say(it, 'stream').ended();
      assert.equal(textOf(state), Array.from({ length: 100 }, (_, index) => `${index} `).join(''));
      assert.equal(state.turns.at(-1)?.end?.reason, 'end_turn');
    });

    test('what is said of a session before it was there is not lost', async t => {
      const it = await chatWith(t, await serve(t, { wire }));
      const { commands } = await it.until(state => state.commands.length > 0);
      assert.equal(commands[0]?.name, 'early');
    });

    test('a session that is loaded is told before the answer', async t => {
      const server = await serve(t, { wire });
      const link = await supervise(t, server).host.connect();
      const chat = new Chat();
      link.attach('earlier', chat);
      await link.loadSession({ sessionId: 'earlier', cwd: '/', mcpServers: [] });
      assert.equal(chat.updates.length, REPLAYED);
      assert.match(chat.text, /^0 1 2 .* 498 499 $/);
    });

    test('a request for permission is asked, and its answer reaches the agent', async t => {
      const server = await serve(t, { wire });
      const it = await chatWith(t, server);
      const turn = say(it, 'ask');
      const { permissions } = await it.until(state => state.permissions.length > 0);
      assert.ok(choose(it.chat.controller, permissions[0]?.id, 'yes'));
      await turn.ended();
      assert.deepEqual(server.events, [{ outcome: { outcome: 'selected', optionId: 'yes' } }]);
    });

    test('files are read and written through the editor', async t => {
      const it = await chatWith(t, await serve(t, { wire }));
      writeFileSync(path.join(it.cwd, 'from.txt'), 'quiet');
      const to = path.join(it.cwd, 'to.txt');
      await say(it, `copy ${path.join(it.cwd, 'from.txt')} ${to}`).ended();
      assert.equal(readFileSync(to, 'utf8'), 'QUIET');
    });

    test('a turn is cancelled, and the next one goes on', async t => {
      const it = await chatWith(t, await serve(t, { wire }));
      const turn = say(it, 'wait');
      await it.until(state => textOf(state) === 'waiting');
      it.chat.controller.stop();
      assert.equal((await turn.ended()).turns.at(-1)?.end?.reason, 'cancelled');
      assert.match(textOf(await say(it, 'still here').ended()), /still here$/);
    });

    test('a connection that breaks in a turn interrupts it, and is made again by itself', async t => {
      const server = await serve(t, { wire });
      const it = await chatWith(t, server);
      const turn = say(it, 'wait');
      await it.until(state => textOf(state) === 'waiting');
      server.breakOff();
      const { turns } = await turn.ended();
      assert.equal(turns.at(-1)?.end?.reason, 'interrupted');
      await it.until(({ connection }) => connection.kind === 'ready' && server.connections === 2);
      assert.match(textOf(await say(it, 'back again').ended()), /back again$/);
      assert.equal(server.connections, 2);
    });

    test('one that breaks while nothing is asked is made again by itself', async t => {
      const server = await serve(t, { wire });
      const it = await chatWith(t, server);
      server.breakOff();
      await it.until(({ connection }) => connection.kind === 'ready' && server.connections === 2);
      assert.match(textOf(await say(it, 'back again').ended()), /back again$/);
    });

    // Over HTTP/1.1 nothing can be asked: the system finds it out.
    test('one that is lost without a word is noticed', { skip: wire === 'http' }, async t => {
      t.mock.timers.enable({ apis: ['setInterval'] });
      const server = await serve(t, { wire });
      const between = await relay(t, server);
      const { host } = supervise(t, between);
      const link = await host.connect();
      const { chat, sessionId } = await Chat.open(link);
      for (const words of ['one', 'two', 'three']) {
        t.mock.timers.tick(PING_MS);
        await link.prompt(prompt(sessionId, words));
      }
      assert.equal(chat.text, 'onetwothree');
      assert.equal(server.connections, 1);
      between.lose();
      const failure = failureOf(host);
      t.mock.timers.tick(PING_MS);
      t.mock.timers.tick(PING_MS);
      assert.match(await failure, /no longer answers/);
    });

    test('headers and the address take variables, which logs do not show', async t => {
      const server = await serve(t, { wire });
      const secrets: string[] = [];
      const { host, log } = supervise(
        t,
        {
          url: `${server.url}?room=\${env:ROOM}`,
          headers: { Authorization: 'Bearer ${env:GH_PAT}' },
        },
        {
          environment: { get: () => Promise.resolve({ GH_PAT: 'pat-1234', ROOM: 'blue' }) },
          onSecrets: values => void secrets.push(...values),
        },
      );
      await Chat.open(await host.connect());
      for (const { headers, url } of server.requests) {
        assert.equal(headers.authorization, 'Bearer pat-1234');
        assert.equal(url, '/acp?room=blue');
      }
      assert.ok(['pat-1234', 'Bearer pat-1234', 'blue'].every(value => secrets.includes(value)));
      assert.doesNotMatch(log.join('\n'), /pat-1234|blue/);
    });

    test('a user in the address is who asks', async t => {
      const server = await serve(t, { wire });
      const { host, log } = supervise(t, { url: server.url.replace('//', '//me:secret@') });
      await host.connect();
      const basic = `Basic ${Buffer.from('me:secret').toString('base64')}`;
      assert.equal(server.requests[0]?.headers.authorization, basic);
      assert.doesNotMatch(log.join('\n'), /secret/);
    });

    test('a server is offered no terminal to sign in with, and offers only what it does itself', async t => {
      const server = await serve(t, {
        wire,
        initialized: {
          authMethods: [
            { id: 'own', name: 'Own' },
            { id: 'tui', name: 'Terminal', type: 'terminal', args: ['login'] },
            { id: 'old', name: 'Old', _meta: { 'terminal-auth': { command: 'rm' } } },
            { id: 'key', name: 'Key', type: 'env_var', vars: [{ name: 'KEY' }] },
          ],
        },
      });
      const sent: object[] = [];
      const { host } = supervise(t, server, {
        tap: ({ direction, json }) =>
          void (direction === 'send' && sent.push(JSON.parse(json) as object)),
      });
      await host.connect();
      assert.deepEqual(
        host.authMethods().map(({ id }) => id),
        ['own'],
      );
      assert.doesNotMatch(JSON.stringify(sent[0]), /terminal-auth|"auth"/);
      assert.equal(await host.signIn('own', new AbortController().signal), true);
      assert.deepEqual(server.events, [{ authenticated: 'own' }]);
    });

    // The SDK's server takes one first request over a WebSocket.
    const asksOnce = wire === 'webSocket';
    test(
      'an agent that refuses a newer version is asked for the older one',
      { skip: asksOnce },
      async t => {
        const server = await serve(t, { wire, refusesNewer: true });
        const { host } = supervise(t, server);
        const link = await host.connect();
        assert.equal(link.initialized.protocolVersion, 1);
        const { chat, sessionId } = await Chat.open(link);
        await link.prompt(prompt(sessionId, 'old ways'));
        assert.equal(chat.text, 'old ways');
      },
    );

    test('what the first request is refused with is said with what to do', async t => {
      const cases: [number, RegExp][] = [
        [401, /refused access \(HTTP 401\).*Correct "headers"/],
        [403, /refused access \(HTTP 403\).*Correct "headers"/],
        [404, /nothing at \w+:.*HTTP 404.*Check "url"/],
        [204, /answered HTTP 204 instead.*Check "url"/],
        [503, /answered HTTP 503 instead/],
        [308, /redirects to https:\/\/b\.example\/acp \(HTTP 308\).*If you trust that address/],
      ];
      for (const [refuse, expected] of cases) {
        const location = refuse === 308 ? 'https://b.example/acp' : undefined;
        const { url } = await serve(t, { wire, refuse, ...(location && { location }) });
        const problem = await problemOf(supervise(t, { url }).host.connect());
        assert.match(problem.title, /could not be reached/);
        assert.match(problem.detail, expected);
        assert.deepEqual(problem.actions, ['retry', 'editAgents', 'showLog']);
      }
    });

    test('nothing listens, nobody has that name, no variable has that value, no TLS is spoken', async t => {
      const { url, close } = await remoteServer({ wire });
      const detail = async (definition: Partial<RemoteAgent> & { url: string }) =>
        (await problemOf(supervise(t, definition).host.connect())).detail;
      assert.match(await detail({ url: url.replace(':', 's:') }), /does not speak TLS|failed/);
      await close();
      assert.match(await detail({ url }), new RegExp(`Nothing listens at ${scheme}:`));
      assert.match(await detail({ url: `${scheme}://no-such-host.invalid` }), /not found|failed/);
      assert.match(await detail({ url: '${env:NOWHERE}' }), /NOWHERE is not set/);
      assert.match(await detail({ url: 'ftp://${userHome}' }), /supports only "https:", "http:"/);
      assert.match(
        await detail({ url, headers: { A: 'b\r\nc' } }),
        /not configured|Invalid character/,
      );
    });

    test('a server that accepts and says nothing is given up in time', async t => {
      const { at } = await silentServer(t);
      const never = supervise(t, { url: at(scheme) }, { seconds: 1 });
      const unopened = await problemOf(never.host.connect());
      assert.equal(unopened.kind, 'timeout');
      assert.match(unopened.detail, /did not answer within 1 s/);
      const silent = {
        onConnection: () => undefined,
        onRequest: () => new Promise<boolean>(() => undefined),
      };
      const { url } = await serve(t, { wire, ...silent });
      const unanswered = await problemOf(supervise(t, { url }, { seconds: 1 }).host.connect());
      assert.equal(unanswered.kind, 'timeout');
      assert.match(unanswered.detail, /connected, but did not answer/);
    });

    test('a start is given up while it connects', async t => {
      const { server: silent, at } = await silentServer(t);
      const accepted = once(silent, 'connection');
      const { host } = supervise(t, { url: at(scheme) });
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

    test('a message beyond the limit is left out; one far beyond it ends the connection', async t => {
      const server = await serve(t, { wire });
      const { host } = supervise(t, server);
      const link = await host.connect();
      const { chat, sessionId } = await Chat.open(link);
      await link.prompt(prompt(sessionId, 'say 100000'));
      await link.prompt(prompt(sessionId, 'next'));
      assert.doesNotMatch(chat.text, /x{1000}/);
      assert.match(chat.text, /next$/);
      const failure = failureOf(host);
      await assert.rejects(link.prompt(prompt(sessionId, 'say 1000000')));
      assert.match(await failure, /longer than .* Raise parley\.limits\.lineBytes/);
    });

    test('an agent on a server is not let go: nobody knows what it runs there', async t => {
      const server = await serve(t, { wire });
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
  });
}
