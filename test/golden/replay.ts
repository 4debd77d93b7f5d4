import { PassThrough } from 'node:stream';
import type { ClientHandlers } from '../../src/acp/rpc/clientHandlers';
import { AcpConnection } from '../../src/acp/rpc/connection';
import { RequestError } from '../../src/acp/rpc/errors';
import { AgentMethod, ClientMethod, SET_MODEL_METHOD } from '../../src/acp/schema/methods';
import type * as schema from '../../src/acp/schema/schema';
import { stdioTransport } from '../../src/acp/transport/stdioTransport';
import type { Logger } from '../../src/base/logger';
import { nullLogger } from '../../src/base/logger';
import {
  loadTranscript,
  type Entry,
  type RecordedCall,
  type RecordedRequest,
  type Transcript,
} from './transcript';

/** What stands between a recorded transcript and the connection it is replayed into. All optional. */
export interface ReplayDriver {
  readonly logger?: Logger;
  /**
   * What the agent's calls reach. `recorded` answers every request as the recorded client did, when it
   * did; spread it and override what is of interest.
   */
  handlers?(recorded: ClientHandlers): ClientHandlers;
  /**
   * The recorded client sends a request. `send` sends it as recorded and settles with the answer, as the
   * connection gives it. A driver may send another way (its own parameters, through its own layers): then
   * the next request with that method stands for the recorded one. The replay goes on when the recorded
   * response has come and what is returned here has settled.
   */
  request?(request: RecordedRequest, send: () => Promise<unknown>): Promise<unknown>;
  /** As `request`, for notifications (`session/cancel`). */
  notify?(call: RecordedCall, send: () => Promise<void>): Promise<void>;
  /** A line on the agent's stderr. */
  stderr?(line: string): void;
  /** Sees every entry before it is replayed; its `t` is the time. */
  before?(entry: Entry): void;
}

export interface ReplayResult {
  readonly transcript: Transcript;
  /** Raw lines that the client sent. */
  readonly sent: readonly string[];
  /** Lines of the agent that were taken for junk. */
  readonly junk: readonly string[];
  /** Methods of recorded requests that the connection does not offer; left out. */
  readonly skipped: readonly string[];
  /** Methods of requests that the driver sent though they were not recorded; answered -32601. */
  readonly unexpected: readonly string[];
}

/**
 * Replays the agent's side of a transcript, in recorded order, into a real connection, and has `driver`
 * do the client's side. Nothing waits for recorded times. Ends with the end of the agent's stdout.
 */
export async function replay(
  transcript: string | Transcript,
  driver: ReplayDriver = {},
): Promise<ReplayResult> {
  const run = new Replay(
    typeof transcript === 'string' ? loadTranscript(transcript) : transcript,
    driver,
  );
  return run.run();
}

class Replay {
  private readonly stdout = new PassThrough();
  private readonly stdin = new PassThrough();
  private readonly connection: AcpConnection;
  private readonly client: ClientSide;
  private readonly answers: RecordedAnswers;
  private readonly junk: string[] = [];
  private readonly skipped: string[] = [];
  private readonly skippedIds = new Set<unknown>();
  /** By recorded id: the id the request has now, and what the driver returned. */
  private readonly open = new Map<unknown, { readonly id: unknown; readonly done: Promise<void> }>();

  constructor(
    private readonly transcript: Transcript,
    private readonly driver: ReplayDriver,
  ) {
    this.client = new ClientSide(line => this.stdout.write(`${JSON.stringify(line)}\n`));
    this.answers = new RecordedAnswers(transcript);
    const recorded = this.answers.handlers();
    this.connection = new AcpConnection(
      stdioTransport(this.stdout, this.stdin, {
        maxLineBytes: 32 * 1024 * 1024,
        onJunk: line => this.junk.push(line),
        tap: traffic => {
          if (traffic.direction === 'send') this.client.sent(traffic.json);
        },
      }),
      driver.handlers?.(recorded) ?? recorded,
      { logger: driver.logger ?? nullLogger },
    );
    // Seen by the tap; the stream only has to be read.
    this.stdin.resume();
  }

