/** A window that the user's editor has opened for an agent has the agent's mark, and is the user's. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { findLeftovers } from '../../../src/agents/process/leftovers';
import { MARK_VARIABLE } from '../../../src/agents/process/processMark';
import { eventually } from '../../workbench/eventually';
import { runningHost } from './builtHost';
import { killAllWith, marked, processesWith } from './support';

/** Environments of other processes are read on Linux alone. */
const LINUX = { skip: process.platform !== 'linux', timeout: 60_000 };

/** The mark that the agent's processes have. */
function markIn(pids: readonly number[]): string {
  const marks = pids.flatMap(pid =>
    readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .filter(variable => variable.startsWith(`${MARK_VARIABLE}=`)),
  );
  return marks[0]?.slice(MARK_VARIABLE.length + 1) ?? '';
}

const ENDS: Readonly<Record<string, (host: ChildProcess) => unknown>> = {
  'the agent is stopped': host => host.kill('SIGHUP'),
  'the window closes': host => host.kill('SIGUSR2'),
  'the extension host is killed': host => host.kill('SIGKILL'),
};

for (const [what, end] of Object.entries(ENDS)) {
  test(`${what}: a window of the editor with the agent's mark lives on`, LINUX, async t => {
    const id = randomUUID();
    t.after(() => killAllWith(id));
    // This process is the editor.
    const host = await runningHost(id, 'leavesDaemons', 'leave');
    const others = processesWith(id).filter(pid => pid !== host.pid);
    assert.equal(others.length, 3, 'the agent and what has left it');
    const mark = markIn(others);
    assert.ok(mark.startsWith(`${host.pid}@`));
    // A window with a program in a terminal.
    const window = spawn('/bin/sh', ['-c', 'setsid sleep 600 & echo up; wait'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...marked(id), [MARK_VARIABLE]: mark },
    });
    await once(window.stdout, 'data');
    const ofAgent = () => processesWith(id).filter(pid => others.includes(pid));
    end(host);
    await eventually('all of the agent is gone', () => ofAgent().length === 0);
    host.kill('SIGKILL');
    await eventually('the host is gone', () => !processesWith(id).includes(host.pid ?? 0));
    assert.equal(window.exitCode ?? window.signalCode, null);
    assert.equal(processesWith(id).length, 2);
    const left = findLeftovers().map(({ pid }) => pid);
    assert.ok(!processesWith(id).some(pid => left.includes(pid)), 'nor is it left over');
  });
}
