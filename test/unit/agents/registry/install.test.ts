import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { ProcessTracker } from '../../../../src/agents/process/processTracker';
import { FetchError } from '../../../../src/agents/registry/httpGet';
import {
  InstalledAgents,
  installedDefinition,
} from '../../../../src/agents/registry/installedAgents';
import { Installer } from '../../../../src/agents/registry/installer';
import { RegistryClient } from '../../../../src/agents/registry/registryClient';
import { registryPlatform, type RegistryAgent } from '../../../../src/agents/registry/registryList';
import { FIXTURES, rig } from '../support';
import { TAR_BZ2, tarGz, zip } from './archives';
import { publishPackage } from './npmPackage';
import { registryServer, type Fault, type RegistryServer } from './registryServer';

const STALL_MS = 300;
/** For a server without faults: the first request of a process is slow on a busy machine. */
const PATIENCE_MS = 60_000;
const signal = () => new AbortController().signal;
const withPath = {
  get: () => Promise.resolve({ PATH: process.env['PATH'] ?? '', HOME: homedir() }),
};

function folder(t: TestContext): string {
  const root = mkdtempSync(path.join(tmpdir(), 'parley-registry-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  return path.join(root, 'agents');
}

interface Setup {
  readonly server: RegistryServer;
  readonly client: RegistryClient;
  readonly installed: InstalledAgents;
  readonly installer: Installer;
  /** The agent as the list has it now. */
  agent(id: string): Promise<RegistryAgent>;
  install(id: string, kind?: string): Promise<void>;
  /** Names in the folder of all installed agents. */
  left(): string[];
}

async function setup(
  t: TestContext,
  environment: { get(): Promise<Record<string, string>> } = withPath,
): Promise<Setup> {
  const root = folder(t);
  const server = await registryServer(t);
  const processes = new ProcessTracker();
  t.after(() => processes.killAllNow());
  const client = new RegistryClient({
    file: path.join(root, '..', 'registry.json'),
    now: () => Date.now(),
    get stallMs() {
      return server.faults.has('/registry.json') ? STALL_MS : PATIENCE_MS;
    },
  });
  const installed = new InstalledAgents(root);
  const installer = new Installer({
    installed,
    environment,
    processes,
    now: () => 1,
    newId: () => randomUUID(),
    get stallMs() {
      return server.faults.size > 0 ? STALL_MS : PATIENCE_MS;
    },
  });
  const agent = async (id: string) => {
    const { agents } = await client.fetch(server.listAddress, signal());
    const found = agents.find(other => other.id === id);
    assert.ok(found, id);
    return found;
  };
  return {
    server,
    client,
    installed,
    installer,
    agent,
    async install(id, kind) {
      const entry = await agent(id);
      const way = entry.ways.find(other => kind === undefined || other.kind === kind);
      assert.ok(way, `${id} ${kind ?? ''}`);
      await installer.install(entry, way, signal(), () => undefined);
    },
    left: () => (existsSync(root) ? readdirSync(root).sort() : []),
  };
}

/** A program that is the test agent. */
const AGENT = `#!${process.execPath}\nimport(${JSON.stringify(path.join(FIXTURES, 'good.mjs'))});\n`;
const fileOf = (id: string, extension: string) => `${id}-${registryPlatform()}.${extension}`;

test('an archive is installed, and the agent starts', async t => {
  const { server, installed, install, left } = await setup(t);
  server.files.set(
    fileOf('kilo', 'tar.gz'),
    await tarGz([{ name: 'kilo', content: AGENT, mode: 0o755 }, { name: 'README.md' }]),
  );
  await install('kilo', 'binary');
  const [agent] = installed.all();
  assert.equal(agent?.current, '7.5.5');
  assert.deepEqual(left(), ['installed.json', 'kilo']);
  const [definition] = installedDefinition(agent);
  assert.ok(definition);
  assert.deepEqual(definition.args, ['acp']);
  const { host } = rig(t, 'good', { definition });
  assert.equal((await host.connect()).initialized.protocolVersion, 1);
});

test('bzip2, zip and plain programs are installed, with a checksum or without', async t => {
  const { server, installed, install } = await setup(t);
  server.files.set(fileOf('goose', 'tar.bz2'), TAR_BZ2);
  server.files.set(
    fileOf('junie', 'zip'),
    zip([{ name: 'junie-app/bin/junie', content: AGENT, mode: 0o755 }]),
  );
  server.files.set(fileOf('single', 'bin'), Buffer.from(AGENT));
  for (const id of ['goose', 'junie', 'single']) {
    await install(id);
    const agent = installed.get(id);
    const [definition] = agent ? installedDefinition(agent) : [];
    assert.ok(definition && existsSync(definition.command), id);
  }
});

test('versions stand side by side: updated, rolled back, pinned, uninstalled', async t => {
  const { server, installed, install, left } = await setup(t);
  const publish = async (version: string) => {
    const content = `#!/bin/sh\necho ${version}\n`;
    server.files.set(
      fileOf('kilo', 'tar.gz'),
      await tarGz([{ name: 'kilo', content, mode: 0o755 }]),
    );
    const entry = server.agents.find(({ id }) => id === 'kilo');
    if (entry) entry['version'] = version;
  };
  await publish('1.0.0');
  await install('kilo', 'binary');
  installed.change('kilo', { isPinned: true });
  await publish('1.1.0');
  await install('kilo', 'binary');
  const both = installed.get('kilo');
  assert.deepEqual([both?.current, both?.isPinned], ['1.1.0', true]);
  assert.deepEqual(
    both?.versions.map(({ version }) => version),
    ['1.1.0', '1.0.0'],
  );
  installed.change('kilo', { current: '1.0.0' });
  const back = installed.get('kilo');
  assert.ok(back);
  assert.match(installedDefinition(back)[0]?.command ?? '', /kilo\/1\.0\.0\/kilo$/);
  installed.change('kilo', { current: '9.9.9' });
  assert.equal(installed.get('kilo')?.current, '1.0.0', 'there is no such version');
  await installed.remove('kilo');
  assert.deepEqual(installed.all(), []);
  assert.deepEqual(left(), ['installed.json']);
});

const FAULTS: readonly Fault[] = ['slow', 'silent', 'cut', 'loop', 'error', 'insecure'];

for (const fault of FAULTS) {
  test(`a download that is "${fault}" fails in words and leaves nothing`, async t => {
    const { server, install, left } = await setup(t);
    const name = fileOf('kilo', 'tar.gz');
    server.files.set(name, await tarGz([{ name: 'kilo', content: AGENT, mode: 0o755 }]));
    server.faults.set(`/files/${name}`, fault);
    await assert.rejects(install('kilo', 'binary'), FetchError);
    assert.deepEqual(left(), []);
    server.faults.clear();
    await install('kilo', 'binary');
    assert.deepEqual(left(), ['installed.json', 'kilo']);
  });
}

for (const fault of [...FAULTS, 'html', 'endless'] as const) {
  test(`a list that is "${fault}" is replaced by the last one, with its age and the reason`, async t => {
    const { server, client } = await setup(t);
    server.faults.set('/registry.json', fault);
    await assert.rejects(client.fetch(server.listAddress, signal()), FetchError);
    assert.equal(await client.last(server.listAddress), undefined);
    server.faults.clear();
    const before = await client.fetch(server.listAddress, signal());
    assert.equal(before.problem, undefined);
    server.faults.set('/registry.json', fault);
    const { agents, fetchedAt, problem } = await client.fetch(server.listAddress, signal());
    assert.deepEqual({ agents, fetchedAt }, before);
    assert.ok(problem);
    assert.equal(await client.last(`${server.origin}/other.json`), undefined, "another list's");
  });
}

test('without a server the last list is shown', async t => {
  const { server, client } = await setup(t);
  const { agents } = await client.fetch(server.listAddress, signal());
  await server.close();
  const later = await client.fetch(server.listAddress, signal());
  assert.deepEqual(later.agents, agents);
  assert.ok(later.problem);
});

const archives: Readonly<Record<string, (good: Buffer) => Promise<Buffer> | Buffer>> = {
  'is another': () => tarGz([{ name: 'kilo', content: 'another', mode: 0o755 }]),
  'ends too early': good => good.subarray(0, -30),
  'has no program': () => tarGz([{ name: 'other' }]),
  'leads out': () => tarGz([{ name: 'kilo' }, { name: '../out' }]),
  'is a page': () => Buffer.from('<html>'),
  'is empty': () => Buffer.alloc(0),
};

for (const [what, make] of Object.entries(archives)) {
  test(`an archive that ${what} leaves nothing, whatever its checksum`, async t => {
    const { server, agent, installer, left } = await setup(t);
    const name = fileOf('kilo', 'tar.gz');
    const good = await tarGz([{ name: 'kilo', content: AGENT, mode: 0o755 }]);
    server.files.set(name, good);
    const entry = await agent('kilo');
    const way = entry.ways.find(({ kind }) => kind === 'binary');
    assert.ok(way?.kind === 'binary');
    const bytes = await make(good);
    server.files.set(name, bytes);
    await assert.rejects(
      installer.install(entry, way, signal(), () => undefined),
      /checksum/,
    );
    assert.deepEqual(left(), []);
    if (what === 'is another') return;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    await assert.rejects(installer.install(entry, { ...way, sha256 }, signal(), () => undefined));
    assert.deepEqual(left(), []);
  });
}

test('cancelled while it downloads, nothing is left and nobody waits', async t => {
  const { server, agent, installer, left } = await setup(t);
  const name = fileOf('kilo', 'tar.gz');
  server.files.set(name, await tarGz([{ name: 'kilo', content: AGENT }]));
  server.faults.set(`/files/${name}`, 'endless');
  const entry = await agent('kilo');
  const way = entry.ways.find(({ kind }) => kind === 'binary');
  assert.ok(way);
  const abort = new AbortController();
  let steps = 0;
  const installing = installer.install(entry, way, abort.signal, ({ step }) => {
    assert.equal(step, 'downloading');
    steps += 1;
    // The first is before any byte is there.
    if (steps === 2) abort.abort(new Error('the user has had enough'));
  });
  await assert.rejects(installing, /had enough/);
  assert.ok(steps >= 2);
  assert.deepEqual(left(), []);
});

test('what an installation left that was killed is removed by the next', async t => {
  const { server, installed, install, left } = await setup(t);
  // No process has this id any more.
  mkdirSync(path.join(installed.root, '.new-999999999-x', 'content'), { recursive: true });
  mkdirSync(path.join(installed.root, `.new-${process.pid}-other`), { recursive: true });
  server.files.set(fileOf('single', 'bin'), Buffer.from(AGENT));
  await install('single');
  assert.deepEqual(left(), [`.new-${process.pid}-other`, 'installed.json', 'single']);
});

test('a file that says what is installed and makes no sense is as good as none', async t => {
  const { installed } = await setup(t);
  mkdirSync(installed.root, { recursive: true });
  for (const text of [
    '',
    '{}',
    '[7]',
    '[{"id":"a"}]',
    '[{"id":"a","name":"A","current":"1","versions":[{"version":"../..","command":"x"}]}]',
  ]) {
    writeFileSync(path.join(installed.root, 'installed.json'), text);
    assert.deepEqual(installed.all(), [], text);
  }
});

const FOUND_VERSION = {
  version: '1.0.0',
  kind: 'binary',
  command: '/x',
  args: [],
  env: {},
  installedAt: 1,
} as const;

test('what cannot be read is not forgotten by the next change', async t => {
  const { installed, left } = await setup(t);
  const file = path.join(installed.root, 'installed.json');
  const read = () => JSON.parse(readFileSync(file, 'utf8')) as { id: string }[];
  mkdirSync(installed.root, { recursive: true });
  // Of a newer version.
  const unknown = { id: 'newer', name: 'Newer', parts: ['a'] };
  const known = { id: 'a', name: 'A', current: '1', versions: [], more: 'kept' };
  writeFileSync(file, JSON.stringify([unknown, 7, known]));
  installed.add('a', 'A', FOUND_VERSION);
  assert.deepEqual(read().slice(0, 2), [unknown, 7]);
  assert.equal((read()[2] as { more?: string } | undefined)?.more, 'kept');
  await installed.remove('a');
  assert.deepEqual(read(), [unknown, 7]);
  // Broken: it is set aside.
  for (const text of ['', '{"a"', '{}']) {
    writeFileSync(file, text);
    installed.add('a', 'A', FOUND_VERSION);
    const apart = left().filter(name => name.startsWith('installed.json.unreadable-'));
    assert.deepEqual(
      apart.map(name => readFileSync(path.join(installed.root, name), 'utf8')),
      [text],
    );
    assert.deepEqual(
      read().map(({ id }) => id),
      ['a'],
    );
    for (const name of apart) rmSync(path.join(installed.root, name));
  }
  // Not to be read, as a file of another user.
  rmSync(file);
  mkdirSync(file);
  assert.deepEqual(installed.all(), []);
  assert.throws(() => installed.add('b', 'B', FOUND_VERSION), /EISDIR/);
  assert.deepEqual(left(), ['installed.json']);
});

test('a package is installed by npm, from the server that npm is set up for', async t => {
  const server = await registryServer(t);
  await publishPackage(server, 'cline', ['3.0.55'], AGENT);
  const home = mkdtempSync(path.join(tmpdir(), 'parley-npm-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const environment = {
    get: () =>
      Promise.resolve({
        PATH: process.env['PATH'] ?? '',
        HOME: home,
        npm_config_registry: server.origin,
        npm_config_cache: path.join(home, 'cache'),
      }),
  };
  const { install, installed, left } = await setup(t, environment);
  await install('cline');
  const agent = installed.get('cline');
  assert.ok(agent);
  const [definition] = installedDefinition(agent);
  assert.ok(definition);
  assert.match(definition.command, /cline\/3\.0\.55\/node_modules\/\.bin\/cline$/);
  assert.deepEqual(definition.args, ['--acp']);
  const { host } = rig(t, 'good', { definition });
  assert.equal((await host.connect()).initialized.protocolVersion, 1);
  assert.deepEqual(left(), ['cline', 'installed.json']);
  // The server does not have this one.
  await assert.rejects(install('gemini'), /npm could not install @google\/gemini-cli@0\.61\.0/);
  assert.deepEqual(left(), ['cline', 'installed.json']);
});

test('without npm or uvx the user is told what to install', async t => {
  const environment = { get: () => Promise.resolve({ PATH: '' }) };
  const { install, left } = await setup(t, environment);
  await assert.rejects(install('cline'), /Install Node\.js/);
  await assert.rejects(install('hermes-agent'), /Install uv/);
  assert.deepEqual(left(), []);
});

test('a Python package is run by uvx, each version by its name', async t => {
  const bin = folder(t);
  mkdirSync(bin, { recursive: true });
  writeFileSync(path.join(bin, 'uvx'), '#!/bin/sh\n', { mode: 0o755 });
  const { install, installed } = await setup(t, { get: () => Promise.resolve({ PATH: bin }) });
  await install('hermes-agent');
  await install('fast-agent');
  assert.deepEqual(
    installed
      .all()
      .flatMap(agent =>
        installedDefinition(agent).map(({ command, args, env }) => [command, args, env]),
      ),
    [
      ['uvx', ['--from', 'hermes-agent[acp]==0.20.2', 'hermes-acp'], {}],
      ['uvx', ['fast-agent-acp==0.10.1', '-x'], { FAST_AGENT_MODEL: 'codexplan' }],
    ],
  );
});
