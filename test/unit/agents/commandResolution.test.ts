import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { isFolder, resolveCommand } from '../../../src/agents/process/commandResolution';

const root = mkdtempSync(path.join(tmpdir(), 'parley resolve '));
after(() => rmSync(root, { recursive: true }));

function place(file: string, mode = 0o755): string {
  const full = path.join(root, file);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, '#!/bin/sh\n', { mode });
  return full;
}

test('the first folder of the PATH that has it wins; folders and plain files do not count', async () => {
  const env = { PATH: ['a', 'b', 'c', 'd'].map(folder => path.join(root, folder)).join(':') };
  mkdirSync(path.join(root, 'a/agent'), { recursive: true });
  place('b/agent', 0o644);
  const c = place('c/agent');
  place('d/agent');
  assert.deepEqual(await resolveCommand('agent', env, '/'), { kind: 'found', path: c });
});

test('relative commands and PATH entries are relative to the working directory', async () => {
  const tool = place('bin/tool');
  assert.deepEqual(await resolveCommand('./bin/tool', { PATH: '' }, root), {
    kind: 'found',
    path: tool,
  });
  assert.deepEqual(await resolveCommand('tool', { PATH: 'bin' }, root), {
    kind: 'found',
    path: tool,
  });
  assert.deepEqual(await resolveCommand('bin/nope', { PATH: 'bin' }, root), {
    kind: 'notFound',
    isPath: true,
    searched: [path.join(root, 'bin/nope')],
  });
});

test('not executable is told apart from not there', async () => {
  const file = place('only/text', 0o644);
  const env = { PATH: path.dirname(file) };
  assert.deepEqual(await resolveCommand('text', env, '/'), { kind: 'notExecutable', path: file });
  assert.deepEqual(await resolveCommand('none', env, '/'), {
    kind: 'notFound',
    isPath: false,
    searched: [path.dirname(file)],
  });
  assert.equal((await resolveCommand('none', {}, '/')).kind, 'notFound');
});

test('folders', () => {
  assert.equal(isFolder(root), true);
  assert.equal(isFolder(path.join(root, 'only/text')), false);
  assert.equal(isFolder(path.join(root, 'nope')), false);
  assert.equal(isFolder('relative'), false);
});
