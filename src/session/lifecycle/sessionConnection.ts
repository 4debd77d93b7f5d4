import type * as schema from '../../acp/schema/schema';
import { Deferred } from '../../base/deferred';
import { lazy } from '../../base/lazy';
import type { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/logger';
import { orAborted } from '../../base/orAborted';
import {
  AgentError,
  type Agent,
  type AgentLink,
  type Environment,
  type Lease,
  type SessionClient,
} from '../ports';
import { identified } from './agentIdentity';
import { leaseUse } from './leaseUse';
import type { OpenSession, SessionPlace } from './openSession';
import { sessionProblem, sessionTimeout } from './problems';
import { Recovery } from './recovery';
import type { SessionOpening } from './sessionOpening';
import { SignInCard } from './signInCard';
import type { ConfigOption } from '../state/config';
import type { Connection, Problem } from '../state/state';
import type { SessionStore } from '../state/store';
import type { Notices } from '../notices';

export interface ConnectionSettings {
  /** Seconds a session may take to open. */
  newSessionSeconds(): number;
  /** The user's servers that an agent with these capabilities can use. May have to ask the user, until `signal` aborts. */
  mcpServers(
    capabilities: schema.McpCapabilities,
    signal: AbortSignal,
  ): Promise<readonly schema.McpServer[]>;
}

export interface ConnectionEvents {
  /** An open session is gone because the agent is: by itself if there is a problem. */
  lost(problem: Problem | undefined): void;
  /** The session that was lost is open again, and nothing that was asked in it was cut short. */
  recovered(): void;
  /** The agent has made a new session; nothing is sent to it before this resolves. */
  made(session: OpenSession): Promise<void>;
  /** The session is open in another process. @param before the agent's options as the chat had them */
  reopened(session: OpenSession, before: readonly ConfigOption[]): Promise<void>;
}

/**
 * Brings one chat to an open ACP session and keeps the chat's `connection` true: starting, signing in,
 * ready, failed, stopped. Holds a lease on the agent while the session is open or opening.
 */
export class SessionConnection implements Disposable {
  private session: OpenSession | undefined;
  private opening: Promise<OpenSession | undefined> | undefined;
  private abort: AbortController | undefined;
  private lease: Lease | undefined;
  private attached: Disposable | undefined;
  /** The session that waits for a sign-in; good as long as its process lives. */
  private suspended: OpenSession | undefined;
  private mcpServers: readonly schema.McpServer[] = [];
  private disposed = false;
  /** The agent was let go as nobody needed it: the session is resumed when it is needed. */
  private isLetGo = false;
  private readonly recovery: Recovery;
  private readonly listeners: readonly Disposable[];
  private readonly card: SignInCard;
  private readonly sessions: () => Promise<SessionOpening>;

  constructor(
    private readonly agent: Agent,
    private readonly store: SessionStore,
    /** Loads what the agent may ask of the chat; the same each time, but for a replay. */
    private readonly client: (replay?: SessionStore) => Promise<SessionClient>,
    notices: Notices,
    private readonly environment: Environment,
    place: SessionPlace,
    private readonly settings: ConnectionSettings,
    private readonly logger: Logger,
    private readonly events: ConnectionEvents,
    /** The session that the chat's own begins with; undefined once it has one. */
    forkOf?: string,
  ) {
    this.sessions = lazy(async () => {
      const { SessionOpening } = await import('./sessionOpening');
      return new SessionOpening(
        {
          agentName: agent.name,
          store,
          notices,
          place,
          environment,
          logger,
          made: session => events.made(session),
          attach: async (link, sessionId, replay) => {
            this.attached = link.attach(sessionId, await client(replay));
          },
          detach: () => this.detach(),
        },
        forkOf,
      );
    });
    this.card = new SignInCard(agent, connection => this.show(connection));
    this.recovery = new Recovery(agent.name, store, environment);
    this.listeners = [
      agent.onDidChangeStatus(() => this.followAgent()),
      store.onDidApply(() => this.followUse()),
    ];
  }

  get current(): OpenSession | undefined {
    return this.session;
  }

  /** Also a session that waits for a sign-in: what runs in it can be stopped, and nothing else. */
  get attachedSession(): OpenSession | undefined {
    return this.session ?? this.suspended;
  }

  /** The session, opened if need be; undefined when that failed (the chat then shows why). */
  open(): Promise<OpenSession | undefined> {
    if (this.session || this.disposed) return Promise.resolve(this.session);
    this.opening ??= this.openNow().finally(() => {
      this.opening = undefined;
      this.followUse();
    });
    this.followUse();
    return this.opening;
  }

  /** The session that is open or opens, or was open when the agent was let go. */
  async wake(): Promise<OpenSession | undefined> {
    return this.isLetGo || this.opening ? this.open() : this.session;
  }

  /** The user no longer wants to wait for the start, or for a sign-in. */
  cancelOpening(): void {
    this.card.cancel();
    this.abort?.abort();
  }

  /** As `cancelOpening`; resolves when nothing of the start is left to interfere with the next. */
  async abandonOpening(): Promise<void> {
    this.cancelOpening();
    await this.opening;
  }

  /** Opens the session afterwards; when the agent refuses or the user gives up, the chat shows it. */
  async signIn(methodId: string): Promise<OpenSession | undefined> {
    const wasOpen = this.session !== undefined;
    this.suspend();
    this.lease ??= this.agent.lease();
    const isSignedIn = await this.card.signIn(methodId);
    // Who gave up signing in again is still signed in as before.
    return isSignedIn === true || (isSignedIn === false && wasOpen) ? this.open() : undefined;
  }

  /**
   * The agent refused something for want of a sign-in, or because the credentials that it has are no good.
   * The session is resumed afterwards.
   */
  requireSignIn(error: unknown): void {
    this.suspend();
    this.card.show(error);
  }

  asksForSignIn(error: unknown): boolean {
    return this.card.isAskedForBy(error);
  }

  /** Ends the session; the agent's process stops unless another chat uses it. */
  async close(): Promise<void> {
    this.card.end();
    this.abort?.abort();
    const { session } = this;
    if (session?.link.initialized.agentCapabilities?.sessionCapabilities?.close) {
      // Courtesy: the process may be stopped before it answers, and that is as good.
      void session.link.closeSession({ sessionId: session.sessionId }).catch(() => undefined);
    }
    this.release({ kind: 'stopped' });
    await this.opening;
  }

  dispose(): void {
    this.disposed = true;
    for (const listener of this.listeners) listener.dispose();
    this.card.end();
    this.abort?.abort();
    this.detach();
    this.lease?.dispose();
    this.lease = undefined;
  }

  private async openNow(): Promise<OpenSession | undefined> {
    const abort = new AbortController();
    this.abort = abort;
    this.isLetGo = false;
    this.lease ??= this.agent.lease();
    let asking: Disposable | undefined;
    try {
      const [link, client, sessions] = await Promise.all([
        this.agent.connect(abort.signal),
        this.client(),
        this.sessions(),
      ]);
      asking = link.attachOpening(client);
      this.store.dispatch(identified(link));
      const { suspended } = this;
      if (suspended && suspended.link !== link) this.detach();
      // Asked for before the clock runs: the user may have to be asked.
      this.mcpServers = await orAborted(this.askForServers(link, abort.signal), abort.signal);
      const session =
        suspended?.link === link ? suspended : await this.openSession(link, sessions, abort);
      this.suspended = undefined;
      if (abort.signal.aborted) throw new Error('aborted');
      const { status } = this.agent;
      if (status.kind !== 'ready' || status.link !== link) throw new Error('The agent is gone');
      this.session = session;
      this.recovery.ends();
      this.show({ kind: 'ready' });
      this.attached ??= link.attach(session.sessionId, client);
      return session;
    } catch (error) {
      this.explain(error, abort.signal.aborted);
      return undefined;
    } finally {
      asking?.dispose();
      if (this.abort === abort) this.abort = undefined;
    }
  }

  private explain(error: unknown, aborted: boolean): void {
    const { name } = this.agent;
    if (error instanceof TimeoutError) {
      const problem = sessionTimeout(name, error.seconds);
      this.logger.error(problem.title);
      this.release({ kind: 'failed', problem });
    } else if (aborted) {
      this.release({ kind: 'stopped' });
    } else if (this.asksForSignIn(error)) {
      this.requireSignIn(error);
    } else if (error instanceof AgentError) {
      this.release({ kind: 'failed', problem: error.problem });
    } else {
      const { status } = this.agent;
      const gone = status.kind === 'failed' ? status.problem : undefined;
      const network = status.kind === 'ready' ? status.link.network : undefined;
      this.logger.error(`${name}: no session`, error);
      this.release({ kind: 'failed', problem: gone ?? sessionProblem(name, error, network) });
    }
  }

  private async openSession(
    link: AgentLink,
    sessions: SessionOpening,
    abort: AbortController,
  ): Promise<OpenSession> {
    const seconds = this.settings.newSessionSeconds();
    const { connection } = this.store.state;
    const now = this.environment.now();
    this.show({
      kind: 'starting',
      step: 'session',
      command: connection.kind === 'starting' ? connection.command : '',
      startedAt: connection.kind === 'starting' ? connection.startedAt : now,
      stepStartedAt: now,
      timeoutSeconds: seconds,
    });
    const expired = new Deferred<never>();
    const timer = this.environment.after(seconds * 1000, () => {
      expired.reject(new TimeoutError(seconds));
      abort.abort();
    });
    const { configOptions } = this.store.state;
    let session: OpenSession;
    try {
      const asked = sessions.open(link, this.mcpServers, abort.signal);
      session = await Promise.race([asked, expired.promise]);
    } finally {
      timer.dispose();
    }
    if (configOptions.length > 0) await this.events.reopened(session, configOptions);
    return session;
  }

  private askForServers(
    link: AgentLink,
    signal: AbortSignal,
  ): Promise<readonly schema.McpServer[]> {
    const { mcpCapabilities } = link.initialized.agentCapabilities ?? {};
    return this.settings.mcpServers(mcpCapabilities ?? {}, signal);
  }

  private followUse(): void {
    const use = leaseUse(this.store.state);
    this.lease?.use(this.opening && use === 'nothing' ? 'else' : use);
  }

  private followAgent(): void {
    const { status } = this.agent;
    if (status.kind === 'starting' && this.opening) this.show(status);
    const { suspended } = this;
    if (suspended && !(status.kind === 'ready' && status.link === suspended.link)) {
      // The card stays; what the process had begun ends with it.
      this.detach();
      this.events.lost(undefined);
    }
    if (status.kind === 'ready' && this.recovery.isWaiting) void this.recover();
    if (status.kind === 'stopped' && this.isLetGo) this.release({ kind: 'stopped' });
    if (!this.session) return;
    if (status.kind === 'failed') this.lost(status.problem);
    else if (status.kind === 'stopped') this.lost(undefined);
    else if (status.kind === 'resting') this.rest();
  }

  private lost(problem: Problem | undefined): void {
    const isRecovering = problem !== undefined && this.recovery.begins(problem);
    this.release(problem && !isRecovering ? { kind: 'failed', problem } : { kind: 'stopped' });
    this.events.lost(problem);
    if (isRecovering) void this.recover();
  }

  private async recover(): Promise<void> {
    if (!(await this.open())) return;
    this.recovery.note();
    if (!this.recovery.isCut) this.events.recovered();
  }

  /** The chat stays as it is: nothing of it needs the agent before the user does. */
  private rest(): void {
    this.detach();
    this.isLetGo = true;
  }

  private release(connection: Connection): void {
    this.detach();
    this.isLetGo = false;
    this.show(connection);
    this.lease?.dispose();
    this.lease = undefined;
  }

  /** Keeps listening to the session, but sends it nothing. */
  private suspend(): void {
    this.suspended ??= this.session;
    this.session = undefined;
  }

  private detach(): void {
    this.suspended = undefined;
    this.attached?.dispose();
    this.attached = undefined;
    this.session = undefined;
  }

  private show(connection: Connection): void {
    this.store.dispatch({ type: 'connectionChanged', connection });
  }
}

class TimeoutError extends Error {
  constructor(readonly seconds: number) {
    super(`No answer after ${seconds} s`);
  }
}
