/** What an agent says it has changed, compared with what the review has. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { test, type TestContext } from 'node:test';
import { repositoryIn, temporaryFolder, writeFiles } from '../../git/support';
import { chatsOf } from './chatFeed';
import { reviewed } from './support';

const FILES = { 'a.txt': 'a\n', '.gitignore': 'dist\n' };

/** A turn in which files are written that no event tells of, and some of them reported. */
async function turn(
  t: TestContext,
  inGit: boolean,
  { written, reported }: Readonly<Record<'written' | 'reported', readonly string[]>>,
) {
  const root = temporaryFolder();
  if (inGit) repositoryIn(root, FILES);
  else writeFiles(root, FILES);
  const log: string[] = [];
  const onInfo = (line: string) => void log.push(line);
  const w = await reviewed(t, [root], temporaryFolder(), { isQuiet: true, onInfo });
  const [agent] = chatsOf(t, w.tracker, root, 'Agent');
  assert.ok(agent);
  await agent.begin();
  mkdirSync(path.join(root, 'dist'));
  for (const name of written) writeFileSync(path.resolve(root, name), 'new\n');
  const locations = reported.map(name => ({ path: path.resolve(root, name) }));
  agent.call('edit', { toolKind: 'edit', title: 'Edit', status: 'completed', locations });
  agent.finish();
  await w.tracker.idle();
  const pending = w.review.pending.map(({ path: file }) => path.relative(root, file)).sort();
  return { root, pending, log };
}

test('what only the agent names is pending', { timeout: 30_000 }, async t => {
  const written = ['dist/named.js', 'dist/built.js'];
  const { pending, log } = await turn(t, false, { written, reported: ['dist/named.js'] });
  assert.deepEqual(pending, ['dist/named.js']);
  assert.deepEqual(log, []);
});

test('what it names and nobody reviews is in the log, with why', { timeout: 30_000 }, async t => {
  const outside = path.join(temporaryFolder(), 'outside.txt');
  const { root, pending, log } = await turn(t, true, {
    written: ['a.txt', 'dist/built.js', outside],
    reported: ['a.txt', 'dist/built.js', outside],
  });
  assert.deepEqual(pending, ['a.txt']);
  assert.deepEqual(log, [
    `Agent says it changed ${outside}, which is not reviewed: it is outside the workspace`,
    `Agent says it changed ${path.join(root, 'dist/built.js')}, which is not reviewed: it is ignored`,
  ]);
});

test('what it only reads or means to change is no report', { timeout: 30_000 }, async t => {
  const root = temporaryFolder();
  repositoryIn(root, FILES);
  const log: string[] = [];
  const w = await reviewed(t, [root], temporaryFolder(), { onInfo: line => void log.push(line) });
  const [agent] = chatsOf(t, w.tracker, root, 'Agent');
  assert.ok(agent);
  await agent.begin();
  const locations = [{ path: path.join(root, 'dist/built.js') }];
  agent.call('read', { toolKind: 'read', title: 'Read', status: 'completed', locations });
  agent.call('edit', { toolKind: 'edit', title: 'Edit', status: 'running', locations });
  agent.call('edit', { status: 'failed' });
  agent.finish();
  await w.tracker.idle();
  assert.deepEqual(log, []);
});
