/** Starts a program that is an agent without speaking ACP, as an agent of ACP in this process. */
import type * as schema from '../../../acp/schema/schema';
import { orAborted } from '../../../base/orAborted';
import type { Account, RunningAgent, Start } from '../../backend';
import type { ProgramAgent } from '../../definitions';
import type { LaunchSpec } from '../../process/agentProcess';
import { formatCommandLine } from '../../process/commandLine';
import type { ProcessTracker } from '../../process/processTracker';
import { agentMark } from '../../process/processMark';
import { accountOf } from '../acp/account';
import { limitsOf } from '../acp/agentLimits';
import { initializeAgent } from '../acp/initialize';
import { launchSpec } from '../launchSpec';
import { inProcessEndpoint, type InProcessAgent, type InProcessClient } from './agentSide';
import { checkedVersion, installed, type Product } from './product';

export interface ProductParts {
  readonly client: InProcessClient;
  /** How the program is started, with the user's own arguments. */
  readonly spec: LaunchSpec;
  readonly version: string;
  /** Parley's own. */
  readonly clientVersion: string;
  readonly processes: ProcessTracker;
  readonly maxLineBytes: () => number;
  /** A line of a process that is no message. */
  output(line: string): void;
}

/**
 * @param make the agent; it starts the program when it needs it
 * @param account what else there is to signing in
 * @throws AgentError with what the user should know; the signal's reason when aborted.
 */
export async function startProduct(
  product: Product,
  definition: ProgramAgent,
  start: Start,
  make: (parts: ProductParts) => InProcessAgent,
  signal: AbortSignal,
  account = (common: Account, _initialized: schema.InitializeResponse): Account => common,
): Promise<RunningAgent> {
  const { host, isFresh } = start;
  const { name } = definition;
  const { spec, proxy } = await installed(product, () =>
    launchSpec(definition, host, isFresh, signal),
  );
  const limits = () => limitsOf(host.settings());
  const commandLine = formatCommandLine(spec.command, spec.args);
  start.onInitialize(commandLine, limits().initializeSeconds);
  const version = await orAborted(checkedVersion(product, name, spec, start), signal);
  host.logger.info(`${name}: ${commandLine} is ${product.title} ${version}`);
  // Not what signs in, in a terminal of the user's.
  const env = { ...spec.env, ...agentMark(name) };
  const endpoint = inProcessEndpoint(name, host.logger, client =>
    make({
      client,
      spec: { ...spec, env },
      version,
      clientVersion: host.clientVersion,
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
    account: (initialized: schema.InitializeResponse) =>
      account(accountOf(name, initialized, host, launch), initialized),
  };
  return initializeAgent(agent, start, signal);
}
