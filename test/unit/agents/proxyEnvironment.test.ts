import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  mayUseProxy,
  proxySecrets,
  withProxy,
  type ProxySettings,
} from '../../../src/agents/process/proxyEnvironment';
import type { Env } from '../../../src/agents/process/environmentVariables';
import { rig } from './support';

const PROXY = 'http://proxy:3128';
const both = (name: string, value: string) => ({ [name]: value, [name.toLowerCase()]: value });
const SET = { ...both('HTTP_PROXY', PROXY), ...both('HTTPS_PROXY', PROXY) };

describe(
  'what VS Code knows of the network reaches agents',
  { skip: process.platform === 'win32' },
  () => {
    const cases: readonly [string, Env, ProxySettings, Env][] = [
      ['nothing set', {}, {}, {}],
      ['an empty proxy', {}, { proxy: '' }, {}],
      ['a proxy', {}, { proxy: PROXY }, SET],
      [
        'hosts without it',
        {},
        { proxy: PROXY, noProxy: ['localhost', '.corp'] },
        { ...SET, ...both('NO_PROXY', 'localhost,.corp') },
      ],
      ['hosts alone', {}, { noProxy: ['localhost'] }, {}],
      ['any certificate', {}, { strictSsl: false }, { NODE_TLS_REJECT_UNAUTHORIZED: '0' }],
      ["the system's certificates", {}, { certificates: '/ca' }, { NODE_EXTRA_CA_CERTS: '/ca' }],
    ];
    for (const [what, env, settings, expected] of cases) {
      test(what, () => assert.deepEqual(withProxy(env, settings), expected));
    }
    for (const [name, value] of [
      ['HTTP_PROXY', 'http://own'],
      ['https_proxy', 'http://own'],
      ['all_proxy', ''],
      ['NO_PROXY', '*'],
      ['NODE_TLS_REJECT_UNAUTHORIZED', '1'],
      ['NODE_EXTRA_CA_CERTS', '/own'],
    ] as const) {
      test(`unless the shell says ${name}`, () => {
        const all = { proxy: PROXY, noProxy: ['a'], strictSsl: false, certificates: '/ca' };
        const env = withProxy({ [name]: value }, all);
        assert.equal(env[name], value);
        if (/_proxy$/i.test(name) && !/^no/i.test(name)) assert.equal(env['http_proxy'], undefined);
      });
    }
  },
);

for (const [address, secrets] of [
  ['http://host:1', []],
  ['host:8080', []],
  ['user:pw@host:8080', ['user:pw', 'pw']],
  ['http://u:p@ss@host', ['u:p@ss', 'p@ss']],
  ['http://token@host', ['token', 'token']],
] as const) {
  test(`secrets of the proxy ${address}`, () => {
    for (const name of ['https_proxy', 'ALL_PROXY']) {
      assert.deepEqual(proxySecrets({ [name]: address }), secrets);
    }
    assert.deepEqual(proxySecrets({ OTHER: address }), []);
  });
}

test("the proxy's password is masked, from the shell or from the settings", async t => {
  const PATH = process.env['PATH'] ?? '';
  const proxy = 'http://me:password@host:1';
  for (const [env, setting] of [
    [{ PATH, ALL_PROXY: proxy }, ''],
    [{ PATH }, proxy],
  ] as const) {
    const secrets: string[] = [];
    const { host } = rig(t, 'good', {
      definition: { environment: 'loginShell' },
      environment: { get: () => Promise.resolve(env) },
      proxy: () => ({ proxy: setting }),
      onSecrets: values => secrets.push(...values),
    });
    await host.connect();
    assert.ok(secrets.includes('me:password') && secrets.includes('password'));
  }
});

test('a proxy may stand before any host but this machine', () => {
  const cases: readonly [string, Env, ProxySettings, boolean][] = [
    ['example.com', {}, {}, false],
    ['example.com', { HTTPS_PROXY: '' }, { proxy: '' }, false],
    ['example.com', { https_proxy: PROXY }, {}, true],
    ['example.com', {}, { proxy: PROXY }, true],
    ['localhost', { HTTP_PROXY: PROXY }, { proxy: PROXY }, false],
    ['[::1]', { HTTP_PROXY: PROXY }, { proxy: PROXY }, false],
  ];
  for (const [host, env, settings, expected] of cases) {
    assert.equal(mayUseProxy(host, env, settings), expected, host);
  }
});
