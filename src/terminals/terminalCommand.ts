import { basename } from 'node:path';
import { resolveCommand } from '../agents/process/commandResolution';
import { getVariable, type Env } from '../agents/process/environmentVariables';
import { TerminalError } from '../session/ports';

/** What to start for a command an agent asked for. */
export type TerminalCommand =
  | { readonly kind: 'program'; readonly file: string; readonly args: readonly string[] }
  /** A command line for cmd.exe, which parses it itself: to be passed on as it is. */
  | { readonly kind: 'cmdLine'; readonly file: string; readonly line: string };

/** Shells that understand what agents write; others (fish, nu) are the user's, but not the agents'. */
const POSIX_SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh']);

/** Characters that mean something to a shell, or separate words. */
const SHELL_SYNTAX = /[\s|&;<>()$`"'*?[\]#~=%{}!]/;

/**
 * The schema has a program and its arguments, but agents also send whole command lines
 * (`{ command: "npm test && git status" }`): what is no program and looks like a line goes to the shell.
 * @throws TerminalError when there is no such command.
 */
export async function terminalCommand(
  command: string,
  args: readonly string[],
  env: Env,
  cwd: string,
): Promise<TerminalCommand> {
  const program = await resolveCommand(command, env, cwd);
  if (program.kind === 'found') return { kind: 'program', file: program.path, args };
  if (SHELL_SYNTAX.test(command.trim())) return shellCommand(command, args, env);
  throw new TerminalError(
    program.kind === 'notExecutable'
      ? `Command is not executable: ${command}`
      : `Command not found: ${command}`,
  );
}

function shellCommand(line: string, args: readonly string[], env: Env): TerminalCommand {
  if (process.platform === 'win32') {
    const file = getVariable(env, 'ComSpec') ?? 'cmd.exe';
    return { kind: 'cmdLine', file, line: [line, ...args.map(quoteForCmd)].join(' ') };
  }
  const own = getVariable(env, 'SHELL');
  const file = own !== undefined && POSIX_SHELLS.has(basename(own)) ? own : '/bin/sh';
  if (args.length === 0) return { kind: 'program', file, args: ['-c', line] };
  return { kind: 'program', file, args: ['-c', `${line} "$@"`, basename(file), ...args] };
}

function quoteForCmd(argument: string): string {
  return /^[\w./:\\=-]+$/.test(argument) ? argument : `"${argument.replaceAll('"', '""')}"`;
}
