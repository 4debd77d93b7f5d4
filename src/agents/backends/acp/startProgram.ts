import * as l10n from '@vscode/l10n';
import { stdioTransport } from '../../../acp/transport/stdioTransport';
import { AgentError } from '../../../session/ports';
import type { RunningAgent, Start } from '../../backend';
import type { StdioAgent } from '../../definitions';
import { AgentProcess, type LaunchSpec } from '../../process/agentProcess';
import { formatCommandLine } from '../../process/commandLine';
import type { UsedProxy } from '../../process/proxyEnvironment';
import * as problems from '../../startProblems';
import { accountOf } from './account';
import { limitsOf } from './agentLimits';
import type { Endpoint } from './endpoint';
import { initializeAgent } from './initialize';

/**
 * Starts the program and has it get ready.
 * @param launch how it starts now, for commands that sign in to it
 * @param proxy what its environment has for one
 * @throws AgentError with the cause; the signal's reason when aborted.
 */
export async function startProgram(
  { name, protocol = 'auto' }: Pick<StdioAgent, 'name' | 'protocol'>,
  spec: LaunchSpec,
  launch: (signal: AbortSignal) => Promise<LaunchSpec>,
  start: Start,
  signal: AbortSignal,
  proxy?: UsedProxy,
): Promise<RunningAgent> {
  const { host } = start;
  signal.throwIfAborted();
  const commandLine = formatCommandLine(spec.command, spec.args);
  host.logger.info(`Starting ${name}: ${commandLine} (in ${spec.cwd})`);
  let process: AgentProcess;
  try {
    process = await AgentProcess.start(spec, host.processes);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new AgentError(problems.spawnFailed(name, commandLine, code), { cause: error });
  }
  process.onStderr(host.onStderr ?? (line => host.logger.info(`[${name}] ${line}`)));
  start.onInitialize(commandLine, limitsOf(host.settings()).initializeSeconds);
  const agent = {
    name,
    endpoint: endpointOf(name, process),
    protocol,
    isLocal: true,
    ...(proxy && { proxy }),
    account: (initialized: RunningAgent['link']['initialized']) =>
      accountOf(name, initialized, host, launch),
  };
  return initializeAgent(agent, start, signal);
}

function endpointOf(name: string, process: AgentProcess): Endpoint {
  return {
    transport: options => stdioTransport(process.stdout, process.stdin, options),
    ending: process.exited,
    ended: process.drained.then(exit => ({
      isSuccess: exit.code === 0,
      beforeReady: output => problems.exitedEarly(name, exit, output),
      afterReady: output => problems.crashed(name, exit, output),
    })),
    problems: {
      notAcp: (evidence, output) => problems.notAcp(name, evidence, output),
      timedOut: (seconds, output) => problems.initializeTimeout(name, seconds, output),
      closedEarly: (reason, output) =>
        problems.notAcp(name, reason ?? l10n.t('It closed its output without answering.'), output),
      disconnected: (reason, output) => problems.disconnected(name, reason, output),
    },
    output: () => process.stderrTail(),
    stop: () => process.stop(),
  };
}
