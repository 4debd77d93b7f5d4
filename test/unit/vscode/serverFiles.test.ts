import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import type { EnvFile } from '../../../src/agents/mcp/envFile';
import type { McpServerConfig } from '../../../src/agents/mcp/mcpConfig';
import { serverFiles } from '../../../src/vscode/mcp/serverFiles';

type Stdio = Extract<McpServerConfig, { type: 'stdio' }>;

let root: string;
let first: string;
let second: string;

before(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-files-')));
  first = path.join(root, 'first');
  second = path.join(root, 'second');
  for (const folder of [first, second])
    mkdirSync(path.join(folder, 'my tools'), { recursive: true });
  for (const file of ['server.js', '.env', 'my tools/server.js']) {
    writeFileSync(path.join(first, file), '');
  }
  writeFileSync(path.join(second, 'other.js'), '');
  writeFileSync(path.join(root, 'outside.js'), '');
  symlinkSync(path.join(first, 'server.js'), path.join(first, 'link.js'));
  symlinkSync(path.join(root, 'outside.js'), path.join(first, 'out.js'));
});

after(() => rmSync(root, { recursive: true, force: true }));

const CASES: readonly [what: string, server: Partial<Stdio>, files: readonly string[]][] = [
  ['command', { command: './server.js' }, ['first/server.js']],
  ['command by a variable', { command: '${workspaceFolder}/server.js' }, ['first/server.js']],
  ['argument', { args: ['server.js'] }, ['first/server.js']],
  ['argument with a blank', { args: ['my tools/server.js'] }, ['first/my tools/server.js']],
  ['argument of another folder', { args: ['other.js'] }, ['second/other.js']],
  ['link', { args: ['link.js'] }, ['first/server.js']],
  ['value of an option', { args: ['--import=./server.js'] }, ['first/server.js']],
  ['URL', { args: ['--import=file://${workspaceFolder}/server.js'] }, ['first/server.js']],
  ['command of a shell', { args: ['-c', 'cd . && node "server.js";'] }, ['first/server.js']],
  ['text with an input', { args: ['node server.js ${input:key}'] }, ['first/server.js']],
  ['variable', { env: { NODE_OPTIONS: '--require ./server.js' } }, ['first/server.js']],
  ['environment file', { envFile: '${workspaceFolder}/.env' }, ['first/.env']],
  ['path out', { args: ['../outside.js'] }, []],
  ['link out', { args: ['out.js'] }, []],
  ['folder', { args: ['.', '${workspaceFolder}', 'my tools'] }, []],
  ['variable without a value', { args: ['${env:NO_SUCH}/server.js', ''] }, []],
  ['impossible path', { args: ['a\0b', 'x'.repeat(10_000)] }, []],
];

const filesOf = async (more: Partial<Stdio>, envFile?: EnvFile) => {
  const server: Stdio = { type: 'stdio', name: 'a', command: 'node', args: [], env: {}, ...more };
  const scope = { home: '/home/me', env: {}, workspaceFolder: first };
  const found = await serverFiles(server, envFile, scope, [first, second]);
  return found.map(file => path.relative(root, file).split(path.sep).join('/'));
};

for (const [what, server, expected] of CASES) {
  test(`a file as ${what} is ${expected.length > 0 ? 'a file' : 'no file'} of the server`, async () => {
    assert.deepEqual(await filesOf(server), expected);
  });
}

test('a file that the environment file names is a file of the server', async () => {
  const envFile = { variables: [{ name: 'NODE_OPTIONS', value: '--import=./server.js' }] };
  assert.deepEqual(await filesOf({ envFile: '.env' }, envFile), ['first/.env', 'first/server.js']);
});
