import { constants } from 'node:os';
import { StringDecoder } from 'node:string_decoder';
import type { Env } from '../agents/process/environmentVariables';
import type { TerminalExit } from '../session/state/state';
import type { NodePty } from './nodePty';
import { readToTheEnd } from './readToTheEnd';
import type { CommandInput, SpawnedCommand, TerminalSize } from './spawnedCommand';
import type { TerminalCommand } from './terminalCommand';

/** Starts a command in a pseudo-terminal of its own, as the leader of a session and a process group. */
export function spawnInPty(
  pty: NodePty,
  command: TerminalCommand,
  env: Env,
  cwd: string,
  { columns, rows }: TerminalSize,
): SpawnedCommand & { readonly input: CommandInput } {
  if (command.kind !== 'program') throw new Error('No program');
  const { TERM: name = 'xterm-256color' } = env;
  const options = { name, cols: columns, rows, cwd, env, encoding: null };
  const child = pty.spawn(command.file, command.args, options);
  const decoder = new StringDecoder('utf8');
  let listener: (text: string) => void = () => undefined;
  const hear = (bytes: Buffer): void => listener(decoder.write(bytes));
  child.onData(hear);
  readToTheEnd(child, hear);
  let hasEnded = false;
  const ended = new Promise<TerminalExit>(resolve => {
    child.onExit(({ exitCode, signal }) => {
      hasEnded = true;
      resolve(signal ? { exitCode: null, signal: signalName(signal) } : { exitCode, signal: null });
    });
  });
  return {
    pid: child.pid,
    ended,
    // `node-pty` reports the end after the last output.
    closed: ended.then(() => undefined),
    onData: onData => void (listener = onData),
    release() {},
    input: {
      write(text) {
        if (!hasEnded) child.write(text);
      },
      resize(size) {
        // The terminal may have gone a moment ago.
        if (!hasEnded) ignoringErrors(() => child.resize(size.columns, size.rows));
      },
    },
  };
}

function signalName(wanted: number): string {
  const found = Object.entries(constants.signals).find(([, number]) => number === wanted);
  return found?.[0] ?? `signal ${wanted}`;
}

function ignoringErrors(act: () => void): void {
  try {
    act();
  } catch {
    // Nothing that anyone could do about it.
  }
}
