import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemOf, rig, type RigOptions } from '../support';

/** A program by way of Node that prints this, whatever it is asked. */
function printing(words: string): RigOptions {
  const args = ['-e', `console.log(${JSON.stringify(words)})`, '--'];
  return { definition: { kind: 'codex', name: 'Codex', command: process.execPath, args } };
}

test('a command that is missing says how to install it', async t => {
  const definition = { kind: 'codex', command: 'no-such-codex', args: [] } as const;
  const { host } = rig(t, '', { definition });
  const problem = await problemOf(host.connect());
  assert.equal(problem.kind, 'commandNotFound');
  assert.match(problem.detail, /npm install -g @openai\/codex/);
});

test('a CLI that is too old says which one is needed', async t => {
  const { host } = rig(t, '', printing('codex-cli 0.42.0'));
  const problem = await problemOf(host.connect());
  assert.equal(problem.kind, 'unsupportedVersion');
  assert.match(problem.detail, /Codex 0\.42\.0; Parley needs 0\.150\.0 or newer/);
});

test('another program says that it is one, with what it wrote', async t => {
  const { host } = rig(t, '', printing('hello, world'));
  const problem = await problemOf(host.connect());
  assert.equal(problem.kind, 'notAcp');
  assert.match(problem.title, /is not Codex/);
  assert.deepEqual(problem.output, ['hello, world']);
});

test('a CLI that ends instead of being a server says so', async t => {
  const { host } = rig(t, '', printing('codex-cli 0.171.0'));
  const problem = await problemOf(host.connect());
  assert.match(problem.detail, /Codex ended with exit code 0/);
});
