import { isFolder } from '../agents/process/commandResolution';
import { formatCommandLine } from '../agents/process/commandLine';
import { mergeEnv, type Env } from '../agents/process/environmentVariables';
import { commandMark, MARK_VARIABLE } from '../agents/process/processMark';
import type { ProcessTracker } from '../agents/process/processTracker';
import type { Logger } from '../base/logger';
import {
  TerminalError,
  type TerminalProcess,
  type TerminalRequest,
  type Terminals,
} from '../session/ports';
import { lazy } from '../base/lazy';
import type { FoundPty, NodePty } from './nodePty';
import { PipeOutput } from './pipeOutput';
import { RunningTerminal } from './runningTerminal';
import { spawnOnPipes } from './spawnOnPipes';
import type { TerminalSize } from './spawnedCommand';
import { terminalCommand, type TerminalCommand } from './terminalCommand';

/** Output kept when the agent names no limit, in bytes. */
const DEFAULT_OUTPUT_BYTES = 1024 * 1024;

/** Output kept at most, whatever the agent asks for. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Of a terminal that nobody looks at: tables of programs fit, and lines are reported unbroken anyway. */
const SIZE: TerminalSize = { columns: 120, rows: 30 };

export interface ProcessTerminalsOptions {
  readonly logger: Logger;
  readonly processes: ProcessTracker;
  /** The login shell's environment: agents run what the user would run in a terminal. */
  readonly environment: { get(): Promise<Env> };
  /** What gives pseudo-terminals; undefined where commands run on pipes. */
  readonly findPty?: () => Promise<FoundPty>;
}

/** Commands as processes, each in a process group of its own; in a pseudo-terminal where there are such, else on pipes. */
export class ProcessTerminals implements Terminals {
  private readonly pty = lazy(() => this.findPty());

  constructor(private readonly options: ProcessTerminalsOptions) {}

  async create(request: TerminalRequest): Promise<TerminalProcess> {
    const { command, args, cwd } = request;
    const { logger, processes, environment } = this.options;
    if (command.trim() === '') throw new TerminalError('The command is empty.');
    if (!isFolder(cwd)) throw new TerminalError(`No such folder: ${cwd}`);
    const pty = await this.pty();
    const shell = await environment.get();
    const own = mergeEnv(pty ? inTerminal(shell) : withoutTerminal(shell), request.env);
    const mark = commandMark();
    const env = mergeEnv(own, mark);
    const found = await terminalCommand(command, args, env, cwd);
    const commandLine = args.length > 0 ? formatCommandLine(command, args) : command;
    const limit = outputLimit(request.outputByteLimit);
    try {
      const { spawned, output } = pty
        ? await inPty(pty, found, env, cwd, limit)
        : { spawned: await spawnOnPipes(found, env, cwd), output: new PipeOutput(limit) };
      const where = pty ? 'in a pseudo-terminal' : 'on pipes';
      logger.debug(`Running ${commandLine} ${where} (pid ${spawned.pid}, in ${cwd})`);
      return new RunningTerminal(commandLine, spawned, output, processes, mark[MARK_VARIABLE]);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
      throw new TerminalError(`Could not start ${command} (${code})`, { cause: error });
    }
  }

  private async findPty(): Promise<NodePty | undefined> {
    const { findPty, logger } = this.options;
    const found = await findPty?.();
    if (found?.kind === 'found') {
      logger.info(`Commands of agents run in pseudo-terminals (${found.path})`);
      return found.pty;
    }
    const reason = found ? `: ${found.reason}` : '';
    logger.info(`Commands of agents run on pipes, without a pseudo-terminal${reason}`);
    return undefined;
  }
}

async function inPty(pty: NodePty, command: TerminalCommand, env: Env, cwd: string, limit: number) {
  const [{ spawnInPty }, { ScreenOutput }] = await Promise.all([
    import('./spawnInPty'),
    import('./screenOutput'),
  ]);
  const spawned = spawnInPty(pty, command, env, cwd, SIZE);
  return { spawned, output: new ScreenOutput(limit, SIZE, spawned.input) };
}

function outputLimit(asked: number | undefined): number {
  if (asked === undefined || !Number.isFinite(asked) || asked < 0) return DEFAULT_OUTPUT_BYTES;
  return Math.min(Math.floor(asked), MAX_OUTPUT_BYTES);
}

/**
 * `env` for programs whose output is read by an agent and shown in a card: there is no screen, so no
 * cursor movement (TERM), and no colours forced upon everything by what the editor was started with.
 * The agent's own variables come on top and may ask for colours.
 */
function withoutTerminal(env: Env): Env {
  const { COLORTERM: _1, FORCE_COLOR: _2, CLICOLOR_FORCE: _3, ...rest } = env;
  return { ...rest, TERM: 'dumb' };
}

/** Nobody may be there to answer: git opens no editor and asks for no password, npx installs what it is to run. */
const UNATTENDED: Env = {
  GIT_EDITOR: 'true',
  GIT_MERGE_AUTOEDIT: 'no',
  GIT_TERMINAL_PROMPT: '0',
  npm_config_yes: 'true',
};

/** `env` for programs that have a terminal but nobody who turns pages. What the user has set about questions stands. */
function inTerminal(env: Env): Env {
  const { FORCE_COLOR: _1, CLICOLOR_FORCE: _2, ...rest } = env;
  return {
    ...UNATTENDED,
    ...rest,
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
  };
}
