import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { AgentChildren } from '../../../src/agents/process/agentChildren';
import { agentMark, withMark } from '../../../src/agents/process/processMark';
import { listProcesses } from '../../../src/agents/process/processTable';
import { eventually } from '../../workbench/eventually';
import { browserIn } from './support';

test(
  'what an agent has started is found as long as it lives, also when it has left its parent',
  { skip: process.platform !== 'linux', timeout: 30_000 },
  async t => {
    const children = new AgentChildren();
    const env = { ...process.env, ...agentMark('Agent') };
    // The shell in a group of its own ends, and what it started lives on until its input ends.
    const script = 'setsid sh -c "cat <&3 >/dev/null & echo ready" 3<&0; read _';
    const agent = spawn('/bin/sh', ['-c', script], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    t.after(() => agent.kill());
    await once(agent.stdout, 'data');
    const found = children.of('Agent') ?? [];
    assert.ok([...found].some(name => !name.startsWith(`${agent.pid} `)));
    assert.ok(![...found].some(name => name.startsWith(`${agent.pid} `)), 'not the agent itself');
    assert.deepEqual([...(children.of('Another') ?? [1])], []);
    agent.stdin.end();
    await once(agent, 'exit');
    while (children.of('Agent')?.size !== 0) await setImmediate();
  },
);

const LINUX = { skip: process.platform !== 'linux', timeout: 30_000 };

test("a browser of the user's that an agent has opened is none of its children", LINUX, async t => {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-browser-'));
  const env = { ...process.env, ...agentMark('Agent') };
  const agent = spawn('/bin/sh', ['-c', `${browserIn(folder)} & cat`], { env, detached: true });
  t.after(() => {
    process.kill(-Number(agent.pid), 'SIGKILL');
    rmSync(folder, { recursive: true });
  });
  await once(agent.stdout, 'data');
  const children = new AgentChildren();
  // The `cat` alone: neither the browser nor its child.
  await eventually('it is left out', async () => {
    await setImmediate();
    return children.of('Agent')?.size === 1;
  });
});

test(
  'a process is known by its mark also if it had no environment when it was first seen',
  LINUX,
  async t => {
    const env = agentMark('Agent');
    const [[name, value] = []] = Object.entries(env);
    const script = `read _; exec env '${name}=${value}' cat`;
    const shell = spawn('/bin/sh', ['-c', script], { env: {} });
    t.after(() => shell.kill());
    const isKnown = () =>
      withMark(mark => mark === value, listProcesses()).some(({ pid }) => pid === shell.pid);
    await once(shell, 'spawn');
    assert.ok(!isKnown());
    shell.stdin.write('go\n');
    await eventually('it is known', isKnown);
  },
);

test('what runs is looked at once for all that ask at once, and again for who asks later', async () => {
  let looks = 0;
  const children = new AgentChildren(() => {
    looks++;
    return [];
  });
  children.of('One');
  children.of('Two');
  assert.equal(looks, 1);
  await Promise.resolve();
  children.of('One');
  assert.equal(looks, 2);
});
