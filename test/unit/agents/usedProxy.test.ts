/** An agent that does not get through says by which proxy it tried, and where that is set. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { before, test } from 'node:test';
import { usedProxy, withNetworkOf } from '../../../src/agents/process/proxyEnvironment';
import { withUsedProxy } from '../../../src/agents/startProblems';
import type { Problem } from '../../../src/session/state/state';
import { Chat, FIXTURES, problemOf, prompt, rig } from './support';

let proxy = '';

/** An address where nobody listens (any more). */
before(async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy = `http://me:hidden@127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.close();
  await once(server, 'close');
});

const PATH = process.env['PATH'] ?? '';

for (const when of ['start', 'turn', 'answer'] as const) {
  for (const [from, where] of [
    ['setting', /from the setting "http\.proxy"/],
    ['shell', /from your login shell/],
    ['agent', /from "env" in its settings/],
  ] as const) {
    test(`a failed connection (${when}) names the proxy that comes from: ${from}`, async t => {
      const { host } = rig(t, 'failsToConnect', {
        definition: {
          environment: 'loginShell',
          args: [path.join(FIXTURES, 'failsToConnect.mjs'), when],
          env: from === 'agent' ? { HTTPS_PROXY: proxy } : {},
        },
        environment: {
          get: () =>
            Promise.resolve({
              PATH,
              ...(from === 'shell' && { https_proxy: proxy, HTTPS_PROXY: proxy }),
            }),
        },
        proxy: () => (from === 'setting' ? { proxy } : {}),
      });
      const text = async () => {
        if (when === 'start') return (await problemOf(host.connect())).detail;
        const link = await host.connect();
        const { sessionId } = await Chat.open(link);
        const asked = link.prompt(prompt(sessionId, 'hello'));
        if (when === 'turn') return (await problemOf(asked)).detail;
        await assert.rejects(asked, /ECONNREFUSED/);
        return link.network ?? '';
      };
      const said = await text();
      assert.match(said, where);
      assert.ok(said.includes(proxy.replace('me:hidden', '•••')), said);
      assert.doesNotMatch(said, /hidden/);
    });
  }
}

test('without a proxy nothing is said of one', async t => {
  const { host } = rig(t, 'failsToConnect');
  assert.doesNotMatch((await problemOf(host.connect())).detail, /proxy/);
});

const failure = (line: string): Problem => ({
  kind: 'crashed',
  title: 'A crashed',
  detail: 'It ended.',
  output: ['before', line],
  actions: [],
});

for (const [isOne, lines] of [
  [
    true,
    [
      'Error: connect ECONNREFUSED 127.0.0.1:3128',
      'getaddrinfo ENOTFOUND api.example',
      'TypeError: fetch failed',
      'error: socket hang up',
      'request failed: Connection refused (os error 111)',
      'curl: (6) Could not resolve host: api.example',
      'tunneling socket could not be established, statusCode=407',
      'Proxy error: 503',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'self signed certificate in certificate chain',
      'unable to verify the first certificate',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'SSL: CERTIFICATE_VERIFY_FAILED',
      'connection timed out',
    ],
  ],
  [false, ['out of memory', 'the API key is missing', 'usage: agent --proxy ADDRESS', 'exit 407']],
] as const) {
  for (const line of lines) {
    test(`${isOne ? 'a' : 'no'} failed connection: ${line}`, () => {
      const told = withUsedProxy(failure(line), { address: 'http://p:1', from: 'shell' });
      assert.equal(told.detail.includes('http://p:1'), isOne);
      assert.equal(withUsedProxy(failure(line), undefined).detail, 'It ended.');
    });
  }
}

test('which proxy counts, and who says so', () => {
  const say = (name: string, value = 'http://x:1') => ({ [name]: value });
  assert.equal(usedProxy({}, {}, {}), undefined);
  assert.equal(usedProxy(say('https_proxy', ''), {}, {}), undefined);
  assert.deepEqual(usedProxy(say('all_proxy'), {}, say('all_proxy')), {
    address: 'http://x:1',
    from: 'shell',
  });
  assert.deepEqual(
    usedProxy({ ...say('HTTP_PROXY'), ...say('HTTPS_PROXY', 'http://y:2') }, {}, say('HTTP_PROXY')),
    { address: 'http://y:2', from: 'setting' },
  );
});

test('servers of an agent are given its network, unless they say it themselves', () => {
  const agent = {
    PATH,
    HTTPS_PROXY: 'http://x:1',
    no_proxy: 'localhost',
    NODE_EXTRA_CA_CERTS: '/ca',
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
  };
  const { PATH: _, ...network } = agent;
  assert.deepEqual(withNetworkOf(agent, { A: 'b' }), { ...network, A: 'b' });
  assert.deepEqual(withNetworkOf(agent, { http_proxy: '', NODE_EXTRA_CA_CERTS: '/own' }), {
    http_proxy: '',
    NODE_EXTRA_CA_CERTS: '/own',
    no_proxy: 'localhost',
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
  });
});
