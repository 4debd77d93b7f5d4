import * as l10n from '@vscode/l10n';
import { Cookies } from '../../../acp/transport/cookies';
import {
  RemoteError,
  type RemoteChannel,
  type RemoteEnd,
  type RemoteOptions,
} from '../../../acp/transport/remoteChannel';
import { AgentError } from '../../../session/ports';
import type { BackendHost, RunningAgent, Start } from '../../backend';
import { describeAgent, type RemoteAgent } from '../../definitions';
import { badConfiguration } from '../../problems';
import { disconnected } from '../../startProblems';
import { withoutEditorVariables } from '../../process/environmentVariables';
import { mayUseProxy } from '../../process/proxyEnvironment';
import { accountOf } from './account';
import { limitsOf } from './agentLimits';
import type { Endpoint } from './endpoint';
import { initializeAgent } from './initialize';
import { shownHost } from './partsOfUrl';
import type { RemoteAddress } from './remoteBackend';
import * as problems from './remoteProblems';
import type { RemoteFacts } from './remoteReasons';

/**
 * A message beyond `parley.limits.lineBytes` is left out as a long line is; one that is so many times longer
 * ends the connection, since it would have to be kept whole.
 */
const LONGEST_MESSAGE = 4;

/** What servers want to get back: also from the next start of the same agent. */
const cookies = new WeakMap<RemoteAgent, Cookies>();

/**
 * Connects to the server and has the agent get ready.
 * @throws AgentError with the cause; the signal's reason when aborted.
 */
export async function startRemote(
  definition: RemoteAgent,
  { url, headers, inputs }: RemoteAddress,
  start: Start,
  signal: AbortSignal,
): Promise<RunningAgent> {
  const { name, protocol = 'auto' } = definition;
  const { host } = start;
  // With variables as configured: their values may be secret.
  const shown = describeAgent(definition);
  const { initializeSeconds, maxLineBytes } = limitsOf(host.settings());
  const options = {
    headers,
    cookies: cookies.get(definition) ?? new Cookies(),
    maxMessageBytes: LONGEST_MESSAGE * maxLineBytes,
    timeoutMs: initializeSeconds * 1000,
  };
  cookies.set(definition, options.cookies);
  signal.throwIfAborted();
  host.logger.info(`Connecting to ${name}: ${shown}`);
  const facts: RemoteFacts = {
    agent: name,
    url: shown,
    timeoutSeconds: initializeSeconds,
    maxMessageBytes: options.maxMessageBytes,
    inputs,
  };
  const ended = async (end: RemoteEnd): Promise<void> => {
    // What was refused is asked for again.
    if (end.kind === 'status' && end.status === 401 && inputs.length > 0)
      await host.secrets?.forget(name);
  };
  const channel = await connect(url, options, host, signal).catch(async (error: unknown) => {
    if (error instanceof RemoteError) {
      await ended(error.end);
      throw new AgentError(problems.endedEarly(facts, error.end), { cause: error });
    }
    // Before anything was sent: a header with a line break, for instance.
    if (error instanceof TypeError || error instanceof SyntaxError) {
      throw new AgentError(badConfiguration(name, `${error.message}.`), { cause: error });
    }
    throw error;
  });
  void channel.closed.then(ended);
  start.onInitialize(shown, initializeSeconds);
  const agent = {
    name,
    endpoint: endpointOf(channel, facts),
    protocol,
    isLocal: false,
    place: shownHost(definition.url),
    account: (initialized: RunningAgent['link']['initialized']) =>
      accountOf(name, initialized, host),
  };
  return initializeAgent(agent, start, signal);
}

/** The scheme of the address says which wire is meant. Only that one is loaded. */
async function connect(
  url: string,
  options: RemoteOptions,
  { proxy }: BackendHost,
  signal: AbortSignal,
): Promise<RemoteChannel> {
  if (/^wss?:/i.test(url)) {
    const { WebSocketChannel } = await import('../../../acp/transport/webSocket');
    return WebSocketChannel.open(url, options, signal);
  }
  const { HttpChannel } = await import('../../../acp/transport/http/httpChannel');
  const env = withoutEditorVariables(process.env);
  const triesHttp2 = !mayUseProxy(new URL(url).hostname, env, proxy?.() ?? {});
  return HttpChannel.open(url, { ...options, triesHttp2 }, signal);
}

function endpointOf(channel: RemoteChannel, facts: RemoteFacts): Endpoint {
  const { agent } = facts;
  let end: RemoteEnd | undefined;
  void channel.closed.then(closed => (end = closed));
  const closed = () => l10n.t('The server closed it.');
  return {
    transport: options => channel.transport(options),
    ending: channel.closed,
    problems: {
      notAcp: (evidence, output) => problems.notAcpServer(agent, evidence, output),
      timedOut: (seconds, output) => problems.noAnswer(agent, seconds, output),
      closedEarly: (reason, output) =>
        reason === undefined && end
          ? problems.endedEarly(facts, end, output)
          : problems.closedEarly(agent, reason ?? closed(), output),
      disconnected: (reason, output) =>
        reason === undefined && end
          ? problems.ended(facts, end, output)
          : disconnected(agent, reason ?? closed(), output),
    },
    output: () => [],
    stop: () => channel.close(),
  };
}
