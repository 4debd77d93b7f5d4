/** What only streamable HTTP has: requests one by one, streams of sessions, cookies, and what servers say in HTTP. */
import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import { Deferred } from '../../../src/base/deferred';
import { eventually } from '../../workbench/eventually';
import type { Wire } from './remoteServer';
import { chatWith, failureOf, say, serve, supervise, textOf } from './remoteSupport';
import { Chat, problemOf, prompt } from './support';

const isPost = ({ method }: IncomingMessage) => method === 'POST';
const isStreamOfSession = ({ method, headers }: IncomingMessage) =>
  method === 'GET' && headers['acp-session-id'] !== undefined;

for (const wire of ['http', 'http2'] satisfies Wire[]) {
  describe(`over ${wire}`, () => {
    test('the version of HTTP is the best that the server speaks', async t => {
      const server = await serve(t, { wire });
      await supervise(t, server).host.connect();
      const expected = wire === 'http' ? '1.1' : '2.0';
      assert.ok(server.requests.every(({ httpVersion }) => httpVersion === expected));
    });

    test('cookies come back with every request, and with the next connection', async t => {
      const server = await serve(t, {
        wire,
        onRequest: (request, response) => {
          if (isPost(request) && request.headers['acp-connection-id'] === undefined) {
            response.setHeader('Set-Cookie', ['at=one; Path=/; HttpOnly', 'gone=1; Max-Age=0']);
          }
          return Promise.resolve(true);
        },
      });
      const { host } = supervise(t, { url: server.url, headers: { cookie: 'own=me' } });
      await Chat.open(await host.connect());
      const [first, ...later] = server.requests.map(({ headers }) => headers.cookie);
      assert.equal(first, 'own=me');
      assert.ok(later.length >= 2);
      assert.ok(later.every(cookie => cookie === 'own=me; at=one'));
      await host.stop();
      await host.connect();
      assert.equal(server.connections, 2);
      const last = server.requests.findLast(request => !request.headers['acp-connection-id']);
      assert.equal(last?.headers.cookie, 'own=me; at=one');
    });

    test('the last lease ends the connection, and says so', async t => {
      const server = await serve(t, { wire });
      const { host } = supervise(t, server);
      const lease = host.lease();
      await host.connect();
      lease.dispose();
      const isDeleted = () => server.requests.some(({ method }) => method === 'DELETE');
      await eventually('the server is told', () => Promise.resolve(isDeleted()));
      assert.equal(host.status.kind, 'stopped');
    });

    test('a stream that is slow to begin loses nothing, and what is asked waits for it', async t => {
      const begin = new Deferred<boolean>();
      const server = await serve(t, {
        wire,
        onRequest: request => (isStreamOfSession(request) ? begin.promise : Promise.resolve(true)),
      });
      const it = await chatWith(t, server);
      const turn = say(it, 'stream');
      await eventually('the stream is asked for', () =>
        Promise.resolve(server.requests.some(isStreamOfSession)),
      );
      assert.equal(it.state.commands.length, 0);
      begin.resolve(true);
      assert.match(textOf(await turn.ended()), /^0 1 2 .* 98 99 $/);
      assert.equal(it.state.commands[0]?.name, 'early');
    });

    test('messages are sent one after the other, however slow the server is', async t => {
      const answered: boolean[] = [];
      let last: ServerResponse | undefined;
      const server = await serve(t, {
        wire,
        onRequest: async (request, response) => {
          if (!isPost(request)) return true;
          answered.push(last?.writableEnded ?? true);
          last = response;
          await new Promise(resolve => setImmediate(resolve));
          return true;
        },
      });
      const link = await supervise(t, server).host.connect();
      const { chat, sessionId } = await Chat.open(link);
      await Promise.all(['a', 'b', 'c', 'd'].map(words => link.prompt(prompt(sessionId, words))));
      assert.equal(chat.text, 'abcd');
      assert.ok(answered.length >= 6 && answered.every(Boolean));
    });

    test('a session that is closed has no stream any more', async t => {
      const ended = new Deferred<void>();
      const server = await serve(t, {
        wire,
        onRequest: (request, response) => {
          if (isStreamOfSession(request)) response.on('close', () => ended.resolve());
          return Promise.resolve(true);
        },
      });
      const link = await supervise(t, server).host.connect();
      const { sessionId } = await Chat.open(link);
      await link.closeSession({ sessionId });
      await ended.promise;
      const { chat, sessionId: next } = await Chat.open(link);
      await link.prompt(prompt(next, 'goes on'));
      assert.equal(chat.text, 'goes on');
    });

    test('a request that is refused fails alone', async t => {
      let refused = 0;
      const server = await serve(t, {
        wire,
        onRequest: (request, response) => {
          const isFirst = isPost(request) && request.headers['acp-session-id'] && !refused;
          if (!isFirst) return Promise.resolve(true);
          refused += 1;
          request.resume();
          response.writeHead(413).end();
          return Promise.resolve(false);
        },
      });
      const link = await supervise(t, server).host.connect();
      const { chat, sessionId } = await Chat.open(link);
      await assert.rejects(
        link.prompt(prompt(sessionId, 'too much')),
        /larger than the server allows \(HTTP 413\)/,
      );
      await link.prompt(prompt(sessionId, 'less'));
      assert.equal(chat.text, 'less');
    });

    test('a connection that the server has forgotten, or does not allow any more, ends', async t => {
      for (const [status, expected] of [
        [404, /no longer knows the connection \(HTTP 404\)/],
        [401, /refused access \(HTTP 401\). Correct "headers"/],
      ] as const) {
        let isForgotten = false;
        const server = await serve(t, {
          wire,
          onRequest: (_request, response) => {
            if (isForgotten) response.writeHead(status).end();
            return Promise.resolve(!isForgotten);
          },
        });
        const { host } = supervise(t, server);
        const link = await host.connect();
        const { sessionId } = await Chat.open(link);
        const failure = failureOf(host);
        isForgotten = true;
        await assert.rejects(link.prompt(prompt(sessionId, 'hello')));
        assert.match(await failure, expected);
      }
    });

    test('what is no answer of ACP is shown', async t => {
      const answers = (status: number, headers: Record<string, string>, body = '') => ({
        onRequest: (request: IncomingMessage, response: ServerResponse) => {
          request.resume();
          response.writeHead(status, headers).end(body);
          return Promise.resolve(false);
        },
      });
      const json = { 'content-type': 'application/json; charset=utf-8' };
      const cases: [ReturnType<typeof answers>, RegExp, RegExp][] = [
        [answers(200, { 'content-type': 'text/html' }, '<h1>'), /does not speak/, /"text\/html"/],
        [answers(200, {}, 'hello'), /does not speak/, /not JSON/],
        [answers(200, json, '[1]'), /does not speak/, /is not an ACP message/],
        [
          answers(200, json, '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}'),
          /does not speak/,
          /no header "Acp-Connection-Id"/,
        ],
        [answers(500, json, '{"message":"oh"}'), /not be reached/, /HTTP 500/],
        [
          answers(500, json, '{"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"No key"}}'),
          /could not initialize/,
          /No key/,
        ],
      ];
      for (const [answer, title, detail] of cases) {
        const server = await serve(t, { wire, ...answer });
        const problem = await problemOf(supervise(t, server).host.connect());
        assert.match(problem.title, title);
        assert.match(problem.detail, detail);
      }
    });

    test('a stream that is none ends the connection', async t => {
      const server = await serve(t, {
        wire,
        onRequest: (request, response) => {
          if (isPost(request)) return Promise.resolve(true);
          response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>');
          return Promise.resolve(false);
        },
      });
      const { host } = supervise(t, server);
      const failure = failureOf(host);
      await host.connect().catch(() => undefined);
      assert.match(await failure, /"text\/html" instead of "text\/event-stream"/);
    });
  });
}
