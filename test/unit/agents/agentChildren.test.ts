import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { AgentChildren } from '../../../src/agents/process/agentChildren';
import { agentMark } from '../../../src/agents/process/processMark';

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
    while (children.of('Agent')?.size !== 0) await new Promise(resolve => setImmediate(resolve));
  },
);
