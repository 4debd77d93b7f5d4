import { isFolder } from '../agents/process/commandResolution';
import { formatCommandLine } from '../agents/process/commandLine';
import { mergeEnv, type Env } from '../agents/process/environmentVariables';
import type { ProcessTracker } from '../agents/process/processTracker';
import type { Logger } from '../base/logger';
import {
  TerminalError,
  type TerminalProcess,
  type TerminalRequest,
  type Terminals,
} from '../session/ports';
import { OutputBuffer } from './outputBuffer';
import { RunningTerminal } from './runningTerminal';
import { spawnTerminal, type SpawnedTerminal } from './spawnTerminal';
import { terminalCommand } from './terminalCommand';

/** Output kept when the agent names no limit, in bytes. */
const DEFAULT_OUTPUT_BYTES = 1024 * 1024;

/** Output kept at most, whatever the agent asks for. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

export interface ProcessTerminalsOptions {
  readonly logger: Logger;
  readonly processes: ProcessTracker;
  /** The login shell's environment: agents run what the user would run in a terminal. */
  readonly environment: { get(): Promise<Env> };
}

/** Commands as processes on pipes, each in a process group of its own. */
export class ProcessTerminals implements Terminals {
  constructor(private readonly options: ProcessTerminalsOptions) {}

  async create(request: TerminalRequest): Promise<TerminalProcess> {
    const { command, args, cwd } = request;
    const { logger, processes } = this.options;
    if (command.trim() === '') throw new TerminalError('The command is empty.');
    if (!isFolder(cwd)) throw new TerminalError(`No such folder: ${cwd}`);
    const env = mergeEnv(withoutTerminal(await this.options.environment.get()), request.env);
    const found = await terminalCommand(command, args, env, cwd);
    const commandLine = args.length > 0 ? formatCommandLine(command, args) : command;
    let spawned: SpawnedTerminal;
    try {
      spawned = await spawnTerminal(found, env, cwd);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
      throw new TerminalError(`Could not start ${command} (${code})`, { cause: error });
    }
    logger.debug(`Running ${commandLine} (pid ${spawned.pid}, in ${cwd})`);
    const buffer = new OutputBuffer(outputLimit(request.outputByteLimit));
    return new RunningTerminal(commandLine, spawned, buffer, processes);
  }
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
