import * as l10n from '@vscode/l10n';
import type * as schema from '../../acp/schema/schema';
import type { Logger } from '../../base/logger';
import type { Notices } from '../notices';
import type { AgentLink, Environment } from '../ports';
import { isUnknownSession } from './problems';
import type { OpenSession, SessionPlace } from './openSession';
import { replayed, hasNothingNew } from './replay';
import { SessionStore } from '../state/store';
import { configOf } from '../translate/configOptions';
import { commandOf } from '../translate/updateTable';
import { boundedValue } from '../translate/updateBounds';

export interface SessionOpeningParts {
  readonly agentName: string;
  readonly store: SessionStore;
  readonly notices: Notices;
  readonly place: SessionPlace;
  readonly environment: Pick<Environment, 'after'>;
  readonly logger: Logger;
  /** The agent has made a new session; nothing is sent to it before this resolves. */
  made(session: OpenSession): Promise<void>;
  /**
   * What comes of that session is the chat's from now on.
   * @param replay gets the replayed conversation instead, until the session is attached again
   */
  attach(link: AgentLink, sessionId: string, replay?: SessionStore): Promise<void>;
  /** Nothing is any more. */
  detach(): void;
}

/** Asks an agent for the session of a chat: the one it had, one that begins with what another knows, or a new one. */
export class SessionOpening {
  private mcpServers: readonly schema.McpServer[] = [];

  constructor(
    private readonly parts: SessionOpeningParts,
    /** The session that the chat's own begins with; undefined once it has one. */
    private forkOf: string | undefined,
  ) {}

  /** A chat that was open before is resumed where the agent can; otherwise a new session begins. */
  async open(
    link: AgentLink,
    mcpServers: readonly schema.McpServer[],
    signal: AbortSignal,
  ): Promise<OpenSession> {
    this.mcpServers = mcpServers;
    const { sessionId, turns, title } = this.parts.store.state;
    if (this.forkOf !== undefined) return this.fork(link, this.forkOf, signal);
    if (sessionId !== undefined) {
      await this.unarchive(link, sessionId);
      const resumed = await this.takeUp(link, sessionId, signal);
      if (resumed) return resumed;
    }
    const opened = await link.newSession(this.params(link), signal);
    this.started(opened.sessionId, opened);
    this.sayOneFolder(link);
    await this.parts.made({ link, sessionId: opened.sessionId });
    // A title is of a session that the agent itself had listed. Where there was none, nothing is forgotten.
    if (sessionId !== undefined && (turns.length > 0 || title !== undefined)) {
      this.say(
        l10n.t('{0} cannot resume this chat. It starts a new session here.', this.parts.agentName),
      );
    }
    return { link, sessionId: opened.sessionId };
  }

  private async fork(link: AgentLink, forkOf: string, signal: AbortSignal): Promise<OpenSession> {
    const params = { ...this.params(link), sessionId: forkOf };
    const opened = await link.forkSession(params, signal);
    this.forkOf = undefined;
    this.started(opened.sessionId, opened);
    this.sayOneFolder(link);
    if (this.parts.store.state.turns.length === 0) this.sayUnseen();
    return { link, sessionId: opened.sessionId };
  }

  /** The agent may not open what it has archived. */
  private async unarchive(link: AgentLink, sessionId: string): Promise<void> {
    const { agentName, logger, store } = this.parts;
    if (!store.state.archivedByAgent || !link.archives) return;
    await link.setArchived({ sessionId }, false).catch((error: unknown) => {
      logger.warn(`${agentName} did not unarchive session ${sessionId}: ${String(error)}`);
    });
  }

  private async takeUp(
    link: AgentLink,
    sessionId: string,
    signal: AbortSignal,
  ): Promise<OpenSession | undefined> {
    const capabilities = link.initialized.agentCapabilities;
    const params = { sessionId, ...this.params(link) };
    const { turns } = this.parts.store.state;
    try {
      // Without a transcript of our own, the agent's is wanted.
      const wantsReplay = turns.length === 0 && capabilities?.loadSession === true;
      if (capabilities?.sessionCapabilities?.resume && !wantsReplay) {
        this.started(sessionId, await link.resumeSession(params, signal));
        if (turns.length === 0 && this.parts.store.state.title !== undefined) this.sayUnseen();
        return { link, sessionId };
      }
      if (capabilities?.loadSession) {
        await this.load(link, params, signal);
        return { link, sessionId };
      }
    } catch (error) {
      this.parts.detach();
      if (!isUnknownSession(error)) throw error;
      this.parts.logger.info(`${this.parts.agentName} does not know session ${sessionId} any more`);
    }
    return undefined;
  }

  /** The agent replays the conversation. What is known of it gives way only to a prompt that is new. */
  private async load(
    link: AgentLink,
    params: schema.LoadSessionRequest,
    signal: AbortSignal,
  ): Promise<void> {
    const { store, environment } = this.parts;
    const { sessionId } = params;
    const { turns: known } = store.state;
    // Where nothing is known, the replay is shown as it comes.
    const beside = known.length > 0 ? new SessionStore(store.state) : undefined;
    const target = beside ?? store;
    target.dispatch({ type: 'transcriptCleared' });
    try {
      // Attached before it is open: the replay comes first, and with some agents also afterwards.
      await this.parts.attach(link, sessionId, beside);
      this.started(sessionId, await link.loadSession(params, signal));
      if (link.replaysAfterAnswer) await replayed(target, environment);
      if (beside) await this.parts.attach(link, sessionId);
    } catch (error) {
      this.parts.detach();
      if (!beside) store.dispatch({ type: 'transcriptRestored', turns: [], terminals: {} });
      throw error;
    }
    if (!beside || hasNothingNew(beside.state.turns, known)) return;
    const { turns, terminals, plan, plans } = beside.state;
    const transcript = { turns, terminals, ...(plan && { plan }), ...(plans && { plans }) };
    store.dispatch({ type: 'transcriptRestored', ...transcript });
  }

  private started(sessionId: string, opened: schema.OpenedSession): void {
    const bounded = boundedValue(opened) as schema.OpenedSession;
    this.parts.store.dispatch({ type: 'sessionStarted', sessionId });
    this.parts.store.dispatch({ type: 'configChanged', options: configOf(bounded) });
    const { availableCommands } = bounded;
    if (!availableCommands) return;
    this.parts.store.dispatch({
      type: 'commandsChanged',
      commands: availableCommands.map(commandOf),
    });
  }

  private params(link: AgentLink): schema.NewSessionRequest {
    const { cwd, additionalDirectories } = this.parts.place;
    return {
      cwd,
      mcpServers: [...this.mcpServers],
      ...(additionalDirectories.length > 0 &&
        takesFolders(link) && { additionalDirectories: [...additionalDirectories] }),
    };
  }

  private sayOneFolder(link: AgentLink): void {
    const { agentName, notices, place } = this.parts;
    if (place.additionalDirectories.length === 0 || takesFolders(link)) return;
    const folder = /[^/\\]+$/.exec(place.cwd)?.[0] ?? place.cwd;
    notices.hold(
      'info',
      l10n.t('{0} works in only one folder: {1}.', agentName, folder),
      l10n.t('It is not given the other folders of this window.'),
    );
  }

  private sayUnseen(): void {
    this.say(l10n.t('{0} does not show earlier messages.', this.parts.agentName));
  }

  private say(text: string): void {
    this.parts.notices.add('info', text);
  }
}

function takesFolders({ initialized }: AgentLink): boolean {
  return Boolean(initialized.agentCapabilities?.sessionCapabilities?.additionalDirectories);
}
