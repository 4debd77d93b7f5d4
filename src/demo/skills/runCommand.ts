import { Cancelled } from '../peer';
import type { ToolRun } from '../toolRun';
import type { Turn } from '../turn';

export type RunResult =
  | { readonly kind: 'exited'; readonly exitCode: number | null; readonly signal: string | null }
  | { readonly kind: 'proposed' | 'rejected' | 'failed' | 'unsupported' };

/** Output kept by the client, in bytes. */
const OUTPUT_LIMIT = 256 * 1024;

/** Runs `command` in a terminal of the client after asking; its output is live in the tool call. */
export async function runCommand(turn: Turn, command: string): Promise<RunResult> {
  if (!turn.client.capabilities.terminal) return { kind: 'unsupported' };
  if (turn.session.settings.mode === 'plan') return { kind: 'proposed' };
  const tool = turn.tool({
    title: command,
    kind: 'execute',
    rawInput: { command, cwd: turn.cwd },
  });
  if ((await turn.consent(tool, 'execute')) === 'rejected') {
    tool.declined();
    return { kind: 'rejected' };
  }
  let terminalId: string;
  try {
    terminalId = await turn.client.createTerminal({
      ...asProcess(command),
      cwd: turn.cwd,
      outputByteLimit: OUTPUT_LIMIT,
    });
  } catch (error) {
    tool.failed(error instanceof Error ? error.message : String(error));
    return { kind: 'failed' };
  }
  return await follow(turn, tool, terminalId);
}

async function follow(turn: Turn, tool: ToolRun, terminalId: string): Promise<RunResult> {
  try {
    tool.running([{ type: 'terminal', terminalId }]);
    const { exitCode = null, signal = null } = await turn.client.waitForExit(terminalId);
    const { output } = await turn.client.terminalOutput(terminalId);
    const end = { rawOutput: { exitCode, signal } };
    if (exitCode === 0) tool.done(end);
    else tool.ended(end);
    tool.keepOutput(output);
    return { kind: 'exited', exitCode, signal };
  } catch (error) {
    if (error instanceof Cancelled)
      await turn.client.killTerminal(terminalId).catch(() => undefined);
    throw error;
  } finally {
    await turn.client.releaseTerminal(terminalId).catch(() => undefined);
  }
}

/** A plain command as program and arguments; anything that needs a shell goes through one. */
export function asProcess(command: string): { command: string; args: string[] } {
  if (process.platform === 'win32') return { command: 'cmd', args: ['/d', '/s', '/c', command] };
  const words = command.split(/\s+/).filter(word => word !== '');
  const [program, ...args] = words;
  if (program !== undefined && words.every(word => /^[\w@%+:,./-]+$/.test(word))) {
    return { command: program, args };
  }
  return { command: 'sh', args: ['-c', command] };
}

/** Something to run where the project has no tests: it takes a moment, in colour. */
export function sampleCommand(): string {
  return process.platform === 'win32'
    ? 'for /l %i in (1,1,5) do @(echo step %i of 5 & ping -n 2 127.0.0.1 >nul)'
    : 'for i in 1 2 3 4 5; do printf "\\033[32m✓\\033[0m step $i of 5\\n"; sleep 0.5; done';
}
