/** `hostProgram.ts` as a program: an extension host that can be killed. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { builtProgram } from './builtProgram';
import { FIXTURES, marked } from './support';

const program = builtProgram('hostProgram');

/**
 * Starts it. All that belongs to it has the mark `id`.
 * @param agent one of test/agents
 */
export function startHost(id: string, agent: string, ...args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [program, path.join(FIXTURES, `${agent}.mjs`), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...marked(id) },
  });
}

/** Starts it, and waits until its agent has done what was asked. */
export async function runningHost(
  id: string,
  agent: string,
  ...args: readonly string[]
): Promise<ChildProcess> {
  const host = startHost(id, agent, ...args);
  if (host.stdout) await once(host.stdout, 'data');
  return host;
}
