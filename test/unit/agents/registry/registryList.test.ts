import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  parseRegistry,
  registryPlatform,
  type Way,
} from '../../../../src/agents/registry/registryList';
import list from '../../../fixtures/registry.json';

const SHA = 'ab'.repeat(32);
const text = JSON.stringify(list)
  .replaceAll('{base}', 'https://files.test')
  .replaceAll('{sha256}', SHA);

const parse = (agents: unknown) => parseRegistry(JSON.stringify({ agents }), 'linux-x86_64');

test('every agent of the list is read, with the ways to have it on this platform', () => {
  for (const [platform, kinds] of [
    ['linux-x86_64', 'npx npx binary npx uvx npx binary uvx binary npx,binary binary'],
    ['windows-x86_64', 'npx npx binary npx uvx npx binary uvx binary npx,binary binary'],
    ['windows-aarch64', 'npx npx  npx uvx npx  uvx  npx '],
  ] as const) {
    const agents = parseRegistry(text, platform);
    assert.deepEqual(
      agents.map(({ id }) => id),
      list.agents.map(({ id }) => id),
    );
    assert.equal(agents.map(({ ways }) => ways.map(({ kind }) => kind).join()).join(' '), kinds);
  }
  const goose = parseRegistry(text, 'windows-x86_64').find(({ id }) => id === 'goose');
  assert.deepEqual(goose?.ways, [
    {
      kind: 'binary',
      archive: 'https://files.test/files/goose-windows-x86_64.zip',
      command: 'goose-package/goose.exe',
      args: ['acp'],
      env: {},
      sha256: SHA,
    },
  ]);
});

test('platforms have the names of the registry', () => {
  assert.equal(registryPlatform('win32', 'x64'), 'windows-x86_64');
  assert.equal(registryPlatform('darwin', 'arm64'), 'darwin-aarch64');
  assert.equal(registryPlatform('linux', 'x64'), 'linux-x86_64');
});

test('what is no list is refused', () => {
  for (const bad of ['', 'null', '[]', '{}', '{"agents":{}}', '<html>']) {
    assert.throws(() => parseRegistry(bad), Error, bad);
  }
});

const good = { id: 'a', name: 'A', version: '1.0.0', description: 'd' };
const npx = (spec: unknown, more: object = {}) => ({ npx: { package: spec, ...more } });
const binary = (more: object) => ({
  binary: { 'linux-x86_64': { archive: 'https://x.test/a.zip', cmd: './a', ...more } },
});

test('an entry that is wrong costs itself alone', () => {
  for (const bad of [
    null,
    7,
    'x',
    {},
    { ...good, id: '../a' },
    { ...good, id: 'A' },
    { ...good, id: '.new-1-x' },
    { ...good, id: 7 },
    { ...good, name: '' },
    { ...good, name: { toString: 1 } },
    { ...good, version: '..' },
    { ...good, version: '1/../..' },
    { ...good, version: '1..2' },
    { ...good, version: 'latest' },
    { ...good, version: '1'.repeat(100) },
  ]) {
    assert.deepEqual(
      parse([bad, { ...good, id: 'fine' }]).map(({ id }) => id),
      ['fine'],
      JSON.stringify(bad),
    );
  }
});

test('a way that is wrong is no way', () => {
  for (const distribution of [
    npx(7),
    npx(''),
    npx('name'),
    npx('--registry=https://evil.test@1.0.0'),
    npx('-g@1'),
    npx('../folder@1.0.0'),
    npx('/tmp/folder@1.0.0'),
    npx('file:/tmp/x@1.0.0'),
    npx('git+https://evil.test/x@1.0.0'),
    npx('https://evil.test/x.tgz@1.0.0'),
    npx('name@npm:other@1.0.0'),
    npx('name@1.0.0 other@1.0.0'),
    npx('name@>1.0.0'),
    npx('user/repository@1.0.0'),
    npx('name@1.0.0', { cmd: '--eval' }),
    npx('name@1.0.0', { cmd: '../x' }),
    npx('name@1.0.0', { args: 'x' }),
    npx('name@1.0.0', { args: [7] }),
    npx('name@1.0.0', { env: { 'A=B': 'x' } }),
    npx('name@1.0.0', { env: { A: 7 } }),
    { uvx: { package: 'name' } },
    { uvx: { package: '--index-url=https://evil.test/x==1' } },
    { uvx: { package: 'name @ https://evil.test/x.whl' } },
    binary({ archive: 'http://files.test/a.zip' }),
    binary({ archive: 'file:///etc/passwd' }),
    binary({ archive: 'https://user:word@files.test/a.zip' }),
    binary({ archive: 'http://127.0.0.1.evil.test/a.zip' }),
    binary({ archive: 'http://localhost@evil.test/a.zip' }),
    binary({ cmd: '../a' }),
    binary({ cmd: '/bin/sh' }),
    binary({ cmd: 'C:\\a.exe' }),
    binary({ cmd: '..\\a.exe' }),
    binary({ cmd: 'a/../../b' }),
    binary({ cmd: '' }),
    binary({ cmd: '.' }),
    binary({ sha256: 'short' }),
    binary({ sha256: null }),
    binary({ sha256: 7 }),
    { binary: 7, npx: null, uvx: [] },
    null,
    [],
  ]) {
    assert.deepEqual(parse([{ ...good, distribution }])[0]?.ways, [], JSON.stringify(distribution));
  }
});

test('packages and checksums as they are written', () => {
  const way = (distribution: object): Way | undefined =>
    parse([{ ...good, distribution }])[0]?.ways[0];
  for (const spec of ['a@1.0.0', '@s-c/a.b_c@1.0.0-beta.1', 'a@2026.10.1+x']) {
    assert.equal(way(npx(spec))?.kind, 'npx', spec);
  }
  for (const spec of ['a==1.0', 'a[acp]==1.0rc1', 'a@1.0']) {
    assert.equal(way({ uvx: { package: spec } })?.kind, 'uvx', spec);
  }
  const upper = way(binary({ sha256: SHA.toUpperCase() }));
  assert.equal(upper?.kind === 'binary' && upper.sha256, SHA);
});

test('icons and pages are addresses of servers', () => {
  for (const bad of [
    'javascript:alert(1)',
    'command:x',
    'data:image/svg+xml,x',
    'http://x.test',
    7,
  ]) {
    const [agent] = parse([{ ...good, icon: bad, website: bad, repository: bad }]);
    assert.deepEqual([agent?.icon, agent?.website], [undefined, undefined], String(bad));
  }
});
