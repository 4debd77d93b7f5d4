import type { AcpConnection } from '../acp/connection';
import { dialectOf } from '../acp/dialects';
import { ErrorCode, RequestError } from '../acp/errors';
import type * as schema from '../acp/schema';
import { Deferred } from '../base/deferred';
import type { Disposable } from '../base/lifecycle';
import type { AgentError, AgentLink, SessionClient } from '../session/ports';
import type { SessionRouter } from './sessionRouter';
import { TIMED_OUT, within } from './within';

/** The reason for a broken connection is known within this time, in milliseconds, if ever. */
const EXPLANATION_WAIT_MS = 2000;

/**
 * The link over an `AcpConnection`. Once the agent is gone, every request (open or new) rejects with the
 * `AgentError` that says why, rather than with the connection's own error.
 */
export class AcpAgentLink implements AgentLink {
  readonly missingFileAnswer: 'error' | 'empty';
  private readonly ended = new Deferred<AgentError>();

  constructor(
    private readonly connection: AcpConnection,
    private readonly router: SessionRouter,
    readonly initialized: schema.InitializeResponse,
  ) {
    this.missingFileAnswer = dialectOf(initialized).missingFileAnswer;
  }

  /** To be called once, before the connection is disposed. */
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
    return this.explained(this.connection.newSession(params, signal));
  }

  loadSession(params: schema.LoadSessionRequest, signal?: AbortSignal) {
    return this.explained(this.connection.loadSession(params, signal));
  }

  resumeSession(params: schema.ResumeSessionRequest, signal?: AbortSignal) {
    return this.explained(this.connection.resumeSession(params, signal));
  }

  closeSession(params: schema.CloseSessionRequest) {
    return this.explained(this.connection.closeSession(params));
  }

  listSessions(params: schema.ListSessionsRequest, signal?: AbortSignal) {
    return this.explained(this.connection.listSessions(params, signal));
  }

  deleteSession(params: schema.DeleteSessionRequest) {
    return this.explained(this.connection.deleteSession(params));
  }

  forkSession(params: schema.ForkSessionRequest, signal?: AbortSignal) {
    return this.explained(this.connection.forkSession(params, signal));
  }

  prompt(params: schema.PromptRequest) {
    return this.explained(this.connection.prompt(params));
  }

  cancel(params: schema.CancelNotification) {
    return this.explained(this.connection.cancel(params));
  }

  authenticate(params: schema.AuthenticateRequest) {
    return this.explained(this.connection.authenticate(params));
  }

  logout() {
    return this.explained(this.connection.logout());
  }

  setMode(params: schema.SetSessionModeRequest) {
    return this.explained(this.connection.setMode(params));
  }

  setModel(params: schema.SetSessionModelRequest) {
    return this.explained(this.connection.setModel(params));
  }

  setConfigOption(params: schema.SetSessionConfigOptionRequest) {
    return this.explained(this.connection.setConfigOption(params));
  }

  /** The process's exit is seen a moment after its streams close, so the reason may have to be waited for. */
  private async explained<T>(request: Promise<T>): Promise<T> {
    try {
      return await request;
    } catch (error) {
      if (error instanceof RequestError && error.code === ErrorCode.connectionClosed) {
        const reason = await within(this.ended.promise, EXPLANATION_WAIT_MS);
        if (reason !== TIMED_OUT) throw reason;
      }
      throw error;
    }
  }
}
