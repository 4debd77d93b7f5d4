import { Emitter } from '../base/event';
import type { Disposable } from '../base/lifecycle';
import type { Logger } from '../base/logger';
import type { AgentSession } from './history/agentSessions';
import { stoppedState } from './lifecycle/stoppedState';
import { Contents } from './translate/contents';
import type { FileLimitSettings } from './requests/fileLimits';
import { LazyClientRequests } from './requests/lazyClientRequests';
import { Notices } from './notices';
import { PromptLimits } from './turns/promptLimits';
import type { PromptLimitSettings } from './turns/promptLimits';
import type {
  Agent,
  AgentTracking,
  AttachmentSource,
  Environment,
  OptionDefaults,
  PermissionLog,
  PermissionRules,
  TerminalMirror,
  Terminals,
  ProposalEdits,
  QuestionTools,
  TextFiles,
} from './ports';
import type { SessionPlace } from './lifecycle/openSession';
import { SessionConnection, type ConnectionSettings } from './lifecycle/sessionConnection';
import { SessionController } from './lifecycle/sessionController';
import { SessionOptions } from './lifecycle/sessionOptions';
import { NO_RULES } from './rules/rule';
import { initialSession } from './state/initialSession';
import type { SessionState } from './state/state';
import { allTurns } from './state/selectors';
import { SessionStore } from './state/store';

/** One chat: its state, and what can be done with it. */
export interface Chat {
  readonly chatId: string;
  readonly store: SessionStore;
  readonly controller: SessionController;
  /** When anything last happened in it. */
  readonly updatedAt: number;
  /** It plays what was recorded elsewhere: nothing in it happens. */
  readonly isReplay: boolean;
}

export interface ChatServices {
  readonly files: TextFiles;
  readonly terminals: Terminals;
  readonly mirror: TerminalMirror;
  readonly attachments: AttachmentSource;
  readonly environment: Environment;
  readonly settings: ConnectionSettings;
  readonly defaults?: OptionDefaults;
  /** Generous by default. */
  fileLimits?(): FileLimitSettings;
  promptLimits?(): PromptLimitSettings;
  readonly questions: QuestionTools;
  /** Where proposals can be changed before they are allowed; nowhere by default. */
  readonly proposals?: ProposalEdits;
  /** Whether each write of an agent waits for the user; no by default. */
  asksBeforeWriting?(): boolean;
  /** None by default. */
  readonly rules?: PermissionRules;
  readonly permissionLog?: PermissionLog;
  /** Whether the next message of a chat may go out, by what was spent; yes by default. */
  mayPrompt?(state: SessionState): boolean;
  /** Nothing is tracked by default. */
  readonly tracking?: AgentTracking;
  readonly logger: Logger;
  /** The agent of that name; undefined when none is configured. */
  agent(name: string): Agent | undefined;
  /** Where new chats work. */
  place(): SessionPlace;
  /** What chats with that agent have instead: those that play a recording touch nothing, and are not kept. */
  instead?(agentName: string): Partial<ChatServices> | undefined;
}

/** Every chat of this window. */
export class Chats implements Disposable {
  private readonly chats = new Map<string, Chat>();
  private readonly changed = new Emitter<Chat>();
  /** Something that a list of chats shows may have changed: added, removed, or any action applied. */
  readonly onDidChange = this.changed.event;
  private readonly added = new Emitter<Chat>();
  readonly onDidAdd = this.added.event;
  private readonly deleted = new Emitter<Chat>();
  readonly onDidDelete = this.deleted.event;
  private readonly forgotten = new Emitter<Chat>();
  /** A deleted chat will not be brought back. */
  readonly onDidForget = this.forgotten.event;

  constructor(private readonly services: ChatServices) {}

  /** Where new chats work. */
  get cwd(): string {
    return this.services.place().cwd;
  }

  /** Newest first. */
  get all(): readonly Chat[] {
    return [...this.chats.values()].sort((a, b) => b.updatedAt - a.updatedAt);
  }

  get(chatId: string): Chat | undefined {
    return this.chats.get(chatId);
  }

  /** A new chat; it connects at once. Undefined when there is no agent of that name. */
  create(agentName: string): Chat | undefined {
    const { environment } = this.services;
    const chat = this.add(
      initialSession({
        chatId: environment.newId(),
        agentName,
        cwd: this.servicesOf(agentName).place().cwd,
        at: environment.now(),
      }),
    );
    void chat?.controller.connect();
    return chat;
  }

  /**
   * A chat with a session that the agent keeps: it is opened at once. The one there is, if it is open.
   * @param copy makes a session of its own that begins with what that one knows, for agents that offer it
   */
  adopt(agentName: string, session: AgentSession, copy = false): Chat | undefined {
    const { sessionId, title } = session;
    const open = this.all.find(
      ({ store: { state } }) => state.agent.name === agentName && state.sessionId === sessionId,
    );
    if (open && !copy) return open;
    const { environment } = this.services;
    const state = initialSession({
      chatId: environment.newId(),
      agentName,
      cwd: this.servicesOf(agentName).place().cwd,
      at: environment.now(),
    });
    const titled = { ...state, ...(title !== undefined && { title }) };
    const chat = copy
      ? this.add(titled, environment.now(), sessionId)
      : this.add({ ...titled, sessionId });
    void chat?.controller.connect();
    return chat;
  }

