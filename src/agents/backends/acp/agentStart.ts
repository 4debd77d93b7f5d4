import * as l10n from '@vscode/l10n';
import { AcpConnection } from '../../../acp/rpc/connection';
import { ErrorCode, RequestError } from '../../../acp/rpc/errors';
import { ReadingPace } from '../../../acp/transport/readingPace';
import type * as schema from '../../../acp/schema/schema';
import { stdioTransport } from '../../../acp/transport/stdioTransport';
import type { TrafficTap } from '../../../acp/transport/transport';
import { Deferred } from '../../../base/deferred';
import type { Logger } from '../../../base/logger';
import { orAborted } from '../../../base/orAborted';
import { AgentError } from '../../../session/ports';
import type { Problem } from '../../../session/state/state';
import type { AgentLimits } from './agentLimits';
import { AcpAgentLink } from './agentLink';
import { AgentProcess, type LaunchSpec, type ProcessExit } from '../../process/agentProcess';
import { formatCommandLine } from '../../process/commandLine';
import { LineTail } from '../../process/lineTail';
import * as problems from '../../problems';
import type { ProcessTracker } from '../../process/processTracker';
import { SessionRouter } from './sessionRouter';
import { EXIT_AFTER_CLOSE_MS, TIMED_OUT, within } from '../../within';

/** The protocol version Parley speaks. */
export const PROTOCOL_VERSION = 1;

/** So much on stdout without a single message is taken for no ACP, before the time is up. */
const MAX_JUNK_LINES = 1000;

/** So much of the first message is kept, in UTF-16 units, should it have to be explained. */
const MAX_FIRST_MESSAGE = 64 * 1024;

/** Junk lines kept to show. */
const JUNK_TAIL = 10;

export interface StartOptions {
  readonly agentName: string;
  readonly logger: Logger;
  readonly processes: ProcessTracker;
  readonly clientVersion: string;
  /** Asked anew whenever one is needed, but for `initializeSeconds`. */
  readonly limits: () => AgentLimits;
  readonly tap?: TrafficTap | undefined;
  readonly onStderr: (line: string) => void;
  /** The process runs; from here on it is asked to get ready. */
  readonly onSpawned: (process: AgentProcess) => void;
}

/** A running, initialised agent. */
export interface RunningAgent {
  readonly process: AgentProcess;
  readonly connection: AcpConnection;
  readonly link: AcpAgentLink;
  /** Resolves when the agent can send nothing more. */
  readonly closed: Promise<void>;
  /** What it last wrote to stderr, or else to stdout without being asked. */
  output(): readonly string[];
}

type Outcome =
  | { readonly kind: 'answered'; readonly response: schema.InitializeResponse }
  | { readonly kind: 'refused'; readonly error: RequestError }
  | { readonly kind: 'exited'; readonly exit: ProcessExit }
  | { readonly kind: 'closed' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'junk' };

/**
 * Starts the process and initialises the connection. When that fails, the process is being stopped by
 * the time the error is thrown (`stop` of the process given to `onSpawned` waits for it).
 * @throws AgentError with the cause; the signal's reason when aborted.
 */
export async function startAgent(
  spec: LaunchSpec,
  options: StartOptions,
  signal: AbortSignal,
): Promise<RunningAgent> {
  const { agentName, logger } = options;
  const commandLine = formatCommandLine(spec.command, spec.args);
  logger.info(`Starting ${agentName}: ${commandLine} (in ${spec.cwd})`);
  let process: AgentProcess;
  try {
    process = await AgentProcess.start(spec, options.processes);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new AgentError(problems.spawnFailed(agentName, commandLine, code), { cause: error });
  }
  process.onStderr(options.onStderr);
  options.onSpawned(process);
  const heard = new StdoutWatch();
  const router = new SessionRouter(logger);
  const { limits } = options;
  const pace = new ReadingPace({
    perMinute: () => limits().updatesPerMinute,
    now: () => performance.now(),
    onSlowed: sessionId => router.slowed(sessionId, limits().updatesPerMinute),
  });
  // Its last words must be read before its streams are closed.
  void process.exited.then(() => pace.hurry());
  const connection = new AcpConnection(
    stdioTransport(process.stdout, process.stdin, {
      get maxLineBytes() {
        return limits().maxLineBytes;
      },
      pace,
      onJunk: line => heard.junk(line),
      tap: traffic => {
        if (traffic.direction === 'receive') heard.message(traffic.json);
        options.tap?.(traffic);
      },
    }),
    router,
    { logger },
  );
  const closed = new Promise<void>(resolve => connection.onDidClose(resolve));
  const output = () => {
    const stderr = process.stderrTail();
    return stderr.length > 0 ? stderr : heard.tail();
  };
  const giveUp = new AbortController();
  const { initializeSeconds } = limits();
  try {
    const initialize = connection.initialize(initializeRequest(options), giveUp.signal);
    const outcome = await orAborted(
      firstOutcome(initialize, {
        process,
        connection,
        closed,
        flooded: heard.flooded,
        initializeSeconds,
      }),
      signal,
    );
    const problem = problemOf(outcome, options, {
      heard,
      connection,
      initializeSeconds,
      output: output(),
    });
    if (problem) throw new AgentError(problem);
    if (outcome.kind !== 'answered') throw new Error(`No problem for ${outcome.kind}`);
    const { response } = outcome;
    logger.info(
      `${agentName} is ready: ${response.agentInfo?.name ?? '(no name)'} ${response.agentInfo?.version ?? ''}`,
    );
    return {
      process,
      connection,
      link: new AcpAgentLink(connection, router, response, { seconds: limits, pace }),
      closed,
      output,
    };
  } catch (error) {
    giveUp.abort();
    connection.dispose();
    void process.stop();
    throw error;
  }
}

