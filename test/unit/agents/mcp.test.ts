import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { readEnvFileUnasked } from '../../../src/agents/mcp/envFile';
import { readMcpConfig, type McpServerConfig } from '../../../src/agents/mcp/mcpConfig';
import {
  MissingInputError,
  resolveMcpServer,
  usableBy,
} from '../../../src/agents/mcp/resolveMcpServer';

const COMMAND = { type: 'stdio', name: 'a', command: 'run', args: ['x'], env: {} };
const PAGE = { type: 'http', name: 'a', url: 'https://mcp.example', headers: {} };

const FORMATS: readonly [what: string, value: unknown, server: unknown][] = [
  ["VS Code's file", { servers: { a: { type: 'stdio', command: 'run', args: ['x'] } } }, COMMAND],
  ["other programs' files", { mcpServers: { a: { command: 'run', args: ['x'] } } }, COMMAND],
  ['a plain map', { a: { command: 'run', args: ['x'] } }, COMMAND],
  ['one list for command and arguments', { a: { type: 'local', command: ['run', 'x'] } }, COMMAND],
  ['a page without a type', { a: { url: 'https://mcp.example' } }, PAGE],
  ['a remote server', { a: { type: 'remote', url: 'https://mcp.example' } }, PAGE],
  [
    'server-sent events',
    { a: { type: 'sse', url: 'https://mcp.example' } },
    { ...PAGE, type: 'sse' },
  ],
  [
    'numbers',
    { a: { command: 'run', args: ['x'], env: { P: 1 } } },
    { ...COMMAND, env: { P: '1' } },
  ],
];

for (const [what, value, server] of FORMATS) {
  test(`reads ${what}`, () => {
    const { servers, problems } = readMcpConfig(value, 'mcp.json');
    assert.deepEqual(problems, []);
    assert.deepEqual(servers, [server]);
  });
}

test('a bad entry is told with its place and its name, and leaves the others alone', () => {
  const value = {
    servers: {
      good: { command: 'run' },
      noCommand: { type: 'stdio' },
      noUrl: { type: 'http' },
      strange: { type: 'pigeon' },
      text: 'run',
      args: { command: 'run', args: 'x' },
      env: { command: 'run', env: ['X=1'] },
      off: { command: 'run', disabled: true },
    },
  };
  const { servers, problems } = readMcpConfig(value, 'mcp.json');
  assert.deepEqual(
    servers.map(({ name }) => name),
    ['good'],
  );
  assert.equal(problems.length, 6);
  for (const problem of problems) assert.match(problem, /^mcp\.json: the MCP server "\w+" is left/);
  const { problems: placed } = readMcpConfig({ a: {} }, 'mcp.json', name => `line of ${name}`);
  assert.match(placed[0] ?? '', /^line of a: the MCP server "a" is left out/);
  assert.match(readMcpConfig([1], 'mcp.json').problems[0] ?? '', /must be an object/);
  assert.deepEqual(readMcpConfig(undefined, 'mcp.json').problems, []);
});

test('an agent is given what it can use: commands always, pages as it says', () => {
  const servers = [COMMAND, PAGE, { ...PAGE, type: 'sse' }] as McpServerConfig[];
  const types = (capabilities: { http?: boolean; sse?: boolean }) =>
    usableBy(capabilities, servers).map(({ type }) => type);
  assert.deepEqual(types({}), ['stdio']);
  assert.deepEqual(types({ http: true }), ['stdio', 'http']);
  assert.deepEqual(types({ http: true, sse: true }), ['stdio', 'http', 'sse']);
});

const scope = {
  home: '/home/me',
  workspaceFolder: '/work/app',
  env: { TOKEN: 'from ${env:HOME}' },
};
const noInput = () => Promise.resolve(undefined);

test('variables are resolved once, and values that are secret are named', async () => {
  const config: McpServerConfig = {
    type: 'stdio',
    name: 'a',
    command: '~/bin/run',
    args: ['${workspaceFolder}/x', '${workspaceFolderBasename}', '${input:id}-${input:id}'],
    env: { API_TOKEN: '${env:TOKEN}', PLAIN: 'p' },
  };
  const asked: string[] = [];
  const input = (id: string) => Promise.resolve(`$${asked.push(id)}`);
  const { server, secrets } = await resolveMcpServer(config, { scope, input });
  assert.deepEqual(server, {
    name: 'a',
    command: '/home/me/bin/run',
    args: ['/work/app/x', 'app', '$1-$1'],
    env: [
      { name: 'API_TOKEN', value: 'from ${env:HOME}' },
      { name: 'PLAIN', value: 'p' },
    ],
  });
  assert.deepEqual(new Set(secrets), new Set(['from ${env:HOME}']));
});