  /** A chat that begins with what another one knows, for agents that offer it. It is opened at once. */
  fork(chatId: string): Chat | undefined {
    const { environment } = this.services;
    const original = this.chats.get(chatId)?.store.state;
    if (original?.sessionId === undefined) return undefined;
    const { sessionId, listed: _, archivedByAgent: __, ...rest } = original;
    const draft = { text: '', attachments: [], revision: 0 };
    const state = { ...rest, chatId: environment.newId(), queue: [], draft };
    const chat = this.add(stoppedState(state, environment), environment.now(), sessionId);
    void chat?.controller.connect();
    return chat;
  }

  /**
   * A chat from the history, or one that was deleted: it connects when something is sent.
   * @param updatedAt where nothing in it says when it was used: its text may be written for less
   */
  restore(state: SessionState, updatedAt: number): Chat | undefined {
    return this.add(stoppedState(state, this.services.environment), lastTurn(state) ?? updatedAt);
  }

  /** Ends the chat and takes it away. Until it is forgotten, `restore` brings it back. */
  async delete(chatId: string): Promise<void> {
    const chat = this.chats.get(chatId);
    if (!chat) return;
    await chat.controller.close();
    chat.controller.dispose();
    this.chats.delete(chatId);
    this.deleted.fire(chat);
    this.changed.fire(chat);
  }

  /** A chat that was deleted is not wanted back. */
  forget(chat: Chat): void {
    this.forgotten.fire(chat);
  }

  /** Ends every session, and so every process; the chats stay to be read and resumed. */
  async closeAll(): Promise<void> {
    // The window closes: the user has not stopped what runs.
    await Promise.all(this.all.map(chat => chat.controller.close('interrupted')));
  }

  dispose(): void {
    for (const chat of this.chats.values()) chat.controller.dispose();
    for (const emitter of [this.changed, this.added, this.deleted, this.forgotten])
      emitter.dispose();
  }

  /** @param forkOf the session that its own begins with */
  private add(
    state: SessionState,
    lastUpdate = this.services.environment.now(),
    forkOf?: string,
  ): Chat | undefined {
    const agent = this.services.agent(state.agent.name);
    if (!agent) return undefined;
    const store = new SessionStore(state);
    const { environment } = this.services;
    let updatedAt = lastUpdate;
    const chat: Chat = {
      chatId: state.chatId,
      store,
      controller: this.controller(agent, store, forkOf),
      isReplay: this.services.instead?.(agent.name) !== undefined,
      get updatedAt() {
        return updatedAt;
      },
    };
    store.onDidApply(({ action }) => {
      if (action.type === 'turnStarted' || action.type === 'turnEnded')
        updatedAt = environment.now();
      this.changed.fire(chat);
    });
    this.chats.set(chat.chatId, chat);
    this.added.fire(chat);
    this.changed.fire(chat);
    return chat;
  }

  private servicesOf(agentName: string): ChatServices {
    return { ...this.services, ...this.services.instead?.(agentName) };
  }

  private controller(agent: Agent, store: SessionStore, forkOf?: string): SessionController {
    const services = this.servicesOf(agent.name);
    const { environment, logger, attachments, tracking } = services;
    const place = services.place();
    const contents = new Contents();
    const notices = new Notices(store, environment);
    const clientRequests = new LazyClientRequests({
      agentName: agent.name,
      store,
      contents,
      environment,
      place,
      files: services.files,
      terminals: services.terminals,
      mirror: services.mirror,
      questions: services.questions,
      proposals: services.proposals ?? { edited: () => [] },
      tracking,
      rules: services.rules ?? NO_PERMISSION_RULES,
      permissionLog: services.permissionLog ?? { record: () => undefined },
      fileLimits: () => services.fileLimits?.() ?? NO_LIMITS,
      asksBeforeWriting: () => services.asksBeforeWriting?.() ?? false,
      session: () => connection.current,
      stateChanged: update => controller.stateChanged(update),
    });
    const connection: SessionConnection = new SessionConnection(
      agent,
      store,
      async replay => (await clientRequests.load()).clientFor(replay),
      notices,
      environment,
      place,
      services.settings,
      logger,
      {
        lost: problem => controller.agentLost(problem),
        recovered: () => controller.recovered(),
        made: session => options.applyDefaults(session),
        reopened: (session, before) => options.restore(session, before),
      },
      forkOf,
    );
    const options = new SessionOptions(
      agent,
      store,
      connection,
      notices,
      services.defaults ?? NO_DEFAULTS,
    );
    const controller: SessionController = new SessionController({
      agent,
      store,
      contents,
      connection,
      options,
      clientRequests: clientRequests,
      notices,
      attachments,
      limits: new PromptLimits(() => services.promptLimits?.() ?? NO_PROMPT_LIMITS, environment),
      environment,
      logger,
      mayPrompt: () => services.mayPrompt?.(store.state) ?? true,
      promptReady: tracking && (() => tracking.promptReady(store.state.chatId)),
    });
    return controller;
  }
}

function lastTurn(state: SessionState): number | undefined {
  const turn = allTurns(state).at(-1);
  return turn && (turn.endedAt ?? turn.startedAt);
}

const NO_LIMITS: FileLimitSettings = {
  fileBytes: Infinity,
  readsPerMinute: 0,
  writesPerMinute: 0,
  readSeconds: 30,
  writeSeconds: 60,
};

const NO_PERMISSION_RULES: PermissionRules = {
  current: NO_RULES,
  onDidChange: () => ({ dispose: () => undefined }),
};

const NO_PROMPT_LIMITS: PromptLimitSettings = { promptBytes: Infinity, promptsPerMinute: 0 };

const NO_DEFAULTS: OptionDefaults = { of: () => [], remember: () => undefined };
