import type * as schema from '../acp/schema';
import { Deferred } from '../base/deferred';
import type { Disposable } from '../base/lifecycle';
import type { Logger } from '../base/logger';
import * as l10n from '@vscode/l10n';
import { configOf } from './translate/configOptions';
import {
  AgentError,
  type Agent,
  type AgentLink,
  type Environment,
  type SessionClient,
} from './ports';
import {
  isAuthRequired,
  isCredentialsRefused,
  isUnknownSession,
  promptFailure,
  sessionProblem,
  sessionTimeout,
  signInFailure,
  signInHint,
} from './problems';
import type { AgentCapabilities, Connection, Problem } from './state/state';
import type { SessionStore } from './state/store';
import type { Notices } from './notices';
import { boundedText, boundedValue } from './translate/updateBounds';

/** UTF-16 units of an agent's name and version. */
const MAX_NAME = 200;

export interface SessionPlace {
  /** Absolute path of the session's working directory. */
  readonly cwd: string;
  /** Further absolute paths the agent may work in (multi-root workspaces). */
  readonly additionalDirectories: readonly string[];
  /** Where files may be read and written: the folders that are open, and nothing when none is. */
  readonly roots: readonly string[];
}

export interface ConnectionSettings {
  /** Seconds a session may take to open. */
  newSessionSeconds(): number;
  /** The user's servers that an agent with these capabilities can use. May have to ask the user. */
  mcpServers(capabilities: schema.McpCapabilities): Promise<readonly schema.McpServer[]>;
}

/** An open session: what a turn needs. */
export interface OpenSession {
  readonly link: AgentLink;
  readonly sessionId: string;
}

export interface ConnectionEvents {
  /** An open session is gone because the agent is. */
  lost(): void;
  /** The agent has made a new session; nothing is sent to it before this resolves. */
  made(session: OpenSession): Promise<void>;
}

/**
 * Brings one chat to an open ACP session and keeps the chat's `connection` true: starting, signing in,
 * ready, failed, stopped. Holds a lease on the agent while the session is open or opening.
 */
export class SessionConnection implements Disposable {
  private session: OpenSession | undefined;
  private opening: Promise<OpenSession | undefined> | undefined;
  private abort: AbortController | undefined;
  private lease: Disposable | undefined;
  private attached: Disposable | undefined;
  /** The session that waits for a sign-in; good as long as its process lives. */
  private suspended: OpenSession | undefined;
  private mcpServers: readonly schema.McpServer[] = [];
  private disposed = false;
  private readonly statusListener: Disposable;

  constructor(
    private readonly agent: Agent,
    private readonly store: SessionStore,
    /** Loads what the agent may ask of the chat; the same each time. */
    private readonly client: () => Promise<SessionClient>,
    private readonly notices: Notices,
    private readonly environment: Environment,
    private readonly place: SessionPlace,
    private readonly settings: ConnectionSettings,
    private readonly logger: Logger,
    private readonly events: ConnectionEvents,
    /** The session that the chat's own begins with; undefined once it has one. */
    private forkOf?: string,
  ) {
    this.statusListener = agent.onDidChangeStatus(() => this.followAgent());
  }

  get current(): OpenSession | undefined {
    return this.session;
  }

  /** The session, opened if need be; undefined when that failed (the chat then shows why). */
  open(): Promise<OpenSession | undefined> {
    if (this.session || this.disposed) return Promise.resolve(this.session);
    this.opening ??= this.openNow().finally(() => (this.opening = undefined));
    return this.opening;
  }

  /** The user no longer wants to wait for the start. */
  cancelOpening(): void {
    this.abort?.abort();
  }

  /** As `cancelOpening`; resolves when nothing of the start is left to interfere with the next. */
  async abandonOpening(): Promise<void> {
    this.cancelOpening();
    await this.opening;
  }

  /** Opens the session afterwards; when the agent refuses or the user gives up, the chat shows it. */
  async signIn(methodId: string): Promise<OpenSession | undefined> {
    const methods = this.agent.authMethods();
    const wasOpen = this.session !== undefined;
    this.suspend();
    this.lease ??= this.agent.lease();
    this.tell({ kind: 'signIn', methods, busy: true });
    try {
      // Who gave up signing in anew is still signed in as before.
      if ((await this.agent.signIn(methodId)) || wasOpen) return await this.open();
      this.tell({ kind: 'signIn', methods });
    } catch (error) {
      this.tell({ kind: 'signIn', methods, problem: signInFailure(error) });
    }
    return undefined;
  }

