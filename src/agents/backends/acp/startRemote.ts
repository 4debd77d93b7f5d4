import * as l10n from '@vscode/l10n';
import {
  WebSocketChannel,
  WebSocketError,
  type WebSocketEnd,
} from '../../../acp/transport/webSocket';
import { AgentError } from '../../../session/ports';
import type { RunningAgent, Start } from '../../backend';
import { describeAgent, type WebSocketAgent } from '../../definitions';
import { badConfiguration, disconnected } from '../../problems';
import { accountOf } from './account';
import { limitsOf } from './agentLimits';
import type { Endpoint } from './endpoint';
import { initializeAgent } from './initialize';
import * as problems from './remoteProblems';
import type { RemoteAddress } from './webSocketBackend';

/**
 * A message beyond `parley.limits.lineBytes` is left out as a long line is; one that is so many times longer
 * ends the connection, since it would have to be kept whole.
 */
const LONGEST_MESSAGE = 4;

/**
 * Connects to the server and has the agent get ready.
 * @throws AgentError with the cause; the signal's reason when aborted.
 */
export async function startRemote(
  definition: WebSocketAgent,
  address: RemoteAddress,
  start: Start,
  signal: AbortSignal,
): Promise<RunningAgent> {
  const { name, protocol = 'auto' } = definition;
  const { host } = start;
  // With variables as configured: their values may be secret.
  const shown = describeAgent(definition);
  const { initializeSeconds, maxLineBytes } = limitsOf(host.settings());
  const maxMessageBytes = LONGEST_MESSAGE * maxLineBytes;
  signal.throwIfAborted();
  host.logger.info(`Connecting to ${name}: ${shown}`);
  const channel = await connect(address, maxMessageBytes, initializeSeconds * 1000, signal).catch(
    (error: unknown) => {
      if (error instanceof WebSocketError) {
        const problem = problems.notReached(name, shown, error.end, initializeSeconds);
        throw new AgentError(problem, { cause: error });
      }
      // Before anything was sent: a header with a line break, for instance.
      if (error instanceof TypeError || error instanceof SyntaxError) {
        throw new AgentError(badConfiguration(name, `${error.message}.`), { cause: error });
      }
      throw error;
    },
  );
  start.onInitialize(shown, initializeSeconds);
  const agent = {
    name,
    endpoint: endpointOf(name, channel, maxMessageBytes),
    protocol,
    isLocal: false,
    account: (initialized: RunningAgent['link']['initialized']) =>
      accountOf(name, initialized, host),
  };
  return initializeAgent(agent, start, signal);
}

function connect(
  { url, headers }: RemoteAddress,
  maxMessageBytes: number,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<WebSocketChannel> {
  return WebSocketChannel.open(url, { headers, maxMessageBytes, timeoutMs }, signal);
}

function endpointOf(name: string, channel: WebSocketChannel, maxMessageBytes: number): Endpoint {
  let end: WebSocketEnd | undefined;
  void channel.closed.then(closed => (end = closed));
  const cause = (reason: string | undefined) =>
    reason ?? (end ? problems.describeEnd(end, maxMessageBytes) : l10n.t('The server closed it.'));
  return {
    transport: options => channel.transport(options),
    ending: channel.closed,
    problems: {
      notAcp: (evidence, output) => problems.notAcpServer(name, evidence, output),
      timedOut: (seconds, output) => problems.noAnswer(name, seconds, output),
      closedEarly: (reason, output) => problems.closedEarly(name, cause(reason), output),
      disconnected: (reason, output) => disconnected(name, cause(reason), output),
    },
    output: () => [],
    stop: () => channel.close(),
  };
}
