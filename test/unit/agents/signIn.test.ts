import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { test } from 'node:test';
import type { AgentSupervisorOptions } from '../../../src/agents/supervisor';
import type { LaunchSpec } from '../../../src/agents/process/agentProcess';
import type { Env } from '../../../src/agents/process/environmentVariables';
import { FIXTURES, rig } from './support';

/** Runs commands of `terminal` methods as processes, and types `answers`. */
function signingIn(answers: Env | undefined) {
  const commands: LaunchSpec[] = [];
  const kept = new Map<string, Env>();
  const options: Partial<AgentSupervisorOptions> = {
    signIn: {
      async runInTerminal(_title, command) {
        commands.push(command);
        const child = spawn(command.command, command.args, { cwd: command.cwd, env: command.env });
        const [code] = (await once(child, 'exit')) as [number];
        return code;
      },
      askVariables: () => Promise.resolve(answers),
    },
    secrets: {
      get: name => Promise.resolve(kept.get(name) ?? {}),
      add: async (name, variables) => void kept.set(name, { ...kept.get(name), ...variables }),
      forget: async name => void kept.delete(name),
    },
  };
  return { commands, kept, options };
}

/** Of nobody who gives up. */
const patient = new AbortController().signal;

test("a terminal method runs the agent's own command with the arguments of the method", async t => {
  const { commands, options } = signingIn(undefined);
  const { host } = rig(t, 'authMethods', options);
  const lease = host.lease();
  const link = await host.connect();
  assert.equal(await host.signIn('tui', patient), true);
  assert.deepEqual(commands[0]?.args.slice(-1), ['login']);
  assert.equal(commands[0]?.args[0], path.join(FIXTURES, 'authMethods.mjs'));
  assert.equal(commands[0]?.env['FROM_METHOD'], 'yes');
  assert.notEqual(await host.connect(), link, 'a new process has what was signed in with');
  await assert.rejects(host.signIn('broken', patient), /exit code 3/);
  await assert.rejects(host.signIn('elsewhere', patient), /no-such-command-here/);
  lease.dispose();
});

test('variables of an env_var method are kept, given to the next process, and forgotten', async t => {
  const masked: string[] = [];
  const { kept, options } = signingIn({ FIXTURE_KEY: 'secret-${env:HOME}' });
  const { host } = rig(t, 'authMethods', { ...options, onSecrets: all => masked.push(...all) });
  const lease = host.lease();
  await host.connect();
  assert.equal(await host.signIn('key', patient), true);
  assert.deepEqual(kept.get('Fixture'), { FIXTURE_KEY: 'secret-${env:HOME}' });
  assert.ok(masked.includes('secret-${env:HOME}'));
  const { initialized } = await host.connect();
  assert.equal(initialized.agentInfo?.version, 'secret-${env:HOME}', 'as typed, nothing expanded');
  await host.signOut();
  assert.equal(host.status.kind, 'stopped');
  assert.equal(kept.size, 0);
  const again = await host.connect();
  assert.equal(again.initialized.agentInfo?.version, 'logged out');
  lease.dispose();
});

test('giving up changes nothing', async t => {
  const { options } = signingIn(undefined);
  const { host } = rig(t, 'authMethods', options);
  const link = await host.connect();
  assert.equal(await host.signIn('key', patient), false);
  assert.equal(await host.connect(), link);
});