  async run(): Promise<ReplayResult> {
    for (const entry of this.transcript.entries) {
      this.driver.before?.(entry);
      await this.step(entry);
      await handled();
    }
    const closed = new Promise<void>(resolve => this.connection.onDidClose(resolve));
    this.stdout.end();
    await closed;
    this.answers.giveUp();
    await Promise.all([...this.open.values()].map(request => request.done));
    this.connection.dispose();
    return {
      transcript: this.transcript,
      sent: this.client.lines,
      junk: this.junk,
      skipped: this.skipped,
      unexpected: this.client.unexpected,
    };
  }

  private async step(entry: Entry): Promise<void> {
    switch (entry.kind) {
      case 'stderr':
        this.driver.stderr?.(entry.line);
        return;
      case 'exit':
        return;
      case 'notification':
        if (entry.from === 'agent') this.feed({ method: entry.method, params: entry.params });
        else await this.notify(entry);
        return;
      case 'request':
        if (entry.from === 'agent') {
          this.feed({ id: entry.id, method: entry.method, params: entry.params });
        } else await this.request(entry);
        return;
      case 'response':
        if (entry.from === 'agent') await this.answerClient(entry);
        else await this.answered(entry.id);
        return;
    }
  }

  private async request(request: RecordedRequest): Promise<void> {
    const send = senderOf(this.connection, request);
    if (send === undefined) {
      this.skipped.push(request.method);
      this.skippedIds.add(request.id);
      return;
    }
    const sent = this.client.next(request.method);
    const done = (this.driver.request?.(request, send) ?? send()).then(ignore, ignore);
    this.open.set(request.id, { id: await sent, done });
  }

  private async notify(call: RecordedCall): Promise<void> {
    const send = (): Promise<void> => this.connection.cancel(call.params as schema.CancelNotification);
    if (call.method !== AgentMethod.cancel) this.skipped.push(call.method);
    else await (this.driver.notify?.(call, send) ?? send());
  }

  /** The agent's response goes to the request that stands for the recorded one. */
  private async answerClient(entry: Entry & { readonly kind: 'response' }): Promise<void> {
    if (this.skippedIds.has(entry.id)) return;
    const { kind: _kind, from: _from, t: _t, ...response } = entry;
    const request = this.open.get(entry.id);
    this.feed(request === undefined ? response : { ...response, id: request.id });
    if (request === undefined) return;
    await request.done;
    this.open.delete(entry.id);
  }

  /** The recorded client answered: so must this one, before the replay goes on. */
  private async answered(id: unknown): Promise<void> {
    const response = this.client.response(id);
    this.answers.release(id);
    await response;
  }

  private feed(message: object): void {
    this.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}

/** What the client sends, matched with what was recorded. */
class ClientSide {
  readonly lines: string[] = [];
  readonly unexpected: string[] = [];
  private readonly expected: { readonly method: string; found(id: unknown): void }[] = [];
  private readonly responses = new Map<unknown, () => void>();
  private readonly responded = new Set<unknown>();

  constructor(private readonly reply: (message: object) => void) {}

