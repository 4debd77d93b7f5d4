/** Runs a program that answers and ends. */
import spawn from 'cross-spawn';
import { TIMED_OUT, within } from '../within';
import type { LaunchSpec } from './agentProcess';
import { LineSplitter, LineTail } from './lineTail';
import type { ProcessTracker } from './processTracker';
import { ProcessTree, TREE_SPAWN_OPTIONS } from './processTree';

export interface BriefRun {
  readonly code: number | null;
  /** No more than `MAX_OUTPUT` of it. */
  readonly stdout: string;
  /** The last lines. */
  readonly stderr: readonly string[];
}

const MAX_OUTPUT = 64 * 1024;
const STDERR_LINES = 20;

/**
 * Nothing of it is left afterwards, however it ends.
 * @returns undefined when it has not ended within `timeoutMs`, or could not be started
 */
export async function runBriefly(
  { command, args, cwd, env }: LaunchSpec,
  processes: ProcessTracker,
  timeoutMs: number,
): Promise<BriefRun | undefined> {
  const child = spawn(command, [...args], {
    ...TREE_SPAWN_OPTIONS,
    cwd,
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.on('error', () => undefined);
  if (child.pid === undefined) return undefined;
  const tree = new ProcessTree(child.pid);
  const tracked = processes.add(tree);
  let stdout = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    if (stdout.length < MAX_OUTPUT) stdout += text;
  });
  const tail = new LineTail(STDERR_LINES);
  const lines = new LineSplitter(line => tail.push(line));
  child.stderr?.on('data', (bytes: Buffer) => lines.write(bytes));
  // What it printed has been read to the end then.
  const closed = new Promise<number | null>(resolve => child.on('close', resolve));
  child.on('exit', () => tree.markRootEnded());
  const code = await within(closed, timeoutMs);
  lines.end();
  tree.killNow();
  tracked.dispose();
  if (code === TIMED_OUT) return undefined;
  return { code, stdout: stdout.slice(0, MAX_OUTPUT), stderr: tail.toArray() };
}
