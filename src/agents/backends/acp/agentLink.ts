import * as l10n from '@vscode/l10n';
import type { AcpConnection } from '../../../acp/rpc/connection';
import { ErrorCode, RequestError } from '../../../acp/rpc/errors';
import type { ReadingPace } from '../../../acp/transport/readingPace';
import { isObject } from '../../../acp/schema/guards/primitives';
import type * as schema from '../../../acp/schema/schema';
import { Deferred } from '../../../base/deferred';
import type { Disposable } from '../../../base/lifecycle';
import type { AgentError, AgentLink, SessionClient } from '../../../session/ports';
import { DEFAULT_LIMITS, type AgentLimits } from './agentLimits';
import { VERSION_2 } from '../../../acp/v2/answers';
import { maskedError, type Mask } from './maskedErrors';
import type { SessionRouter } from './sessionRouter';

/** How the agent is reached. */
export interface AgentReach {
  /** In a sentence. */
  readonly proxy?: string | undefined;
  /** The server that it runs on. */
  readonly place?: string | undefined;
}

/** How a link keeps an agent to its limits. */
export interface LinkLimits {
  readonly seconds: () => Pick<AgentLimits, 'requestSeconds' | 'signInSeconds'>;
  readonly pace: ReadingPace;
}

/**
 * The link over an `AcpConnection`. Once the agent is gone, every request (open or new) rejects with the
 * `AgentError` that says why, rather than with the connection's own error. Requests that are not answered in
 * time reject with `noAnswer`; prompts, and those that open a session, are waited for by whoever asks.
 */
export class AcpAgentLink implements AgentLink {
  readonly missingFileAnswer: 'error' | 'empty';
  readonly replaysAfterAnswer: boolean;
  private readonly ended = new Deferred<AgentError>();
  /** Sessions whose prompt has been cancelled, and is waited for. */
  private readonly cancelling = new Map<string, Disposable>();

  constructor(
    private readonly connection: AcpConnection,
    private readonly router: SessionRouter,
    readonly initialized: schema.InitializeResponse,
    private readonly limits?: LinkLimits,
    private readonly reach: AgentReach = {},
    private readonly mask: Mask = text => text,
  ) {
    this.missingFileAnswer = connection.missingFileAnswer;
    this.replaysAfterAnswer = connection.replaysAfterAnswer;
    router.onDidEndTurn(sessionId => this.settled(sessionId));
  }

  /** To be called once, whenever the connection has closed, and before it is disposed. */
  end(reason: AgentError): void {
    this.ended.resolve(reason);
  }

  attach(sessionId: string, client: SessionClient): Disposable {
    return this.router.attach(sessionId, client);
  }

  attachOpening(client: SessionClient): Disposable {
    return this.router.attachOpening(client);
  }

  newSession(params: schema.NewSessionRequest, signal?: AbortSignal) {
    return this.opened(this.connection.newSession(params, signal));
  }

  loadSession(params: schema.LoadSessionRequest, signal?: AbortSignal) {
    return this.opened(this.connection.loadSession(params, signal));
  }

  resumeSession(params: schema.ResumeSessionRequest, signal?: AbortSignal) {
    return this.opened(this.connection.resumeSession(params, signal));
  }

  closeSession(params: schema.CloseSessionRequest) {
    this.settled(params.sessionId);
    return this.inTime('request', signal => this.connection.closeSession(params, signal));
  }

  listSessions(params: schema.ListSessionsRequest, signal?: AbortSignal) {
    return this.inTime('request', both => this.connection.listSessions(params, both), signal);
  }

  deleteSession(params: schema.DeleteSessionRequest) {
    return this.inTime('request', signal => this.connection.deleteSession(params, signal));
  }

  forkSession(params: schema.ForkSessionRequest, signal?: AbortSignal) {
    return this.opened(this.connection.forkSession(params, signal));
  }

  async prompt(params: schema.PromptRequest) {
    try {
      return await this.explained(this.connection.prompt(params));
    } finally {
      this.settled(params.sessionId);
    }
  }

  get network(): string | undefined {
    return this.reach.proxy;
  }

  get place(): string | undefined {
    return this.reach.place;
  }

  get takesTitles(): boolean {
    const sessions: (schema.SessionCapabilities & schema.TitleCapability) | null | undefined =
      this.initialized.agentCapabilities?.sessionCapabilities;
    return Boolean(sessions?.title);
  }