  sent(json: string): void {
    this.lines.push(json);
    const { id, method } = JSON.parse(json) as { id?: unknown; method?: string };
    if (id === undefined) return;
    if (method === undefined) {
      this.responded.add(id);
      this.responses.get(id)?.();
      return;
    }
    const index = this.expected.findIndex(request => request.method === method);
    const [request] = index === -1 ? [] : this.expected.splice(index, 1);
    if (request !== undefined) request.found(id);
    else {
      this.unexpected.push(method);
      this.reply({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Not recorded' } });
    }
  }

  /** The id of the next request with `method`. */
  next(method: string): Promise<unknown> {
    return new Promise(found => this.expected.push({ method, found }));
  }

  /** Resolves when the agent's request `id` has been answered. */
  response(id: unknown): Promise<void> {
    if (this.responded.delete(id)) return Promise.resolve();
    return new Promise(resolve =>
      this.responses.set(id, () => {
        this.responses.delete(id);
        this.responded.delete(id);
        resolve();
      }),
    );
  }
}

/** The recorded client's answers, given when the replay comes to them. */
class RecordedAnswers {
  /** Per method, the ids of the agent's requests in order of arrival. */
  private readonly arriving = new Map<string, unknown[]>();
  private readonly waiting = new Map<unknown, { resolve(value: unknown): void; reject(error: Error): void }[]>();
  private readonly responses = new Map<unknown, (Entry & { readonly kind: 'response' })[]>();

  constructor(transcript: Transcript) {
    for (const entry of transcript.entries) {
      if (entry.kind === 'request' && entry.from === 'agent') {
        push(this.arriving, entry.method, entry.id);
      } else if (entry.kind === 'response' && entry.from === 'client') {
        push(this.responses, entry.id, entry);
      }
    }
  }

  handlers(): ClientHandlers {
    const answer =
      <T>(method: string) =>
      (): Promise<T> =>
        this.answerTo(method) as Promise<T>;
    return {
      sessionUpdate() {},
      requestPermission: answer(ClientMethod.requestPermission),
      readTextFile: answer(ClientMethod.readTextFile),
      writeTextFile: answer(ClientMethod.writeTextFile),
      createTerminal: answer(ClientMethod.createTerminal),
      terminalOutput: answer(ClientMethod.terminalOutput),
      waitForTerminalExit: answer(ClientMethod.waitForTerminalExit),
      killTerminal: answer(ClientMethod.killTerminal),
      releaseTerminal: answer(ClientMethod.releaseTerminal),
      createElicitation: answer(ClientMethod.createElicitation),
      completeElicitation() {},
    };
  }

  release(id: unknown): void {
    const response = this.responses.get(id)?.shift();
    const waiter = this.waiting.get(id)?.shift();
    if (waiter === undefined || response === undefined) return;
    const { error } = response;
    if (error === undefined) waiter.resolve(response.result);
    else waiter.reject(new RequestError(error.code, error.message, error.data));
  }

  /** Requests that the recorded client never answered. */
  giveUp(): void {
    for (const waiters of this.waiting.values()) {
      for (const waiter of waiters) waiter.reject(RequestError.internal());
    }
  }

  private answerTo(method: string): Promise<unknown> {
    const id = this.arriving.get(method)?.shift();
    return new Promise((resolve, reject) => push(this.waiting, id, { resolve, reject }));
  }
}

/** Sends a recorded request through the connection's own method for it; undefined if it has none. */
function senderOf(
  connection: AcpConnection,
  { method, params }: RecordedRequest,
): (() => Promise<unknown>) | undefined {
  switch (method) {
    case AgentMethod.initialize:
      return () => connection.initialize(params as schema.InitializeRequest);
    case AgentMethod.authenticate:
      return () => connection.authenticate(params as schema.AuthenticateRequest);
    case AgentMethod.newSession:
      return () => connection.newSession(params as schema.NewSessionRequest);
    case AgentMethod.loadSession:
      return () => connection.loadSession(params as schema.LoadSessionRequest);
    case AgentMethod.resumeSession:
      return () => connection.resumeSession(params as schema.ResumeSessionRequest);
    case AgentMethod.closeSession:
      return () => connection.closeSession(params as schema.CloseSessionRequest);
    case AgentMethod.listSessions:
      return () => connection.listSessions(params as schema.ListSessionsRequest);
    case AgentMethod.prompt:
      return () => connection.prompt(params as schema.PromptRequest);
    case AgentMethod.setMode:
      return () => connection.setMode(params as schema.SetSessionModeRequest);
    case SET_MODEL_METHOD:
      return () => connection.setModel(params as schema.SetSessionModelRequest);
    case AgentMethod.setConfigOption:
      return () => connection.setConfigOption(params as schema.SetSessionConfigOptionRequest);
    default:
      return undefined;
  }
}

/** The connection takes a message in one turn of the event loop, and at most two more for what follows. */
async function handled(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise(resolve => setImmediate(resolve));
}

function ignore(): void {}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
