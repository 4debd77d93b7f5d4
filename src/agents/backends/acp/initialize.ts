import * as l10n from '@vscode/l10n';
import { AcpConnection } from '../../../acp/rpc/connection';
import { ErrorCode, RequestError } from '../../../acp/rpc/errors';
import type * as schema from '../../../acp/schema/schema';
import { ReadingPace } from '../../../acp/transport/readingPace';
import { orAborted } from '../../../base/orAborted';
import { AgentError } from '../../../session/ports';
import type { Problem } from '../../../session/state/state';
import type { Account, RunningAgent, Start } from '../../backend';
import type { Protocol } from '../../definitions';
import type { UsedProxy } from '../../process/proxyEnvironment';
import * as problems from '../../startProblems';
import { TIMED_OUT, within } from '../../within';
import { limitsOf } from './agentLimits';
import { AcpAgentLink } from './agentLink';
import type { Ending, Endpoint } from './endpoint';
import { initializeRequest, refusesVersion, speaks } from './initializeRequest';
import { OutputWatch } from './outputWatch';
import { SessionRouter } from './sessionRouter';

/** The agent that is asked to get ready. */
export interface StartedAgent {
  readonly name: string;
  readonly endpoint: Endpoint;
  /** Which version to speak with it. */
  readonly protocol: Protocol;
  /** Whether commands that sign the user in can run where the agent runs. */
  readonly isLocal: boolean;
  /** The server that it runs on; absent: this machine. */
  readonly place?: string;
  /** What it was given to reach the network. */
  readonly proxy?: UsedProxy;
  account(initialized: schema.InitializeResponse): Account;
}

/**
 * How long the exit that nearly always follows the end of a program's output is waited for, in milliseconds: long, since a
 * busy machine may report it late, and what ended would be said to run.
 */
const EXIT_AFTER_CLOSE_MS = 3_000;

/** How long the messages that a program wrote before it ended are waited for, in milliseconds: a child may hold its output open. */
const LAST_MESSAGES_MS = 300;

type Outcome =
  | { readonly kind: 'answered'; readonly response: schema.InitializeResponse }
  | { readonly kind: 'refused'; readonly error: RequestError }
  | { readonly kind: 'ended'; readonly ending: Ending }
  | { readonly kind: 'closed' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'junk' };

/** What was seen of an agent while it started. */
interface Seen {
  readonly connection: AcpConnection;
  readonly closed: Promise<void>;
  readonly heard: OutputWatch;
  readonly initializeSeconds: number;
}

/**
 * Opens the connection and has the agent get ready. When that fails, the agent is being stopped.
 * @throws AgentError with the cause; the signal's reason when aborted.
 */
export async function initializeAgent(
  agent: StartedAgent,
  { host, onStopping }: Pick<Start, 'host' | 'onStopping'>,
  signal: AbortSignal,
): Promise<RunningAgent> {
  const { name, endpoint } = agent;
  const { logger } = host;
  const heard = new OutputWatch();
  const router = new SessionRouter(logger, host.mask);
  const limits = () => limitsOf(host.settings());
  const pace = new ReadingPace({
    perMinute: () => limits().updatesPerMinute,
    now: () => performance.now(),
    onSlowed: sessionId => router.slowed(sessionId, limits().updatesPerMinute),
  });
  void endpoint.ending.then(() => pace.hurry());
  const connection = new AcpConnection(
    endpoint.transport({
      get maxLineBytes() {
        return limits().maxLineBytes;
      },
      pace,
      onJunk: line => heard.junk(line),
      tap: traffic => {
        if (traffic.direction === 'receive') heard.message(traffic.json);
        host.tap?.(traffic);
      },
    }),
    router,
    { logger },
  );
  const closed = new Promise<void>(resolve => connection.onDidClose(resolve));
  const output = () => {
    const own = endpoint.output();
    const { mask } = host;
    const lines = own.length > 0 ? own : heard.tail();
    return mask ? lines.map(mask) : lines;
  };
  const named = (problem: Problem) => problems.withUsedProxy(problem, agent.proxy);
  const giveUp = new AbortController();
  const seen: Seen = {
    connection,
    closed,
    heard,
    initializeSeconds: limits().initializeSeconds,
  };
  try {
    const initialize = negotiate(connection, agent, host.clientVersion, giveUp.signal);
    const outcome = await orAborted(firstOutcome(initialize, endpoint, seen), signal);
    if (outcome.kind !== 'answered') {
      throw new AgentError(named(problemOf(outcome, agent, seen, output())));
    }
    const { response } = outcome;
    const { protocolVersion, agentInfo } = response;
    if (!speaks(agent.protocol, protocolVersion)) {
      throw new AgentError(unsupportedVersion(agent, String(protocolVersion), output()));
    }
    const who = `${agentInfo?.name ?? '(no name)'} ${agentInfo?.version ?? ''}`.trim();
    logger.info(`${name} is ready: ${who}, ACP v${protocolVersion}`);
    const link = new AcpAgentLink(
      connection,
      router,
      response,
      { seconds: limits, pace },
      { proxy: agent.proxy && problems.describeProxy(agent.proxy), place: agent.place },
      host.mask,
    );
    return {
      link,
      account: agent.account(response),
      closed: causeOfEnd(endpoint, connection, closed, output).then(named),
      stop(reason) {
        link.end(reason);
        connection.dispose();
        return endpoint.stop();
      },
    };
  } catch (error) {
    giveUp.abort();
    connection.dispose();
    onStopping(endpoint.stop());
    throw error;
  }
}

