import { Emitter } from '../base/event';
import type { Disposable } from '../base/lifecycle';
import type { Logger } from '../base/logger';
import { ErrorCode, RequestError } from '../acp/errors';
import type { AgentSession } from './agentSessions';
import { asleep } from './asleep';
import { Contents } from './translate/contents';
import { ElicitationDesk } from './requests/elicitationDesk';
import { FileLimits } from './requests/fileLimits';
import type { FileLimitSettings } from './requests/fileLimits';
import { PromptLimits } from './promptLimits';
import type { PromptLimitSettings } from './promptLimits';
import { PermissionDesk } from './requests/permissionDesk';
import type {
  Agent,
  AgentTracking,
  AttachmentSource,
  Environment,
  OptionDefaults,
  SessionClient,
  TerminalMirror,
  Terminals,
  ProposalEdits,
  QuestionTools,
  TextFiles,
} from './ports';
import { ProposedEdits } from './requests/proposedEdits';
import { SessionConnection, type ConnectionSettings, type SessionPlace } from './sessionConnection';
import { SessionController } from './sessionController';
import { recorded } from './requests/recordedFiles';
import { SessionFiles } from './requests/sessionFiles';
import { SessionOptions } from './sessionOptions';
import { SessionTerminals } from './requests/sessionTerminals';
import { initialSession } from './state/initialSession';
import { SlowedAgent } from './slowedAgent';
import type { SessionState } from './state/state';
import { SessionStore } from './state/store';
import { Translator } from './translate/translate';
import { TurnBounds } from './turnBounds';
import { boundedUpdate, unitsIn } from './translate/updateBounds';

/** One chat: its state, and what can be done with it. */
export interface Chat {
  readonly chatId: string;
  readonly store: SessionStore;
  readonly controller: SessionController;
  /** When anything last happened in it. */
  readonly updatedAt: number;
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
  /** Nothing is tracked by default. */
  readonly tracking?: AgentTracking;
  readonly logger: Logger;
  /** The agent of that name; undefined when none is configured. */
  agent(name: string): Agent | undefined;
  /** Where new chats work. */
  place(): SessionPlace;
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
        cwd: this.services.place().cwd,
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
      cwd: this.services.place().cwd,
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
    const { sessionId, ...rest } = original;
    const draft = { text: '', attachments: [], revision: 0 };
    const state = { ...rest, chatId: environment.newId(), queue: [], draft };
    const chat = this.add(asleep(state, environment), environment.now(), sessionId);
    void chat?.controller.connect();
    return chat;
  }

  /** A chat from the history: it connects when something is sent. */
  restore(state: SessionState, updatedAt: number): Chat | undefined {
    return this.add(state, updatedAt);
  }

  /** Ends the chat and forgets it. */
  async delete(chatId: string): Promise<void> {
    const chat = this.chats.get(chatId);
    if (!chat) return;
    await chat.controller.close();
    chat.controller.dispose();
    this.chats.delete(chatId);
    this.deleted.fire(chat);
    this.changed.fire(chat);
  }

  /** Ends every session, and so every process; the chats stay to be read and taken up again. */
  async closeAll(): Promise<void> {
    await Promise.all(this.all.map(chat => chat.controller.close()));
  }

  dispose(): void {
    for (const chat of this.chats.values()) chat.controller.dispose();
    for (const emitter of [this.changed, this.added, this.deleted]) emitter.dispose();
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

  private controller(agent: Agent, store: SessionStore, forkOf?: string): SessionController {
    const { environment, logger, attachments, tracking } = this.services;
    const limits = new FileLimits(() => this.services.fileLimits?.() ?? NO_LIMITS, environment);
    const timed = limits.timed(this.services.files);
    const textFiles = tracking ? recorded(timed, store, tracking) : timed;
    const place = this.services.place();
    const contents = new Contents();
    const translator = new Translator(contents, environment);
    const permissions = new PermissionDesk(store, translator, environment);
    const elicitations = new ElicitationDesk(store, environment, this.services.questions);
    const terminals = new SessionTerminals(
      store,
      this.services.terminals,
      this.services.mirror,
      environment,
    );
    const scope = { roots: place.roots };
    const proposed = new ProposedEdits({
      store,
      translator,
      contents,
      permissions,
      files: textFiles,
      scope,
      environment,
      proposals: this.services.proposals ?? { edited: () => [] },
      asksBeforeWriting: () => this.services.asksBeforeWriting?.() ?? false,
    });
    const files = new SessionFiles(textFiles, scope, proposed, limits);
    const session = () => connection.current;
    const client = sessionClient({
      slowed: new SlowedAgent(agent.name, store, translator),
      environment,
      store,
      translator,
      permissions,
      elicitations,
      terminals,
      files,
      place,
      session,
    });
    const connection: SessionConnection = new SessionConnection(
      agent,
      store,
      client,
      translator,
      environment,
      place,
      this.services.settings,
      logger,
      {
        lost: () => controller.agentLost(),
        made: session => options.applyDefaults(session),
      },
      forkOf,
    );
    const options = new SessionOptions(
      agent.name,
      store,
      connection,
      translator,
      this.services.defaults ?? NO_DEFAULTS,
    );
    const controller: SessionController = new SessionController({
      agent,
      store,
      contents,
      connection,
      options,
      permissions,
      elicitations,
      proposed,
      terminals,
      translator,
      attachments,
      limits: new PromptLimits(
        () => this.services.promptLimits?.() ?? NO_PROMPT_LIMITS,
        environment,
      ),
      environment,
      logger,
      promptReady: tracking && (() => tracking.promptReady(store.state.chatId)),
    });
    return controller;
  }
}

