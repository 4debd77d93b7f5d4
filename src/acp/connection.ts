import type { Event } from '../base/event';
import type { Disposable } from '../base/lifecycle';
import type { Logger } from '../base/logger';
import type { ClientHandlers } from './clientHandlers';
import { ClientDispatcher } from './clientDispatcher';
import { dialectOf, type Dialect } from './dialects';
import { AgentMethod, SET_MODEL_METHOD } from './methods';
import { RpcPeer } from './rpcPeer';
import type * as schema from './schema';
import type { Transport } from './transport';

/**
 * A connection to one agent: typed requests out, guarded requests in. Every request rejects with a
 * `RequestError` (the agent's code, or `ErrorCode.connectionClosed`); what comes back has passed the
 * guards, so malformed optional parts are gone and required ones are there.
 */
export class AcpConnection implements Disposable {
  /**
   * The agent can send nothing more: its stdout ended, a line was too long, or it stopped reading.
   * Fires once, after all it sent was handled; open requests reject. Not fired by `dispose`.
   */
  readonly onDidClose: Event<void>;
  private readonly peer: RpcPeer;

  constructor(
    transport: Transport,
    handlers: ClientHandlers,
    options: { readonly logger: Logger },
  ) {
    const dispatcher = new ClientDispatcher(handlers, options.logger);
    this.peer = new RpcPeer(transport, dispatcher, options.logger);
    this.onDidClose = this.peer.onDidClose;
  }

  /** Why the connection closed, in words for the user; undefined when the stream just ended. */
  get closeReason(): string | undefined {
    return this.peer.closeReason;
  }

  async initialize(
    params: schema.InitializeRequest,
    signal?: AbortSignal,
  ): Promise<schema.InitializeResponse> {
    const result = await this.peer.request(AgentMethod.initialize, params, signal);
    const initialized = result as schema.InitializeResponse;
    const dialect: Dialect = dialectOf(initialized);
    this.peer.cancelRequests = dialect.cancelRequests;
    return initialized;
  }

  async authenticate(params: schema.AuthenticateRequest): Promise<void> {
    await this.peer.request(AgentMethod.authenticate, params);
  }

  async newSession(
    params: schema.NewSessionRequest,
    signal?: AbortSignal,
  ): Promise<schema.NewSessionResponse> {
    return (await this.peer.request(
      AgentMethod.newSession,
      params,
      signal,
    )) as schema.NewSessionResponse;
  }

  async loadSession(
    params: schema.LoadSessionRequest,
    signal?: AbortSignal,
  ): Promise<schema.LoadSessionResponse> {
    return (await this.peer.request(
      AgentMethod.loadSession,
      params,
      signal,
    )) as schema.LoadSessionResponse;
  }

  async resumeSession(
    params: schema.ResumeSessionRequest,
    signal?: AbortSignal,
  ): Promise<schema.ResumeSessionResponse> {
    return (await this.peer.request(
      AgentMethod.resumeSession,
      params,
      signal,
    )) as schema.ResumeSessionResponse;
  }

  async closeSession(params: schema.CloseSessionRequest): Promise<void> {
    await this.peer.request(AgentMethod.closeSession, params);
  }

  async listSessions(
    params: schema.ListSessionsRequest,
    signal?: AbortSignal,
  ): Promise<schema.ListSessionsResponse> {
    return (await this.peer.request(
      AgentMethod.listSessions,
      params,
      signal,
    )) as schema.ListSessionsResponse;
  }

  /** Resolves at the end of the turn. Cancelled with `cancel` only. */
  async prompt(params: schema.PromptRequest): Promise<schema.PromptResponse> {
    return (await this.peer.request(AgentMethod.prompt, params)) as schema.PromptResponse;
  }

  /** Asks the agent to end the turn; the prompt then answers. A notification. */
  async cancel(params: schema.CancelNotification): Promise<void> {
    await this.peer.notify(AgentMethod.cancel, params);
  }

  async setMode(params: schema.SetSessionModeRequest): Promise<void> {
    await this.peer.request(AgentMethod.setMode, params);
  }

  /** For agents that offer `models`. */
  async setModel(params: schema.SetSessionModelRequest): Promise<void> {
    await this.peer.request(SET_MODEL_METHOD, params);
  }

  async setConfigOption(
    params: schema.SetSessionConfigOptionRequest,
  ): Promise<schema.SetSessionConfigOptionResponse> {
    return (await this.peer.request(
      AgentMethod.setConfigOption,
      params,
    )) as schema.SetSessionConfigOptionResponse;
  }

  /** Rejects everything open. The streams and the process stay the caller's. */
  dispose(): void {
    this.peer.dispose();
  }
}
