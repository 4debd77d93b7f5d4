import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { CATALOG } from '../../../src/agents/catalog/catalog';
import type { CatalogAgent } from '../../../src/agents/catalog/catalogAgent';
import { findAgents } from '../../../src/agents/catalog/findAgents';
import type { FoundAgent } from '../../../src/agents/catalog/foundAgent';
import { ProcessTracker } from '../../../src/agents/process/processTracker';

interface Machine {
  readonly home: string;
  readonly bin: string;
  /** Puts a program on the PATH that runs `script` with Node. */
  program(name: string, script: string): string;
  find(known?: readonly FoundAgent[], more?: Record<string, string>): ReturnType<typeof findAgents>;
}

function machine(t: TestContext, catalog: readonly CatalogAgent[]): Machine {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-found-')));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const [home, bin] = [path.join(root, 'home'), path.join(root, 'bin')];
  mkdirSync(home);
  mkdirSync(bin);
  const processes = new ProcessTracker();
  t.after(() => processes.killAllNow());
  return {
    home,
    bin,
    program(name, script) {
      const file = path.join(bin, name);
      writeFileSync(file, `#!${process.execPath}\n${script}\n`);
      chmodSync(file, 0o755);
      return file;
    },
    find: (known = [], more = {}) =>
      findAgents({ catalog, env: { PATH: bin, ...more }, home, known, processes }),
  };
}

const plain: CatalogAgent = {
  id: 'plain',
  name: 'Plain',
  command: 'plain',
  args: ['acp'],
  versionArgs: ['--version'],
  npm: 'plain-package',
  website: 'https://example.test',
  signIn: { files: ['.plain/auth.json'], variables: ['PLAIN_KEY'], completeOn: [process.platform] },
};
const adapter: CatalogAgent = {
  id: 'adapter',
  name: 'Adapted',
  command: 'adapter',
  args: [],
  adapts: 'own',
  npm: 'adapter-package',
  website: 'https://example.test',
};

test('an installed agent is found with its version, its arguments and its sign-in', async t => {
  const { program, find, home } = machine(t, [plain]);
  assert.deepEqual((await find()).found, []);
  const file = program(
    'plain',
    'console.log(`plain ${process.argv[2] === "--version" ? "2.3.4-beta.1" : "?"} (built today)`)',
  );
  const [first] = (await find()).found;
  assert.ok(first);
  const { changedAt, ...rest } = first;
  assert.ok(changedAt > 0);
  assert.deepEqual(rest, {
    id: 'plain',
    name: 'Plain',
    path: file,
    args: ['acp'],
    version: '2.3.4-beta.1',
    signedIn: false,
  });
  assert.equal((await find([], { PLAIN_KEY: 'x' })).found[0]?.signedIn, true);
  mkdirSync(path.join(home, '.plain'));
  writeFileSync(path.join(home, '.plain', 'auth.json'), '{}');
  assert.equal((await find()).found[0]?.signedIn, true);
});

test('a program is asked for its version once, and again when it has changed', async t => {
  const { program, find, home } = machine(t, [plain]);
  const script = (version: string) =>
    `require('node:fs').appendFileSync(${JSON.stringify(path.join(home, 'runs'))}, 'x'); console.log('${version}')`;
  program('plain', script('1.0.0'));
  const runs = async () =>
    (await import('node:fs')).readFileSync(path.join(home, 'runs'), 'utf8').length;
  const { found } = await find();
  assert.equal((await find(found)).found[0]?.version, '1.0.0');
  assert.equal(await runs(), 1);
  const file = program('plain', script('1.1.0'));
  (await import('node:fs')).utimesSync(file, new Date(), new Date(Date.now() + 5_000));
  assert.equal((await find(found)).found[0]?.version, '1.1.0');
  assert.equal(await runs(), 2);
});

test('the version of an npm package is read, and nothing is run for it', async t => {
  const { bin, home, find } = machine(t, [plain]);
  const folder = path.join(home, 'lib', 'node_modules', '@scope', 'plain', 'dist');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    path.join(folder, '..', 'package.json'),
    JSON.stringify({ name: '@scope/plain', version: '9.8.7' }),
  );
  const file = path.join(folder, 'cli.js');
  const trace = path.join(home, 'was-run');
  writeFileSync(file, `#!${process.execPath}\nrequire('node:fs').writeFileSync('${trace}', '')`);
  chmodSync(file, 0o755);
  symlinkSync(file, path.join(bin, 'plain'));
  assert.equal((await find()).found[0]?.version, '9.8.7');
  assert.throws(() => realpathSync(trace));
});

for (const [what, script] of [
  ['hangs', 'setInterval(() => {}, 1000)'],
  ['fails', 'console.log("1.2.3"); process.exit(3)'],
  ['prints no version', 'console.log("hello")'],
  ['prints without end', 'for (;;) console.log("x".repeat(10000))'],
] as const) {
  test(`a program that ${what} is found without a version, and nothing is left of it`, async t => {
    const { program, find } = machine(t, [plain]);
    program('plain', script);
    const [agent] = (await find()).found;
    assert.equal(agent?.name, 'Plain');
    assert.equal(agent?.version, undefined);
  });
}

test('what npx can run is offered where npx is; an agent whose adapter alone is missing first', async t => {
  const { program, find } = machine(t, [plain, adapter]);
  assert.deepEqual((await find()).offers, []);
  program('npx', '');
  assert.deepEqual(
    (await find()).offers.map(({ name, args }) => [name, args]),
    [
      ['Plain', ['-y', 'plain-package', 'acp']],
      ['Adapted', ['-y', 'adapter-package']],
    ],
  );
  program('own', '');
  assert.deepEqual(
    (await find()).offers.map(({ name, isHalfThere }) => [name, isHalfThere]),
    [
      ['Adapted', true],
      ['Plain', false],
    ],
  );
  program('plain', 'console.log("1.0.0")');
  assert.deepEqual(
    (await find()).offers.map(({ name }) => name),
    ['Adapted'],
  );
});

test('nothing is taken from a relative folder on the PATH', async t => {
  const { program, find, bin } = machine(t, [plain]);
  program('plain', '');
  const relative = path.relative(path.join(bin, '..', 'home'), bin);
  for (const PATH of [relative, '.', './bin', '']) {
    assert.deepEqual((await find([], { PATH })).found, [], PATH);
  }
});

test('the catalog names each agent, command and package once', () => {
  for (const values of [
    CATALOG.map(({ id }) => id),
    CATALOG.map(({ name }) => name),
    CATALOG.map(({ command }) => command),
    CATALOG.flatMap(({ npm }) => npm ?? []),
  ]) {
    assert.deepEqual(values, [...new Set(values)]);
  }
  for (const { website, signIn } of CATALOG) {
    assert.ok(website.startsWith('https://'));
    assert.ok(signIn?.files.every(file => !path.isAbsolute(file)) ?? true);
  }
});

test('an agent whose adapter is missing is hosted itself, where Parley can', async t => {
  const { program, find } = machine(t, [{ ...adapter, kind: 'codex' }]);
  const own = program('own', 'console.log("own-cli 1.2.3")');
  program('npx', '');
  const { found, offers } = await find();
  assert.deepEqual(
    found.map(({ path: file, kind, args, version }) => ({ file, kind, args, version })),
    [{ file: own, kind: 'codex', args: [], version: '1.2.3' }],
  );
  assert.deepEqual(offers, []);
  // With its adapter it is as ever.
  program('adapter', '');
  const [adapted] = (await find(found)).found;
  assert.equal(adapted?.kind, undefined);
});
