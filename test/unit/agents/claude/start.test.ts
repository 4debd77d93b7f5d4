import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemOf, rig, type RigOptions } from '../support';

/** A program by way of Node that prints this. */
function printing(words: string): RigOptions {
  const args = ['-e', `console.log(${JSON.stringify(words)})`, '--'];
  return { definition: { kind: 'claude', name: 'Claude', command: process.execPath, args } };
}

test('a command that is missing says how to install it', async t => {
  const { host } = rig(t, '', {
    definition: { kind: 'claude', command: 'no-such-claude', args: [] },
  });
  const problem = await problemOf(host.connect());
  assert.equal(problem.kind, 'commandNotFound');
  assert.match(problem.detail, /npm install -g @anthropic-ai\/claude-code/);
});

test('a CLI that is too old says which one is needed', async t => {
  const { host } = rig(t, '', printing('1.0.128 (Claude Code)'));
  const problem = await problemOf(host.connect());
  assert.equal(problem.kind, 'unsupportedVersion');
  assert.match(problem.detail, /Claude Code 1\.0\.128; Parley needs 2\.0\.0 or newer/);
});

test('another program says that it is one, with what it wrote', async t => {
  const { host } = rig(t, '', printing('hello, world'));
  const problem = await problemOf(host.connect());
  assert.equal(problem.kind, 'notAcp');
  assert.match(problem.title, /Claude is not Claude Code/);
  assert.deepEqual(problem.output, ['hello, world']);
});

test('a CLI that is new enough is ready, and runs with the first session', async t => {
  const { host, running } = rig(t, '', printing('2.1.332 (Claude Code)'));
  const link = await host.connect();
  assert.equal(link.initialized.agentInfo?.version, '2.1.332');
  assert.deepEqual(running(), []);
  // This one prints its version and ends, whatever it is asked.
  const session = link.newSession({ cwd: process.cwd(), mcpServers: [] });
  await assert.rejects(session, /Claude Code ended with exit code 0/);
});