  /**
   * The agent refused something for want of a sign-in, or because the credentials that it has are no good.
   * The session is taken up again afterwards.
   */
  requireSignIn(error: unknown): void {
    this.suspend();
    const methods = this.agent.authMethods();
    if (isCredentialsRefused(error)) {
      const problem = promptFailure(this.agent.name, error).detail;
      this.tell({ kind: 'signIn', methods, problem });
    } else {
      const hint = signInHint(error);
      this.tell({ kind: 'signIn', methods, ...(hint !== undefined && { hint }) });
    }
  }

  /** Refused credentials are a matter of signing in only where there is a way to. */
  asksForSignIn(error: unknown): boolean {
    return (
      isAuthRequired(error) || (isCredentialsRefused(error) && this.agent.authMethods().length > 0)
    );
  }

  /** Ends the session; the agent's process stops unless another chat uses it. */
  async close(): Promise<void> {
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
    this.statusListener.dispose();
    this.abort?.abort();
    this.detach();
    this.lease?.dispose();
    this.lease = undefined;
  }

  private async openNow(): Promise<OpenSession | undefined> {
    const abort = new AbortController();
    this.abort = abort;
    this.lease ??= this.agent.lease();
    let asking: Disposable | undefined;
    try {
      const [link, client] = await Promise.all([this.agent.connect(abort.signal), this.client()]);
      asking = link.attachOpening(client);
      this.identify(link);
      const { suspended } = this;
      if (suspended && suspended.link !== link) this.detach();
      // Asked for before the clock runs: the user may have to be asked.
      this.mcpServers = await this.askForServers(link);
      const session = suspended?.link === link ? suspended : await this.openSession(link, abort);
      this.suspended = undefined;
      if (abort.signal.aborted) throw new Error('aborted');
      this.session = session;
      this.tell({ kind: 'ready' });
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
      this.release({ kind: 'failed', problem: sessionTimeout(name, error.seconds) });
    } else if (aborted) {
      this.release({ kind: 'stopped' });
    } else if (this.asksForSignIn(error)) {
      this.requireSignIn(error);
    } else if (error instanceof AgentError) {
      this.release({ kind: 'failed', problem: error.problem });
    } else {
      const gone = this.agent.status.kind === 'failed' ? this.agent.status.problem : undefined;
      this.logger.error(`${name}: no session`, error);
      this.release({ kind: 'failed', problem: gone ?? sessionProblem(name, error) });
    }
  }

  private identify(link: AgentLink): void {
    const { agentInfo, agentCapabilities } = link.initialized;
    this.store.dispatch({
      type: 'agentIdentified',
      ...(agentInfo?.title ? { title: boundedText(agentInfo.title, MAX_NAME) } : {}),
      ...(agentInfo?.version ? { version: boundedText(agentInfo.version, MAX_NAME) } : {}),
      capabilities: capabilitiesOf(agentCapabilities),
    });
  }

