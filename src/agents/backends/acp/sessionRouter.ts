import { Emitter } from '../../../base/event';
import { toDisposable, type Disposable } from '../../../base/lifecycle';
import type { Logger } from '../../../base/logger';
import { Deferred } from '../../../base/deferred';
import { ErrorCode, RequestError } from '../../../acp/rpc/errors';
import type { ClientHandlers } from '../../../acp/rpc/clientHandlers';
import type * as schema from '../../../acp/schema/schema';
import type { SessionClient } from '../../../session/ports';
import { stateUpdateOf } from '../../../session/translate/v2Updates';
import { maskedFailure, type Mask } from './maskedErrors';
import { TIMED_OUT, within } from '../../within';

/** Updates kept for one session nobody has attached to yet; what comes beyond is lost and logged. */
const MAX_EARLY_UPDATES = 5000;

/** Sessions for which early updates are kept: an agent that invents sessions must not fill the memory. */
const MAX_EARLY_SESSIONS = 16;

/** Ended sessions remembered, so that their late messages are known as such. */
const MAX_ENDED_SESSIONS = 256;

/** Sessions of subagents remembered, so that it is known whose they are. */
const MAX_SUBAGENTS = 1024;

/** How long a request about a session that nobody has attached to yet waits for it, in milliseconds. */
const ATTACH_WAIT_MS = 5000;

/**
 * Brings what the agent sends to the chat it concerns. Agents speak of a session before Parley has read
 * the response that names it: updates are kept until someone attaches, requests wait a little.
 */
export class SessionRouter implements ClientHandlers {
  private readonly clients = new Map<string, SessionClient>();
  private readonly early = new Map<string, schema.SessionUpdate[]>();
  private readonly arrivals = new Map<string, Deferred<SessionClient>>();
  private readonly ended = new Set<string>();
  /** Sessions of subagents, and the ones that they were announced in. */
  private readonly parents = new Map<string, string>();
  /** Those that have no session yet, the latest last. */
  private readonly opening = new Set<SessionClient>();

  /** The session of a chat that was heard of last. */
  private lastHeard = '';
  private readonly turnEnded = new Emitter<string>();
  /** The turn of a session has ended, with v2: with v1 the answer to its prompt is its end. */
  readonly onDidEndTurn = this.turnEnded.event;

  constructor(
    private readonly logger: Logger,
    private readonly mask: Mask = text => text,
  ) {}

  /** Kept updates are delivered before this returns. A later attachment to the same session takes over. */
  attach(sessionId: string, client: SessionClient): Disposable {
    this.clients.set(sessionId, client);
    this.ended.delete(sessionId);
    const early = this.early.get(sessionId) ?? [];
    this.early.delete(sessionId);
    for (const update of early) this.deliver(client, update, sessionId);
    this.arrive(sessionId, client);
    return toDisposable(() => {
      if (this.clients.get(sessionId) !== client) return;
      this.clients.delete(sessionId);
      this.ended.add(sessionId);
      forgetOldest(this.ended, MAX_ENDED_SESSIONS);
    });
  }

  /** `client` is opening a session, or signing in for one, until the result is disposed. */
  attachOpening(client: SessionClient): Disposable {
    this.opening.add(client);
    return toDisposable(() => this.opening.delete(client));
  }

  sessionUpdate(params: schema.SessionNotification): void {
    const { sessionId } = params;
    const update = maskedFailure(params.update, this.mask);
    const root = this.rootOf(sessionId);
    const client = this.clients.get(root);
    if (client) {
      this.lastHeard = root;
      this.deliver(client, update, sessionId);
    } else if (this.hasEnded(sessionId)) {
      this.logger.debug(`Update for the closed session ${sessionId} ignored`);
    } else {
      this.keep(sessionId, update);
    }
    if (stateUpdateOf(update)?.state === 'idle') this.turnEnded.fire(sessionId);
  }

  /** Reading has to wait after an update of that session: `updatesPerMinute` are allowed. */
  slowed(sessionId: string, updatesPerMinute: number): void {
    this.clients.get(this.rootOf(sessionId))?.slowed(updatesPerMinute);
  }

  async requestPermission(
    params: schema.PermissionPrompt,
    signal: AbortSignal,
  ): Promise<schema.RequestPermissionResponse> {
    // Nobody is left to ask, which is what `cancelled` says; an error would make some agents retry.
    if (this.hasEnded(params.sessionId)) return { outcome: { outcome: 'cancelled' } };
    return (await this.askedOf(params)).requestPermission(params, signal);
  }

  async readTextFile(
    params: schema.ReadTextFileRequest,
    signal: AbortSignal,
  ): Promise<schema.ReadTextFileResponse> {
    return (await this.clientOf(params)).readTextFile(params, signal);
  }

  async writeTextFile(
    params: schema.WriteTextFileRequest,
    signal: AbortSignal,
  ): Promise<schema.WriteTextFileResponse> {
    return (await this.clientOf(params)).writeTextFile(params, signal);
  }

  async createTerminal(
    params: schema.CreateTerminalRequest,
    signal: AbortSignal,
  ): Promise<schema.CreateTerminalResponse> {
    return (await this.clientOf(params)).createTerminal(params, signal);
  }

  async terminalOutput(
    params: schema.TerminalOutputRequest,
  ): Promise<schema.TerminalOutputResponse> {
    return (await this.clientOf(params)).terminalOutput(params);
  }

  async waitForTerminalExit(
    params: schema.WaitForTerminalExitRequest,
    signal: AbortSignal,
  ): Promise<schema.WaitForTerminalExitResponse> {
    return (await this.clientOf(params)).waitForTerminalExit(params, signal);
  }