/** Asks for the latest version; for v1 when the agent refuses that instead of answering what it speaks. One start. */
async function negotiate(
  connection: AcpConnection,
  { protocol, isLocal }: StartedAgent,
  clientVersion: string,
  signal: AbortSignal,
): Promise<schema.InitializeResponse> {
  const ask = (version: 1 | 2) =>
    connection.initialize(initializeRequest(version, isLocal, clientVersion), signal);
  if (protocol === 'v1') return ask(1);
  try {
    return await ask(2);
  } catch (error) {
    if (protocol === 'auto' && refusesVersion(error)) return ask(1);
    throw error;
  }
}

/** What happens first; never rejects. */
async function firstOutcome(
  initialize: Promise<schema.InitializeResponse>,
  { ended }: Endpoint,
  { connection, closed, heard, initializeSeconds }: Seen,
): Promise<Outcome> {
  const outcomes: Promise<Outcome>[] = [
    initialize.then(
      response => ({ kind: 'answered', response }),
      (error: unknown) =>
        error instanceof RequestError && error.code !== ErrorCode.connectionClosed
          ? { kind: 'refused', error }
          : { kind: 'closed' },
    ),
    closed.then(() => ({ kind: 'closed' })),
    heard.flooded.then(() => ({ kind: 'junk' })),
  ];
  if (ended) outcomes.push(ended.then(ending => ({ kind: 'ended', ending })));
  const first = await within(Promise.race(outcomes), initializeSeconds * 1000);
  if (first === TIMED_OUT) return { kind: 'timeout' };
  if (first.kind !== 'closed' || connection.closeReason !== undefined || !ended) return first;
  // The end of the output is most often the end of the process: its exit says more.
  const ending = await within(ended, EXIT_AFTER_CLOSE_MS);
  return ending === TIMED_OUT ? first : { kind: 'ended', ending };
}

/** Why an agent that was ready is gone. */
function causeOfEnd(
  { ended, problems: words }: Endpoint,
  connection: AcpConnection,
  closed: Promise<void>,
  output: () => readonly string[],
): Promise<Problem> {
  const disconnected = closed.then(async () => {
    const { closeReason } = connection;
    // Unless we broke it, the process has most likely ended: its exit says more.
    if (closeReason === undefined && ended) {
      const ending = await within(ended, EXIT_AFTER_CLOSE_MS);
      if (ending !== TIMED_OUT) return ending.afterReady(output());
    }
    return words.disconnected(closeReason, output());
  });
  if (!ended) return disconnected;
  const exited = ended.then(async ending => {
    // What it said last, which may be its answer, comes first.
    await within(closed, LAST_MESSAGES_MS);
    return ending.afterReady(output());
  });
  return Promise.race([exited, disconnected]);
}

function problemOf(
  outcome: Exclude<Outcome, { kind: 'answered' }>,
  agent: StartedAgent,
  { heard, connection, initializeSeconds }: Seen,
  output: readonly string[],
): Problem {
  const words = agent.endpoint.problems;
  const onlyJunk = () =>
    words.notAcp(l10n.t('It wrote text that is not an ACP message.'), heard.tail());
  switch (outcome.kind) {
    case 'refused':
      return refusal(agent, outcome.error, heard.firstResult(), output);
    case 'ended':
      // `echo hello` succeeds, and yet is no agent.
      return heard.sawOnlyJunk && outcome.ending.isSuccess
        ? onlyJunk()
        : outcome.ending.beforeReady(output);
    case 'closed':
      return words.closedEarly(connection.closeReason, output);
    case 'timeout':
      return heard.sawOnlyJunk ? onlyJunk() : words.timedOut(initializeSeconds, output);
    case 'junk':
      return onlyJunk();
  }
}

/** @param result what `initialize` answered, when it was no error but could not be read. */
function refusal(
  agent: StartedAgent,
  error: RequestError,
  result: object | undefined,
  output: readonly string[],
): Problem {
  const { problems: words } = agent.endpoint;
  if (error.code === ErrorCode.methodNotFound) {
    return words.notAcp(l10n.t('It does not know the request "initialize".'), output);
  }
  if (result === undefined) return problems.initializeRefused(agent.name, error.message, output);
  // Other protocols have an `initialize` too: language servers, MCP.
  const version = 'protocolVersion' in result ? result.protocolVersion : undefined;
  return typeof version === 'string'
    ? unsupportedVersion(agent, version, output)
    : words.notAcp(error.message, output);
}

function unsupportedVersion(
  { name, protocol }: StartedAgent,
  answered: string,
  output: readonly string[],
): Problem {
  const spoken = protocol === 'auto' ? '1, 2' : protocol.slice(1);
  return problems.unsupportedVersion(name, answered, spoken, output);
}
