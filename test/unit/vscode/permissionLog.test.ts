import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { nullLogger } from '../../../src/base/logger';
import type { PermissionEntry } from '../../../src/session/ports';
import { FilePermissionLog, older } from '../../../src/vscode/permissions/filePermissionLog';

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'parley-log-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const entry = (title: string): PermissionEntry => ({
  ...{ at: 0, chatId: 'c', agent: 'a', title, kind: 'execute' },
  ...{ outcome: 'allowed', by: 'rule', rules: ['x'] },
});
const log = (maxBytes?: number) =>
  new FilePermissionLog(
    path.join(folder, 'sub', 'permissions.jsonl'),
    text => text.replaceAll('secret', '•••'),
    nullLogger,
    maxBytes,
  );
const titles = (file: string): readonly string[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => (JSON.parse(line) as { title: string }).title);

test('decisions are lines of JSON in their order, after a restart too, without secrets', async () => {
  const first = log();
  for (const title of ['one', 'two\nlines', 'a secret']) first.record(entry(title));
  await first.flush();
  const second = log();
  second.record(entry('later'));
  await second.flush();
  assert.deepEqual(titles(first.file), ['one', 'two\nlines', 'a •••', 'later']);
  const [line] = readFileSync(first.file, 'utf8').split('\n');
  assert.match(line ?? '', /^\{"at":"1970-01-01T00:00:00.000Z"/);
  if (process.platform !== 'win32') assert.equal(statSync(first.file).mode & 0o077, 0);
});

test('it stays within its bound: the file before is kept, and no older one', async () => {
  const bounded = log(1_000);
  const all = Array.from({ length: 40 }, (_, at) => `entry ${at}`);
  for (const title of all) bounded.record(entry(title));
  await bounded.flush();
  const kept = [...titles(older(bounded.file)), ...titles(bounded.file)];
  assert.deepEqual(kept, all.slice(-kept.length));
  for (const file of [bounded.file, older(bounded.file)]) assert.ok(statSync(file).size <= 1_000);
});

test('it stays within its bound when two windows write, and nothing of the newest is lost', async () => {
  const windows = [log(1_000), log(1_000)];
  const all: string[] = [];
  for (let round = 0; round < 20; round++) {
    for (const [at, window] of windows.entries()) {
      all.push(`entry ${at} ${round}`);
      window.record(entry(`entry ${at} ${round}`));
    }
    await Promise.all(windows.map(window => window.flush()));
  }
  const [{ file }] = windows as [FilePermissionLog];
  const kept = [...titles(older(file)), ...titles(file)];
  // Of those that were made at the same time either may be first.
  assert.ok(kept.length >= 6);
  for (const title of all.slice(2 - kept.length)) assert.ok(kept.includes(title), title);
  for (const each of [file, older(file)]) assert.ok(statSync(each).size <= 1_000);
});

test('a log that cannot be written holds nothing up, and goes on when it can', async () => {
  writeFileSync(path.join(folder, 'sub'), 'in the way');
  const blocked = log();
  blocked.record(entry('lost'));
  await blocked.flush();
  rmSync(path.join(folder, 'sub'));
  blocked.record(entry('written'));
  await blocked.flush();
  assert.deepEqual(titles(blocked.file), ['written']);
});