  private async openSession(link: AgentLink, abort: AbortController): Promise<OpenSession> {
    const seconds = this.settings.newSessionSeconds();
    const { connection } = this.store.state;
    const now = this.environment.now();
    this.tell({
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
    try {
      return await Promise.race([this.askForSession(link, abort.signal), expired.promise]);
    } finally {
      timer.dispose();
    }
  }

  private askForServers(link: AgentLink): Promise<readonly schema.McpServer[]> {
    const { mcpCapabilities } = link.initialized.agentCapabilities ?? {};
    return this.settings.mcpServers(mcpCapabilities ?? {});
  }

  /** A chat that was open before is taken up again where the agent can; otherwise a new session begins. */
  private async askForSession(link: AgentLink, signal: AbortSignal): Promise<OpenSession> {
    const { sessionId, turns, title } = this.store.state;
    if (this.forkOf !== undefined) return this.fork(link, this.forkOf, signal);
    if (sessionId !== undefined) {
      const resumed = await this.takeUp(link, sessionId, signal);
      if (resumed) return resumed;
    }
    const opened = await link.newSession(this.params(link), signal);
    this.started(opened.sessionId, opened);
    await this.events.made({ link, sessionId: opened.sessionId });
    // A title tells of a session that the agent itself had listed.
    if (turns.length > 0 || (sessionId !== undefined && title !== undefined)) {
      this.say(l10n.t('{0} does not remember this chat: it begins anew here.', this.agent.name));
    }
    return { link, sessionId: opened.sessionId };
  }

  private async fork(link: AgentLink, forkOf: string, signal: AbortSignal): Promise<OpenSession> {
    const params = { ...this.params(link), sessionId: forkOf };
    const opened = await link.forkSession(params, signal);
    this.forkOf = undefined;
    this.started(opened.sessionId, opened);
    if (this.store.state.turns.length === 0) this.sayUnseen();
    return { link, sessionId: opened.sessionId };
  }

  private async takeUp(
    link: AgentLink,
    sessionId: string,
    signal: AbortSignal,
  ): Promise<OpenSession | undefined> {
    const capabilities = link.initialized.agentCapabilities;
    const params = { sessionId, ...this.params(link) };
    const { turns, terminals, plan, plans } = this.store.state;
    let cleared = false;
    try {
      // Without a transcript of our own, the agent's is wanted.
      const wantsReplay = turns.length === 0 && capabilities?.loadSession === true;
      if (capabilities?.sessionCapabilities?.resume && !wantsReplay) {
        this.started(sessionId, await link.resumeSession(params, signal));
        if (turns.length === 0 && this.store.state.title !== undefined) this.sayUnseen();
        return { link, sessionId };
      }
      if (capabilities?.loadSession) {
        this.store.dispatch({ type: 'transcriptCleared' });
        cleared = true;
        // Attached before it is open: the replay comes first, and with some agents also afterwards.
        this.attached = link.attach(sessionId, await this.client());
        this.started(sessionId, await link.loadSession(params, signal));
        return { link, sessionId };
      }
    } catch (error) {
      this.detach();
      if (cleared) {
        const kept = { turns, terminals, ...(plan && { plan }), ...(plans && { plans }) };
        this.store.dispatch({ type: 'transcriptRestored', ...kept });
      }
      if (!isUnknownSession(error)) throw error;
      this.logger.info(`${this.agent.name} does not know session ${sessionId} any more`);
    }
    return undefined;
  }

  private started(sessionId: string, opened: schema.OpenedSession): void {
    const bounded = boundedValue(opened) as schema.OpenedSession;
    this.store.dispatch({ type: 'sessionStarted', sessionId });
    this.store.dispatch({ type: 'configChanged', options: configOf(bounded) });
  }

  private params(link: AgentLink): schema.NewSessionRequest {
    const { cwd, additionalDirectories } = this.place;
    const capabilities = link.initialized.agentCapabilities;
    const many =
      additionalDirectories.length > 0 && capabilities?.sessionCapabilities?.additionalDirectories;
    return {
      cwd,
      mcpServers: [...this.mcpServers],
      ...(many && { additionalDirectories: [...additionalDirectories] }),
    };
  }

  private followAgent(): void {
    const { status } = this.agent;
    if (status.kind === 'starting' && this.opening) this.tell(status);
    if (!this.session) return;
    if (status.kind === 'failed') this.lost(status.problem);
    else if (status.kind === 'stopped') this.lost(undefined);
  }

  private lost(problem: Problem | undefined): void {
    this.release(problem ? { kind: 'failed', problem } : { kind: 'stopped' });
    this.events.lost();
  }

  private release(connection: Connection): void {
    this.detach();
    this.tell(connection);
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

  private sayUnseen(): void {
    this.say(l10n.t('{0} does not show what was said before.', this.agent.name));
  }

  private say(text: string): void {
    this.notices.tell('info', text);
  }

  private tell(connection: Connection): void {
    this.store.dispatch({ type: 'connectionChanged', connection });
  }
}

class TimeoutError extends Error {
  constructor(readonly seconds: number) {
    super(`No answer after ${seconds} s`);
  }
}

function capabilitiesOf(capabilities: schema.AgentCapabilities | undefined): AgentCapabilities {
  const prompt = capabilities?.promptCapabilities;
  const sessions: (schema.SessionCapabilities & schema.ForkCapability) | undefined =
    capabilities?.sessionCapabilities;
  return {
    image: prompt?.image === true,
    audio: prompt?.audio === true,
    embeddedContext: prompt?.embeddedContext === true,
    loadSession: capabilities?.loadSession === true,
    resumeSession: Boolean(sessions?.resume),
    ...(sessions?.fork && { fork: true }),
    ...(capabilities?.auth?.logout && { signOut: true }),
  };
}