  async killTerminal(params: schema.KillTerminalRequest): Promise<schema.KillTerminalResponse> {
    return (await this.clientOf(params)).killTerminal(params);
  }

  async releaseTerminal(
    params: schema.ReleaseTerminalRequest,
  ): Promise<schema.ReleaseTerminalResponse> {
    return (await this.clientOf(params)).releaseTerminal(params);
  }

  /** Before a session is open, what the agent asks belongs to the chat that is opening one. */
  async createElicitation(
    params: schema.CreateElicitationRequest,
    signal: AbortSignal,
  ): Promise<schema.CreateElicitationResponse> {
    if ('sessionId' in params && typeof params.sessionId === 'string') {
      const { sessionId } = params;
      // Nobody is left to ask.
      if (this.hasEnded(sessionId)) return { action: 'cancel' };
      return (await this.askedOf({ sessionId })).createElicitation(params, signal);
    }
    const asked = [...this.opening].at(-1);
    return asked ? asked.createElicitation(params, signal) : { action: 'cancel' };
  }

  completeElicitation(params: schema.CompleteElicitationNotification): void {
    for (const client of new Set([...this.clients.values(), ...this.opening])) {
      client.completeElicitation(params);
    }
  }

  /**
   * Who is to be asked for that session. That of a subagent may never have been announced: then it is the chat
   * that its agent was heard in last, since a question that nobody sees is answered by nobody.
   */
  private askedOf(params: { readonly sessionId: string }): Promise<SessionClient> {
    const known = this.clients.has(this.rootOf(params.sessionId));
    const last = known || this.opening.size > 0 ? undefined : this.heardLast();
    return last ? Promise.resolve(last) : this.clientOf(params);
  }

  private heardLast(): SessionClient | undefined {
    return this.clients.get(this.lastHeard) ?? [...this.clients.values()].at(-1);
  }

  private async clientOf(params: { readonly sessionId: string }): Promise<SessionClient> {
    const { sessionId } = params;
    const client = this.clients.get(this.rootOf(sessionId));
    if (client) return client;
    if (!this.hasEnded(sessionId) && this.arrivals.size < MAX_EARLY_SESSIONS) {
      const arrival = this.arrivals.get(sessionId) ?? new Deferred<SessionClient>();
      this.arrivals.set(sessionId, arrival);
      const arrived = await within(arrival.promise, ATTACH_WAIT_MS);
      if (arrived !== TIMED_OUT) return arrived;
      if (this.arrivals.get(sessionId) === arrival) this.arrivals.delete(sessionId);
    }
    throw new RequestError(ErrorCode.resourceNotFound, `Unknown session: ${sessionId}`);
  }

  private keep(sessionId: string, update: schema.SessionUpdate): void {
    let kept = this.early.get(sessionId);
    if (!kept) {
      if (this.early.size >= MAX_EARLY_SESSIONS) {
        const oldest = this.early.keys().next().value;
        if (oldest !== undefined) this.early.delete(oldest);
        this.logger.warn(`Updates for the unknown session ${String(oldest)} dropped`);
      }
      kept = [];
      this.early.set(sessionId, kept);
    }
    if (kept.length >= MAX_EARLY_UPDATES) return;
    kept.push(update);
    if (kept.length === MAX_EARLY_UPDATES) {
      this.logger.warn(`Too many updates for the unknown session ${sessionId}: later ones dropped`);
    }
  }

  /** One chat's failure to take an update must not cost the others theirs. */
  private deliver(client: SessionClient, update: schema.SessionUpdate, sessionId: string): void {
    try {
      client.update(update, sessionId);
    } catch (error) {
      this.logger.error('An update could not be applied', error);
    }
    const subagent = subagentOf(update);
    if (subagent !== undefined) this.adopt(subagent, sessionId, client);
  }

  /** What comes of a subagent's session is for the chat whose agent announced it. */
  private adopt(subagent: string, parent: string, client: SessionClient): void {
    const isNew = !this.parents.has(subagent) && !this.clients.has(subagent);
    if (!isNew || this.rootOf(parent) === subagent) return;
    this.parents.set(subagent, parent);
    const oldest = this.parents.keys().next().value;
    if (this.parents.size > MAX_SUBAGENTS && oldest !== undefined) this.parents.delete(oldest);
    const early = this.early.get(subagent) ?? [];
    this.early.delete(subagent);
    for (const update of early) this.deliver(client, update, subagent);
    this.arrive(subagent, client);
  }

  private arrive(sessionId: string, client: SessionClient): void {
    this.arrivals.get(sessionId)?.resolve(client);
    this.arrivals.delete(sessionId);
  }

  /** The session of a chat that this one works for; itself when it is no subagent's. */
  private rootOf(sessionId: string): string {
    let root = sessionId;
    for (let above = this.parents.get(root); above !== undefined; above = this.parents.get(root)) {
      root = above;
    }
    return root;
  }

  private hasEnded(sessionId: string): boolean {
    return this.ended.has(this.rootOf(sessionId));
  }
}

/** The session of a subagent that an update (of the unstable schema) is about. */
function subagentOf(update: {
  readonly sessionUpdate: string;
  readonly sessionId?: unknown;
}): string | undefined {
  const { sessionUpdate, sessionId } = update;
  const isNamed = typeof sessionId === 'string' && sessionId !== '';
  return sessionUpdate === 'subagent_update' && isNamed ? sessionId : undefined;
}

function forgetOldest(set: Set<string>, capacity: number): void {
  for (const item of set) {
    if (set.size <= capacity) return;
    set.delete(item);
  }
}