const NO_LIMITS: FileLimitSettings = {
  fileBytes: Infinity,
  readsPerMinute: 0,
  writesPerMinute: 0,
  readSeconds: 30,
  writeSeconds: 60,
};

const NO_PROMPT_LIMITS: PromptLimitSettings = { promptBytes: Infinity, promptsPerMinute: 0 };

const NO_DEFAULTS: OptionDefaults = { of: () => [], remember: () => undefined };

interface ClientParts {
  readonly slowed: SlowedAgent;
  readonly environment: Environment;
  readonly store: SessionStore;
  readonly translator: Translator;
  readonly permissions: PermissionDesk;
  readonly elicitations: ElicitationDesk;
  readonly terminals: SessionTerminals;
  readonly files: SessionFiles;
  readonly place: SessionPlace;
  session(): SessionConnection['current'];
}

/** What the agent may ask of this chat. */
function sessionClient(parts: ClientParts): SessionClient {
  const { store, translator, permissions, elicitations, terminals, files, place, slowed } = parts;
  const bounds = new TurnBounds(store, translator, parts.environment);
  return {
    update(update, sessionId) {
      const bounded = boundedUpdate(update);
      bounds.before(unitsIn(bounded));
      for (const action of translator.translate(store.state, bounded, sessionId)) {
        store.dispatch(action);
      }
      bounds.after();
    },
    slowed: updatesPerMinute => slowed.tell(updatesPerMinute),
    requestPermission: (params, signal) => permissions.request(params, signal),
    createElicitation: (params, signal) => elicitations.request(params, signal),
    completeElicitation: params => elicitations.complete(params),
    readTextFile: params => {
      const link = parts.session()?.link;
      return files.read(params, link?.missingFileAnswer ?? 'error');
    },
    writeTextFile: (params, signal) => files.write(params, signal),
    createTerminal: params => {
      if (params.cwd && !params.cwd.startsWith('/') && !/^[A-Za-z]:[\\/]|^\\\\/.test(params.cwd)) {
        const message = `cwd must be an absolute path: ${params.cwd}`;
        return Promise.reject(new RequestError(ErrorCode.invalidParams, message));
      }
      return terminals.create(params, place.cwd);
    },
    terminalOutput: async ({ terminalId }) => terminals.output(terminalId),
    waitForTerminalExit: ({ terminalId }, signal) => terminals.waitForExit(terminalId, signal),
    killTerminal: async ({ terminalId }) => {
      await terminals.kill(terminalId);
      return {};
    },
    releaseTerminal: async ({ terminalId }) => {
      await terminals.release(terminalId);
      return {};
    },
  };
}