test('what comes from a secret variable is secret wherever it stands', async () => {
  const env = { TOKEN: 'a-token', PLACE: 'here' };
  const input = noInput;
  const args = ['--token=${env:TOKEN}', '${env:PLACE}'];
  const local: McpServerConfig = { ...COMMAND, type: 'stdio', args };
  const { secrets } = await resolveMcpServer(local, { scope: { ...scope, env }, input });
  assert.deepEqual(secrets, ['a-token']);
  const page: McpServerConfig = { ...PAGE, type: 'sse', url: 'https://x/?t=${env:TOKEN}' };
  const found = await resolveMcpServer(page, { scope: { ...scope, env }, input });
  assert.deepEqual(found.secrets, ['a-token']);
});

test('headers are secret', async () => {
  const config: McpServerConfig = { ...PAGE, type: 'http', name: 'a', headers: { A: 'Bearer x' } };
  const { server, secrets } = await resolveMcpServer(config, { scope, input: noInput });
  assert.deepEqual(server, { ...PAGE, headers: [{ name: 'A', value: 'Bearer x' }] });
  assert.deepEqual(secrets, ['Bearer x']);
});

test('a file of variables stands below those of the entry', async t => {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-mcp-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const envFile = path.join(folder, '.env');
  writeFileSync(envFile, '# mine\nA=file\nB="two words"\n');
  const config: McpServerConfig = {
    ...COMMAND,
    type: 'stdio',
    name: 'a',
    env: { A: 'own' },
    envFile,
  };
  const { server } = await resolveMcpServer(config, { scope, input: noInput });
  assert.deepEqual('env' in server && server.env, [
    { name: 'B', value: 'two words' },
    { name: 'A', value: 'own' },
  ]);
  await assert.rejects(
    resolveMcpServer({ ...config, envFile: `${envFile}.gone` }, { scope, input: noInput }),
    /cannot be read/,
  );
});

test('what was agreed to of a file of variables is what a server is given', async t => {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-mcp-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, '.env'), 'A=agreed\n');
  const ofFolder = { ...scope, workspaceFolder: folder };
  const config: McpServerConfig = { ...COMMAND, type: 'stdio', env: {}, envFile: '.env' };
  const confirmed = await readEnvFileUnasked('.env', ofFolder);
  assert.deepEqual(confirmed, { variables: [{ name: 'A', value: 'agreed' }] });
  writeFileSync(path.join(folder, '.env'), 'LD_PRELOAD=evil\n');
  const variables = { scope: ofFolder, input: noInput };
  const { server } = await resolveMcpServer(config, variables, confirmed);
  assert.deepEqual('env' in server && server.env, [{ name: 'A', value: 'agreed' }]);
  await assert.rejects(
    resolveMcpServer(config, variables, { problem: 'No.' }),
    /^VariableError: No/,
  );
});

const UNREADABLE: readonly [what: string, file: string, problem: RegExp][] = [
  ['is not there', 'gone', /cannot be read/],
  ['is a folder', '.', /cannot be read/],
  ['never ends', '/dev/zero', /cannot be read/],
  ['is too large', 'large', /cannot be read/],
  ['depends on an input', '${input:file}', /\$\{input:file\} is not a variable/],
];

for (const [what, file, expected] of UNREADABLE) {
  test(`a file of variables that ${what} gives nothing, and that is said`, async t => {
    const folder = mkdtempSync(path.join(tmpdir(), 'parley-mcp-'));
    t.after(() => rmSync(folder, { recursive: true }));
    writeFileSync(path.join(folder, 'large'), 'A=1\n'.repeat(20_000));
    const read = await readEnvFileUnasked(file, { ...scope, workspaceFolder: folder });
    assert.match('problem' in read ? read.problem : '', expected);
  });
}

test('what has no value is told; what the user does not give leaves the server out', async () => {
  const of = (arg: string): McpServerConfig => ({
    ...COMMAND,
    type: 'stdio',
    name: 'a',
    args: [arg],
  });
  await assert.rejects(
    resolveMcpServer(of('${env:NO_SUCH}'), { scope, input: noInput }),
    /NO_SUCH is not set/,
  );
  await assert.rejects(
    resolveMcpServer(of('${input:key}'), { scope, input: noInput }),
    MissingInputError,
  );
});

test('a server on this machine reaches the network as agents do, unless it says otherwise', async () => {
  const network = { HTTPS_PROXY: 'http://proxy:1', NODE_EXTRA_CA_CERTS: '/ca', PATH: '/bin' };
  const given = async (env: Record<string, string>) => {
    const config = { type: 'stdio', name: 'a', command: 'run', args: [], env } as const;
    const scope = { home: '/home', env: {} };
    const variables = { scope, network, input: () => Promise.resolve(undefined) };
    const { server } = await resolveMcpServer(config, variables);
    assert.ok('env' in server);
    return Object.fromEntries(server.env.map(({ name, value }) => [name, value]));
  };
  assert.deepEqual(await given({ A: 'b' }), {
    HTTPS_PROXY: 'http://proxy:1',
    NODE_EXTRA_CA_CERTS: '/ca',
    A: 'b',
  });
  assert.deepEqual(await given({ https_proxy: '' }), {
    https_proxy: '',
    NODE_EXTRA_CA_CERTS: '/ca',
  });
});