  setTitle(params: schema.SetTitleRequest) {
    return this.inTime('request', signal => this.connection.setTitle(params, signal));
  }

  get archives(): boolean {
    const sessions: (schema.SessionCapabilities & schema.ArchiveCapability) | null | undefined =
      this.initialized.agentCapabilities?.sessionCapabilities;
    return Boolean(sessions?.archive);
  }

  setArchived(params: schema.ArchiveSessionRequest, isArchived: boolean) {
    return this.inTime('request', signal =>
      isArchived
        ? this.connection.archiveSession(params, signal)
        : this.connection.unarchiveSession(params, signal),
    );
  }

  get steers(): boolean {
    return this.offersSteering || this.initialized.protocolVersion === VERSION_2;
  }

  async steer(params: schema.PromptRequest) {
    if (this.offersSteering) {
      return this.inTime('request', signal => this.connection.steer(params, signal));
    }
    // With v2 a prompt is answered when it is taken in, whatever the agent does at the moment.
    await this.explained(this.connection.prompt(params));
    return true;
  }

  private get offersSteering(): boolean {
    const { _meta } = this.initialized;
    return isObject(_meta?.['steering']) && _meta['steering']['supported'] === true;
  }

  /** Nothing is waited for any more. */
  private settled(sessionId: string): void {
    this.cancelling.get(sessionId)?.dispose();
    this.cancelling.delete(sessionId);
  }

  cancel(params: schema.CancelNotification) {
    const { sessionId } = params;
    // The end of the turn comes after all that was said before.
    if (this.limits && !this.cancelling.has(sessionId)) {
      this.cancelling.set(sessionId, this.limits.pace.hurry());
    }
    return this.explained(this.connection.cancel(params));
  }

  cancelSubagent(params: schema.CancelNotification) {
    return this.explained(this.connection.cancel(params));
  }

  cancelToolCall(params: schema.CancelToolCallRequest) {
    return this.inTime('request', signal => this.connection.cancelToolCall(params, signal));
  }

  cancelTerminal(params: schema.CancelTerminalRequest) {
    return this.inTime('request', signal => this.connection.cancelTerminal(params, signal));
  }

  authenticate(params: schema.AuthenticateRequest, signal?: AbortSignal) {
    return this.inTime('signIn', both => this.connection.authenticate(params, both), signal);
  }

  logout() {
    return this.inTime('request', signal => this.connection.logout(signal));
  }

  setMode(params: schema.SetSessionModeRequest) {
    return this.inTime('request', signal => this.connection.setMode(params, signal));
  }

  setModel(params: schema.SetSessionModelRequest) {
    return this.inTime('request', signal => this.connection.setModel(params, signal));
  }

  setConfigOption(params: schema.SetSessionConfigOptionRequest) {
    return this.inTime('request', signal => this.connection.setConfigOption(params, signal));
  }

  /** What is replayed as a session opens is no flood. */
  private async opened<T>(request: Promise<T>): Promise<T> {
    const hurry = this.limits?.pace.hurry();
    try {
      return await this.explained(request);
    } finally {
      hurry?.dispose();
    }
  }

  private async inTime<T>(
    name: 'request' | 'signIn',
    ask: (signal: AbortSignal) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const { requestSeconds, signInSeconds } = this.limits?.seconds() ?? DEFAULT_LIMITS;
    const seconds = name === 'signIn' ? signInSeconds : requestSeconds;
    const expired = new AbortController();
    const timer = setTimeout(() => expired.abort(), seconds * 1000);
    try {
      const either = signal ? AbortSignal.any([signal, expired.signal]) : expired.signal;
      return await this.explained(ask(either));
    } catch (error) {
      const isOurs = error instanceof RequestError && error.code === ErrorCode.requestCancelled;
      throw isOurs && expired.signal.aborted ? noAnswer(name, seconds) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** The process's exit is seen a moment after its streams close, so the reason may have to be waited for. */
  private async explained<T>(request: Promise<T>): Promise<T> {
    try {
      return await request;
    } catch (error) {
      if (error instanceof RequestError && error.code === ErrorCode.connectionClosed) {
        throw await this.ended.promise;
      }
      throw maskedError(error, this.mask);
    }
  }
}

function noAnswer(name: 'request' | 'signIn', seconds: number): RequestError {
  const text = l10n.t(
    'No answer within {0} s. Try again or restart the agent. To wait longer, raise "{1}" in parley.timeouts.',
    seconds,
    name,
  );
  return new RequestError(ErrorCode.noAnswer, text);
}
