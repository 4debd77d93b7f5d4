/** What lets the user in: it reaches the official SDK's server, a process of its own, and stands nowhere else. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { nullLogger } from '../../../src/base/logger';
import { Masker } from '../../../src/agents/masker';
import type { AgentSecrets, SignInPrompts } from '../../../src/agents/signIn';
import type { AgentSupervisorOptions } from '../../../src/agents/supervisor';
import { exportedTraffic } from '../../../src/agents/traffic/exportTraffic';
import { TrafficRing } from '../../../src/agents/traffic/trafficRing';
import { ChatHistory } from '../../../src/session/history/chatHistory';
import { FileHistoryStorage } from '../../../src/vscode/chats/fileHistoryStorage';
import { world } from '../session/world';
import { WIRES } from './remoteServer';
import { serve, supervise } from './remoteSupport';
import { serverProcess } from './serverProcess';
import { problemOf, recordingLogger } from './support';

const TOKEN = 'pat-0123456789';
const KEY = 'key-abcdefghij';
const PASSWORD = 'pass-ABCDEFGHIJ';
const ROOM = 'room-9876543210';
const ALL = [TOKEN, KEY, PASSWORD, ROOM];

/** A secret storage, and a user who types the same in each time. */
function typist(given: string | undefined) {
  const kept = new Map<string, Record<string, string>>();
  const asked: string[][] = [];
  const secrets: AgentSecrets = {
    get: name => Promise.resolve(kept.get(name) ?? {}),
    add: (name, values) => Promise.resolve(void kept.set(name, { ...kept.get(name), ...values })),
    forget: name => Promise.resolve(void kept.delete(name)),
  };
  const signIn: SignInPrompts = {
    runInTerminal: () => assert.fail('a terminal was opened'),
    askVariables: (_agent, { variables }) => {
      const names = variables.map(({ name }) => name);
      asked.push(names);
      return Promise.resolve(
        given === undefined ? undefined : Object.fromEntries(names.map(name => [name, given])),
      );
    },
  };
  return { kept, asked, secrets, signIn };
}

/** All that is written down about an agent while it runs. */
function records() {
  const masker = new Masker();
  const ring = new TrafficRing();
  const { log, logger } = recordingLogger();
  const host: Partial<AgentSupervisorOptions> = {
    logger,
    mask: masker.mask,
    onSecrets: values => masker.add(values),
    tap: message => ring.add(message),
  };
  return { masker, ring, log, host };
}

for (const wire of WIRES) {
  describe(`over ${wire}`, () => {
    test('variables and what is kept in the secret storage reach the server, and are not written down', async t => {
      // The agent complains about all that it was given.
      const text = ALL.join(' ');
      const server = await serverProcess(t, wire, {
        resumeFails: { code: -32603, message: text },
        capabilities: { sessionCapabilities: { resume: {} } },
      });
      const { masker, ring, log, host } = records();
      const { secrets, signIn, asked } = typist(KEY);
      const url = new URL(server.url);
      url.search = '?room=${env:ROOM}';
      const address = url.href
        .replace('//', `//me:${PASSWORD}@`)
        .replace(/%7B/g, '{')
        .replace(/%7D/g, '}');
      const headers = {
        'X-Token': 'Bearer ${env:GH_PAT}',
        'X-Key': '${input:API_KEY}',
      };
      const environment = { get: () => Promise.resolve({ GH_PAT: TOKEN, ROOM }) };
      const it = await world(
        {},
        { url: address, headers, host: { ...host, environment, secrets, signIn } },
      );
      t.after(() => it.end());
      const folder = mkdtempSync(path.join(tmpdir(), 'parley-chats-'));
      t.after(() => rmSync(folder, { recursive: true }));
      const clock = {
        now: () => 5,
        newId: () => 'id',
        after: () => ({ dispose() {} }),
      };
      const history = new ChatHistory(it.chats, new FileHistoryStorage(folder), clock, nullLogger);
      t.after(() => history.dispose());
      await history.start();
      await it.run([]);

      assert.deepEqual(asked, [['API_KEY']]);
      for (const request of server.requests) {
        assert.equal(request.headers['x-token'], `Bearer ${TOKEN}`);
        assert.equal(request.headers['x-key'], KEY);
        const basic = Buffer.from(`me:${PASSWORD}`).toString('base64');
        assert.equal(request.headers.authorization, `Basic ${basic}`);
        assert.equal(request.url, `/acp?room=${ROOM}`);
      }
      assert.ok(server.requests.length > 0);

      await server.kill();
      await it.until(({ connection }) => connection.kind === 'starting');
      await server.again();
      await it.until(({ connection }) => connection.kind === 'failed');
      await history.flush();
      const files = readdirSync(folder).map(name => readFileSync(path.join(folder, name), 'utf8'));
      const traffic = exportedTraffic({
        agent: 'Program',
        version: '0',
        ring,
        sessionId: it.state.sessionId,
        others: new Set(),
        mask: masker.mask,
        now: { time: Date.now(), ring: performance.now() },
      });
      assert.match(traffic ?? '', /session\/prompt/);
      const basic = Buffer.from(`me:${PASSWORD}`).toString('base64').slice(6, -4);
      for (const secret of [...ALL, basic]) {
        for (const [what, where] of [
          // As the logs of the window do.
          ['the log', masker.mask(log.join('\n'))],
          ['the traffic', traffic ?? ''],
          ['the chat', JSON.stringify(it.state)],
          ['a file', files.join('\n')],
        ] as const) {
          assert.ok(!where.includes(secret), `${secret} is in ${what}: ${where}`);
        }
      }
      const { connection } = it.state;
      assert.ok(connection.kind === 'failed');
      assert.match(connection.problem.detail, /^••• ••• ••• •••/);
      assert.match(traffic ?? '', /"message":"••• ••• ••• •••"/);
      assert.match(it.state.agent.place ?? '', /^127\.0\.0\.1:\d+$/);
    });

    test('what a server refuses is forgotten, and asked for again', async t => {
      const server = await serve(t, { wire, refuse: 401 });
      const { secrets, signIn, asked, kept } = typist(KEY);
      const { host } = supervise(
        t,
        { url: server.url, headers: { 'X-Key': '${input:API_KEY}' } },
        { secrets, signIn },
      );
      const problem = await problemOf(host.connect());
      assert.match(problem.detail, /HTTP 401.*Try again, and enter API_KEY once more/);
      assert.equal(problem.actions[0], 'retry');
      assert.deepEqual([...kept.values()], []);
      await problemOf(host.connect());
      assert.equal(asked.length, 2);
      assert.equal(
        server.requests.every(({ headers }) => headers['x-key'] === KEY),
        true,
      );
    });
  });
}

