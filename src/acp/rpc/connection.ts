import * as l10n from '@vscode/l10n';
import type { Event } from '../../base/event';
import type { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/logger';
import type { ClientHandlers } from './clientHandlers';
import { ClientDispatcher } from './clientDispatcher';
import { Compatibility } from '../compat/compatibility';
import { ErrorCode, RequestError } from './errors';
import { isObject, type Guard } from '../schema/guards/primitives';
import * as guards from '../schema/guards/responses';
import {
  AgentMethod,
  ARCHIVE_SESSION_METHOD,
  CANCEL_TERMINAL_METHOD,
  CANCEL_TOOL_CALL_METHOD,
  FORK_SESSION_METHOD,
  SET_MODEL_METHOD,
  SET_TITLE_METHOD,
  STEER_METHOD,
  UNARCHIVE_SESSION_METHOD,
} from '../schema/methods';
import { RpcPeer } from './rpcPeer';
import type * as schema from '../schema/schema';
import type { Transport } from '../transport/transport';

/**
 * A connection to one agent: typed requests out, guarded requests in. Every request rejects with a
 * `RequestError`: the agent's code, `requestCancelled` when its signal aborted, `connectionClosed` when
 * nothing can answer any more, `internal` when the answer is of no use. Answers have passed the guards:
 * malformed optional parts are gone, required ones are there.
 */
export class AcpConnection implements Disposable {
  /**
   * The agent can send nothing more: its stdout ended or failed, or it stopped reading. Fires once,
   * after all it sent was handled; open requests then reject. Not fired by `dispose`.
   */
  readonly onDidClose: Event<void>;
  private readonly peer: RpcPeer;
  private readonly compatibility = new Compatibility();

  constructor(
    transport: Transport,
    handlers: ClientHandlers,
    options: { readonly logger: Logger },
  ) {
    const dispatcher = new ClientDispatcher(handlers, options.logger, this.compatibility);
    this.peer = new RpcPeer(transport, dispatcher, options.logger, this.compatibility);
    this.onDidClose = this.peer.onDidClose;
  }

  /** Why the connection closed, in words for the user; undefined when the stream just ended. */
  get closeReason(): string | undefined {
    return this.peer.closeReason;
  }

  /** Whether a conversation is replayed after the answer to `session/load`. */
  get replaysAfterAnswer(): boolean {
    return this.compatibility.replaysAfterAnswer;
  }

  /** What a missing file is to this agent; known once it is initialized. */
  get missingFileAnswer(): 'error' | 'empty' {
    return this.compatibility.missingFileAnswer;
  }

  async initialize(
    params: schema.InitializeRequest,
    signal?: AbortSignal,
  ): Promise<schema.InitializeResponse> {
    const initialized = await this.ask(AgentMethod.initialize, params, guards.initialize, signal);
    this.compatibility.initialized(initialized);
    this.peer.cancelRequests = this.compatibility.cancelRequests;
    return initialized;
  }

  async authenticate(params: schema.AuthenticateRequest, signal?: AbortSignal): Promise<void> {
    await this.send(AgentMethod.authenticate, params, signal);
  }

  /** For agents that offer `auth.logout`. */
  async logout(signal?: AbortSignal): Promise<void> {
    await this.send(AgentMethod.logout, {}, signal);
  }

  newSession(
    params: schema.NewSessionRequest,
    signal?: AbortSignal,
  ): Promise<schema.NewSessionResponse & schema.OpenedSession> {
    return this.ask(AgentMethod.newSession, params, guards.newSession, signal);
  }

  /** The agent replays the session as updates, before the answer or (some) after it. */
  loadSession(
    params: schema.LoadSessionRequest,
    signal?: AbortSignal,
  ): Promise<schema.LoadSessionResponse & schema.OpenedSession> {
    return this.ask(AgentMethod.loadSession, params, guards.reopenedSession, signal);
  }

  resumeSession(
    params: schema.ResumeSessionRequest,
    signal?: AbortSignal,
  ): Promise<schema.ResumeSessionResponse & schema.OpenedSession> {
    return this.ask(AgentMethod.resumeSession, params, guards.reopenedSession, signal);
  }

  async closeSession(params: schema.CloseSessionRequest, signal?: AbortSignal): Promise<void> {
    await this.send(AgentMethod.closeSession, params, signal);
  }

  listSessions(
    params: schema.ListSessionsRequest,
    signal?: AbortSignal,
  ): Promise<schema.ListSessionsResponse> {
    return this.ask(AgentMethod.listSessions, params, guards.listSessions, signal);
  }

  async deleteSession(params: schema.DeleteSessionRequest, signal?: AbortSignal): Promise<void> {
    await this.send(AgentMethod.deleteSession, params, signal);
  }

  /** A new session that begins with what the other one knows. For agents that offer it. */
  forkSession(
    params: schema.ForkSessionRequest,
    signal?: AbortSignal,
  ): Promise<schema.NewSessionResponse & schema.OpenedSession> {
    return this.ask(FORK_SESSION_METHOD, params, guards.newSession, signal);
  }

  /**
   * Resolves at the end of the turn, with v2 when the prompt is accepted: a `state_update` reports the end then.
   * Rejects when the agent says that it failed. Cancelled with `cancel` only.
   */
  prompt(params: schema.PromptRequest): Promise<schema.PromptResponse> {
    return this.ask(AgentMethod.prompt, params, guards.prompt);
  }

  /** For agents that offer it. */
  async setTitle(params: schema.SetTitleRequest, signal?: AbortSignal): Promise<void> {
    await this.send(SET_TITLE_METHOD, params, signal);
  }

  /** The same, as the next. */
  async archiveSession(params: schema.ArchiveSessionRequest, signal?: AbortSignal): Promise<void> {
    await this.send(ARCHIVE_SESSION_METHOD, params, signal);
  }

  async unarchiveSession(
    params: schema.ArchiveSessionRequest,
    signal?: AbortSignal,
  ): Promise<void> {
    await this.send(UNARCHIVE_SESSION_METHOD, params, signal);
  }

  /**
   * Says something to the turn that runs, for agents that offer it. @returns whether a turn has taken it
   * @throws RequestError also when the agent says that it could not
   */
  async steer(params: schema.PromptRequest, signal?: AbortSignal): Promise<boolean> {
    const _meta = { steering: { idleBehavior: 'promptRequired' } };
    const result = await this.send(STEER_METHOD, { ...params, _meta }, signal);
    const outcome = isObject(result) ? result['outcome'] : undefined;
    if (outcome === 'injected' || outcome === 'startedNewTurn') return true;
    if (outcome === 'promptRequired') return false;
    throw new RequestError(ErrorCode.internal, `The answer to "${STEER_METHOD}" says no outcome`);
  }

  /** Asks the agent to end the turn; the prompt then answers. A notification. */
  cancel(params: schema.CancelNotification): Promise<void> {
    return this.peer.notify(AgentMethod.cancel, params);
  }

  async setMode(params: schema.SetSessionModeRequest, signal?: AbortSignal): Promise<void> {
    await this.send(AgentMethod.setMode, params, signal);
  }

  /** For agents that offer `models`. */
  async setModel(params: schema.SetSessionModelRequest, signal?: AbortSignal): Promise<void> {
    await this.send(SET_MODEL_METHOD, params, signal);
  }

  /** The options now in force; an empty list when the agent does not send them. */
  setConfigOption(
    params: schema.SetSessionConfigOptionRequest,
    signal?: AbortSignal,
  ): Promise<schema.SetSessionConfigOptionResponse> {
    return this.ask(AgentMethod.setConfigOption, params, guards.setConfigOption, signal);
  }

  /** For tool calls of which the agent says that they can be stopped (v2), as the next. */
  async cancelToolCall(params: schema.CancelToolCallRequest, signal?: AbortSignal): Promise<void> {
    await this.send(CANCEL_TOOL_CALL_METHOD, params, signal);
  }

  async cancelTerminal(params: schema.CancelTerminalRequest, signal?: AbortSignal): Promise<void> {
    await this.send(CANCEL_TERMINAL_METHOD, params, signal);
  }

  /** Rejects everything open. The streams and the process stay the caller's. */
  dispose(): void {
    this.peer.dispose();
  }

  private send(name: string, given: object, signal?: AbortSignal): Promise<unknown> {
    const { method, params } = this.compatibility.call(name, given);
    return this.peer.request(method, params, signal);
  }

  private async ask<T>(
    method: string,
    params: object,
    guard: Guard<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const raw = await this.send(method, params, signal);
    const result = guard(this.compatibility.result(method, raw));
    if (result !== undefined) return result;
    throw new RequestError(
      ErrorCode.internal,
      l10n.t('Parley cannot read the agent\'s answer to "{0}".', method),
    );
  }
}
