/** Claude Code without an adapter: its CLI, spoken to in its own protocol. */
import { orAborted } from '../../../base/orAborted';
import { AgentError } from '../../../session/ports';
import type { Backend, RunningAgent, Start } from '../../backend';
import type { ClaudeCodeAgent } from '../../definitions';
import type { LaunchSpec } from '../../process/agentProcess';
import { runBriefly } from '../../process/briefRun';
import { formatCommandLine } from '../../process/commandLine';
import { agentMark } from '../../process/processMark';
import { accountOf } from '../acp/account';
import { limitsOf } from '../acp/agentLimits';
import { initializeAgent } from '../acp/initialize';
import { inProcessEndpoint } from '../inProcess/agentSide';
import { launchSpec } from '../launchSpec';
import { ClaudeAgent } from './claudeAgent';
import { notClaude, notInstalled, tooOld } from './claudeProblems';

/** Since then the CLI has all that is asked of it here. */
const LEAST_VERSION = [2, 0, 0] as const;

export const claudeBackend: Backend<ClaudeCodeAgent> = {
  async start(definition, start, signal) {
    const { host, isFresh } = start;
    const { name } = definition;
    const { spec, proxy } = await installed(() => launchSpec(definition, host, isFresh, signal));
    const limits = () => limitsOf(host.settings());
    const commandLine = formatCommandLine(spec.command, spec.args);
    start.onInitialize(commandLine, limits().initializeSeconds);
    const version = await orAborted(checkedVersion(name, spec, start), signal);
    host.logger.info(`${name}: ${commandLine} is Claude Code ${version}`);
    // Not what signs in, in a terminal of the user's.
    const env = { ...spec.env, ...agentMark(name) };
    const endpoint = inProcessEndpoint(
      name,
      host.logger,
      client =>
        new ClaudeAgent({
          client,
          spec: { ...spec, env },
          version,
          processes: host.processes,
          maxLineBytes: () => limits().maxLineBytes,
          output: host.onStderr ?? (line => host.logger.info(`[${name}] ${line}`)),
        }),
    );
    const launch = async (signIn: AbortSignal) =>
      (await launchSpec(definition, host, false, signIn)).spec;
    const agent = {
      name,
      endpoint,
      protocol: 'v1' as const,
      isLocal: true,
      ...(proxy && { proxy }),
      account: (initialized: RunningAgent['link']['initialized']) =>
        accountOf(name, initialized, host, launch),
    };
    return initializeAgent(agent, start, signal);
  },
};

async function installed<T>(find: () => Promise<T>): Promise<T> {
  try {
    return await find();
  } catch (error) {
    const isMissing = error instanceof AgentError && error.problem.kind === 'commandNotFound';
    throw isMissing ? new AgentError(notInstalled(error.problem)) : error;
  }
}

/** @throws AgentError for a program that is something else, or too old */
async function checkedVersion(name: string, spec: LaunchSpec, { host }: Start): Promise<string> {
  const asked = { ...spec, args: [...spec.args, '--version'] };
  const { initializeSeconds } = limitsOf(host.settings());
  const run = await runBriefly(asked, host.processes, initializeSeconds * 1000);
  const [version, ...numbers] = /(\d+)\.(\d+)\.(\d+) \(Claude Code\)/.exec(run?.stdout ?? '') ?? [];
  if (version === undefined) {
    const commandLine = formatCommandLine(asked.command, asked.args);
    const output = [...(run?.stdout.split('\n') ?? []), ...(run?.stderr ?? [])].filter(Boolean);
    throw new AgentError(notClaude(name, commandLine, output));
  }
  const difference = numbers
    .map((part, index) => Number(part) - (LEAST_VERSION[index] ?? 0))
    .find(each => each !== 0);
  const plain = numbers.join('.');
  if ((difference ?? 0) < 0) throw new AgentError(tooOld(name, plain, LEAST_VERSION.join('.')));
  return plain;
}