test('who gives no value is told what for, and is asked once more with Retry', async t => {
  const server = await serve(t, {});
  const nobody = typist(undefined);
  const { host } = supervise(
    t,
    { url: server.url, headers: { 'X-Key': '${input:API_KEY}' } },
    nobody,
  );
  const problem = await problemOf(host.connect());
  assert.match(problem.title, /Remote was not connected/);
  assert.match(problem.detail, /need API_KEY\. Try again to enter it/);
  assert.equal(problem.actions[0], 'retry');
  await problemOf(host.connect());
  assert.equal(nobody.asked.length, 2);
  assert.equal(server.requests.length, 0);
});

test('what was entered for one server is not sent to another', async t => {
  const [one, other] = [await serve(t, {}), await serve(t, {})];
  const { secrets, signIn, asked } = typist(KEY);
  const headers = { 'X-Key': '${input:API_KEY}' };
  for (const { url } of [one, other, one]) {
    const { host } = supervise(t, { url, headers }, { secrets, signIn });
    await host.connect();
  }
  assert.equal(asked.length, 2);
});

test('signing out forgets it', async t => {
  const server = await serve(t, {});
  const { secrets, signIn, asked } = typist(KEY);
  const headers = { 'X-Key': '${input:API_KEY}' };
  const { host } = supervise(t, { url: server.url, headers }, { secrets, signIn });
  await host.connect();
  await host.stop();
  await host.connect();
  assert.equal(asked.length, 1);
  await host.signOut();
  await host.connect();
  assert.equal(asked.length, 2);
});

test('an address that is none, or redirects, is shown without what lets the user in', async t => {
  const detail = async (it: TestContext, url: string) =>
    (await problemOf(supervise(it, { url }).host.connect())).detail;
  const wrong = await detail(t, `wss://me:${PASSWORD}?x@host name/acp?key=${TOKEN}`);
  assert.match(wrong, /not a valid address: wss:\/\/host name\/acp/);
  assert.doesNotMatch(wrong, new RegExp(ALL.join('|')));
  const location = `https://me:${PASSWORD}@b.example/acp?key=${TOKEN}`;
  const { url } = await serve(t, { refuse: 307, location });
  const { host, log } = supervise(t, { url });
  const moved = await problemOf(host.connect());
  assert.match(moved.detail, /redirects to https:\/\/b\.example\/acp \(HTTP 307\)/);
  assert.doesNotMatch(log.join('\n'), new RegExp(ALL.join('|')));
});