function initializeRequest(options: StartOptions): schema.InitializeRequest {
  return {
    protocolVersion: PROTOCOL_VERSION,
    clientInfo: { name: 'parley', title: 'Parley', version: options.clientVersion },
    clientCapabilities: {
      fs: { readTextFile: true, writeTextFile: true },
      terminal: true,
      auth: { terminal: true },
      session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
      elicitation: { form: {}, url: {} },
      // Older than `auth.terminal`, and what many agents still ask before they offer a sign-in.
      _meta: { 'terminal-auth': true },
    },
  };
}

/** What happens first; never rejects. */
async function firstOutcome(
  initialize: Promise<schema.InitializeResponse>,
  other: {
    readonly process: AgentProcess;
    readonly connection: AcpConnection;
    readonly closed: Promise<void>;
    readonly flooded: Promise<void>;
    readonly initializeSeconds: number;
  },
): Promise<Outcome> {
  const answered: Promise<Outcome> = initialize.then(
    response => ({ kind: 'answered', response }),
    (error: unknown) =>
      error instanceof RequestError && error.code !== ErrorCode.connectionClosed
        ? { kind: 'refused', error }
        : { kind: 'closed' },
  );
  const exited = other.process.drained.then((exit): Outcome => ({ kind: 'exited', exit }));
  const closed = other.closed.then((): Outcome => ({ kind: 'closed' }));
  const flooded = other.flooded.then((): Outcome => ({ kind: 'junk' }));
  const first = await within(
    Promise.race([answered, exited, closed, flooded]),
    other.initializeSeconds * 1000,
  );
  if (first === TIMED_OUT) return { kind: 'timeout' };
  if (first.kind !== 'closed' || other.connection.closeReason !== undefined) return first;
  // The end of the output is most often the end of the process: its exit says more.
  const exit = await within(other.process.drained, EXIT_AFTER_CLOSE_MS);
  return exit === TIMED_OUT ? first : { kind: 'exited', exit };
}

function problemOf(
  outcome: Outcome,
  options: StartOptions,
  seen: {
    readonly heard: StdoutWatch;
    readonly connection: AcpConnection;
    readonly initializeSeconds: number;
    readonly output: readonly string[];
  },
): Problem | undefined {
  const { agentName } = options;
  const { heard, output } = seen;
  const onlyJunk = heard.sawOnlyJunk;
  const junkEvidence = l10n.t('It wrote text where Parley expects messages of the protocol.');
  switch (outcome.kind) {
    case 'answered':
      return versionProblem(outcome.response, options, output);
    case 'refused':
      return refusal(outcome.error, options, heard.firstResult(), output);
    case 'exited':
      // `echo hello` succeeds, and yet is no agent.
      return onlyJunk && outcome.exit.code === 0
        ? problems.notAcp(agentName, junkEvidence, heard.tail())
        : problems.exitedEarly(agentName, outcome.exit, output);
    case 'closed':
      return problems.notAcp(
        agentName,
        seen.connection.closeReason ?? l10n.t('It closed its output without an answer.'),
        output,
      );
    case 'timeout':
      return onlyJunk
        ? problems.notAcp(agentName, junkEvidence, heard.tail())
        : problems.initializeTimeout(agentName, seen.initializeSeconds, output);
    case 'junk':
      return problems.notAcp(agentName, junkEvidence, heard.tail());
  }
}

/** @param result what `initialize` answered, when it was no error but could not be read. */
function refusal(
  error: RequestError,
  options: StartOptions,
  result: object | undefined,
  output: readonly string[],
): Problem {
  const { agentName } = options;
  if (error.code === ErrorCode.methodNotFound) {
    return problems.notAcp(agentName, l10n.t('It does not know the request "initialize".'), output);
  }
  if (result === undefined) return problems.initializeRefused(agentName, error.message, output);
  // Other protocols have an `initialize` too: language servers, MCP.
  const version = 'protocolVersion' in result ? result.protocolVersion : undefined;
  return typeof version === 'string'
    ? problems.unsupportedVersion(agentName, version, PROTOCOL_VERSION, output)
    : problems.notAcp(agentName, error.message, output);
}

function versionProblem(
  response: schema.InitializeResponse,
  options: StartOptions,
  output: readonly string[],
): Problem | undefined {
  const { protocolVersion } = response;
  return protocolVersion === PROTOCOL_VERSION
    ? undefined
    : problems.unsupportedVersion(
        options.agentName,
        String(protocolVersion),
        PROTOCOL_VERSION,
        output,
      );
}

/** Remembers what came on stdout, to tell a chatty agent from something else altogether. */
class StdoutWatch {
  private readonly lines = new LineTail(JUNK_TAIL);
  private readonly flood = new Deferred<void>();
  private junkCount = 0;
  private heardMessage = false;
  private first: string | undefined;

  /** Resolves when there is so much junk, and nothing else, that waiting is no use. */
  readonly flooded = this.flood.promise;

  get sawOnlyJunk(): boolean {
    return this.junkCount > 0 && !this.heardMessage;
  }

  message(json: string): void {
    this.heardMessage = true;
    this.first ??= json.slice(0, MAX_FIRST_MESSAGE);
  }

  /** The result in the first message, if there is one: for answers that are none of ACP's. */
  firstResult(): object | undefined {
    try {
      const { result } = JSON.parse(this.first ?? '{}') as { result?: unknown };
      return typeof result === 'object' && result !== null ? result : undefined;
    } catch {
      return undefined;
    }
  }

  junk(line: string): void {
    this.lines.push(line);
    this.junkCount += 1;
    if (this.junkCount > MAX_JUNK_LINES && !this.heardMessage) this.flood.resolve();
  }

  tail(): readonly string[] {
    return this.lines.toArray();
  }
}
