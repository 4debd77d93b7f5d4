/**
 * What the session needs from the outside. Named by role; the implementations (in `agents/`, `terminals/`
 * and `vscode/`) are named by technology. Wire shapes are the ACP schema's.
 */
import type { ClientHandlers } from '../acp/rpc/clientHandlers';
import type * as schema from '../acp/schema/schema';
import type { Disposable } from '../base/lifecycle';
import type { Event } from '../base/event';
import type { RuleSet } from './rules/rule';
import type { ConfigOption } from './state/config';
import type { PatternTest } from './state/formAnswer';
import type { Attachment, AuthMethod, Problem, SessionState, TerminalExit } from './state/state';

/** The clock and the source of ids, so that tests can fix both. */
export interface Environment {
  /** Milliseconds since the epoch. */
  now(): number;
  newId(): string;
  /** Runs `task` once after `milliseconds`; dispose the result to call it off. */
  after(milliseconds: number, task: () => void): Disposable;
}

/** Turns what the user attached into content for the agent, as it stands when the message is sent. */
export interface AttachmentSource {
  /**
   * @param chat in which it is sent
   * @throws FileError when what was attached is gone.
   */
  resolve(attachment: Attachment, chat: SessionState): Promise<readonly schema.ContentBlock[]>;
}

/** Where a session may touch files: absolute paths of its directories. They may change. */
export interface FileScope {
  readonly roots: readonly string[];
  /** A file in none of them that the user has allowed, absolute and with its links resolved. */
  readonly allowedFile?: string;
}

/** A file's text as an agent knows it: what the agent's next write rests on. */
export interface KnownText {
  readonly text: string;
  /** How often the user had edited the file by then, as `TextFiles` counts. */
  readonly edits: number;
  /** What the agent knew before it wrote `text`; undefined when it has read the file since. */
  readonly before?: string;
}

/** Text files as the editor sees them: open documents first. Paths are absolute. */
export interface TextFiles {
  /** What the links in an absolute path lead to, as far as it exists. Does not throw. */
  realPath(path: string): string;
  /** @throws FileError when the path is relative, outside the scope, missing, a directory or not text. */
  read(path: string, scope: FileScope): Promise<KnownText>;
  /**
   * Makes the file say `content`, with what the user has edited since `known` merged in. Creates missing folders.
   * @param known what the agent made `content` from, if that is known
   * @returns what the agent knows of the file now
   * @throws FileError as `read`, when the file is read-only, and `changedByUser` when both changed the same lines
   */
  write(path: string, content: string, scope: FileScope, known?: KnownText): Promise<KnownText>;
}

/** An edit that waits for permission, as its agent proposed it and as the user has made it. */
export interface EditedProposal {
  readonly path: string;
  /** Whole texts, with line feeds as line ends. */
  readonly proposed: string;
  readonly mine: string;
}

/** Where the user can change an edit before allowing it. */
export interface ProposalEdits {
  /** The edits of a request that the user has changed, as they stand now. */
  edited(chatId: string, requestId: string): readonly EditedProposal[];
}

/** Learns what agents change, so that it can be reviewed. */
export interface AgentTracking {
  /** Resolves when it is known what files are before the chat's running turn: then the agent may begin. */
  promptReady(chatId: string): Promise<void>;
  /** Carries out `write`, by which an agent changes `path` (absolute) through the editor. */
  record<T>(
    turn: { readonly chatId: string; readonly turnId: string },
    path: string,
    write: () => Promise<T>,
  ): Promise<T>;
}

/** What the user has said about requests once and for all, as it is now. */
export interface PermissionRules {
  readonly current: RuleSet;
  readonly onDidChange: Event<void>;
}

/** A request for permission and what became of it. */
export interface PermissionEntry {
  readonly at: number;
  readonly chatId: string;
  readonly agent: string;
  readonly title: string;
  readonly kind: string;
  readonly command?: string;
  readonly files?: readonly string[];
  readonly outcome: 'allowed' | 'rejected';
  readonly by: 'rule' | 'user';
  /** The rules that decided, by name. */
  readonly rules?: readonly string[];
}

/** Where decisions are written down. */
export interface PermissionLog {
  record(entry: PermissionEntry): void;
}

export type FileErrorReason =
  | 'relativePath'
  | 'outsideWorkspace'
  | 'ownedByGit'
  | 'notFound'
  | 'isDirectory'
  | 'notText'
  | 'tooLarge'
  | 'readOnly'
  | 'changedOnDisk'
  | 'changedByUser'
  | 'tooMany'
  | 'timedOut'
  | 'failed';

/** A file request that cannot be carried out. The message is safe to send to an agent: no internals. */
export class FileError extends Error {
  constructor(
    readonly reason: FileErrorReason,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'FileError';
  }
}

/** Git's own folder holds commands that git runs (hooks, `core.fsmonitor`), and nobody reviews what is in it. */
export function ownedByGit(path: string): FileError {
  return new FileError('ownedByGit', `Git's own files are not written. Use git instead: ${path}`);
}

/** What users want options of new sessions to be. */
export interface OptionDefaults {
  /** In order of precedence from least to most; each option once. */
  of(agentName: string): readonly OptionDefault[];
  /** The user chose `value`; new sessions may begin with it. */
  remember(agentName: string, option: ConfigOption, value: string | boolean): void;
}

export interface OptionDefault {
  readonly optionId: string;
  readonly value: string | boolean;
  /** The user wrote it down; otherwise it is what was last chosen. */
  readonly isConfigured: boolean;
}

export interface TerminalRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly cwd: string;
  /** Bytes of output kept; the oldest are dropped at a character boundary. Undefined: a sane default. */
  readonly outputByteLimit?: number;
}

/** Runs commands for agents. */
export interface Terminals {
  /** @throws TerminalError when the command cannot be started (not found, no such directory). */
  create(request: TerminalRequest): Promise<TerminalProcess>;
}

/** A command that cannot be started; the message is safe to send to an agent. */
export class TerminalError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'TerminalError';
  }
}

/** One running or finished command. `dispose` kills its whole process group and forgets its output. */
export interface TerminalProcess extends Disposable {
  /** The command line for display. */
  readonly commandLine: string;
  /** Output as it comes. */
  readonly onOutput: Event<TerminalOutput>;
  /** Settles when the process has exited and its output has been read. Never rejects. */
  readonly exited: Promise<TerminalExit>;
  /** Retained output, whether earlier output was dropped, and the exit once there is one. */
  snapshot(): {
    readonly output: string;
    readonly truncated: boolean;
    readonly exit?: TerminalExit;
  };
  /** Ends the process group (SIGTERM, then SIGKILL); output stays readable. Resolves once it has exited. */
  kill(): Promise<void>;
  /** The terminal it runs in; absent for a command on pipes, which takes no input. */
  readonly view?: TerminalView;
}

export interface TerminalOutput {
  /** More of it, decoded (never half a character), with escape sequences. */
  readonly data: string;
  /** What stands behind all data, in place of what stood there: a screen, which may still change. */
  readonly screen?: string;
  /** All that was reported before has been dropped. */
  readonly dropped?: true;
}

/** The pseudo-terminal of a command, for a terminal that the user sees to stand in its place. */
export interface TerminalView {
  /** What to write into a new terminal of the same size so that it looks the same. */
  replay(): { readonly text: string; readonly truncated: boolean };
  /** Hears what is written from now on. While anyone does, what programs ask the terminal is theirs to answer. */
  attach(onWrite: (text: string) => void): Disposable;
  /** As typed. */
  write(text: string): void;
  resize(size: { readonly columns: number; readonly rows: number }): void;
}

/** What the questions of agents need of the outside. */
export interface QuestionTools {
  /** Opens a web page, on the user's word; false when the user took it back on the way. */
  openPage(url: string): Promise<boolean>;
  /** `host` with its own letters, where it is written in ASCII (`xn--…`). */
  hostInLetters(host: string): string;
  /** Whether an agent's regular expression matches; undefined when it is none, or takes too long. */
  readonly matches: PatternTest;
}

/** Shows running commands to the user in the editor's terminal panel. */
export interface TerminalMirror {
  /** Makes `process` available to `reveal`; dispose the result to take it away. */
  attach(terminalId: string, title: string, process: TerminalProcess): Disposable;
  reveal(terminalId: string): void;
}

/** A connection to one agent process, ready for sessions. Made by the agent host. */
export interface AgentLink {
  readonly initialized: schema.InitializeResponse;
  /** What stands where real agents depart from the schema; see `acp/compat/compatibility.ts`. */
  readonly missingFileAnswer: 'error' | 'empty';
  /** The same; whether a conversation is replayed after the answer to `loadSession`. */
  readonly replaysAfterAnswer: boolean;
  /** How the agent reaches the network, in a sentence, where that may be why it does not. */
  readonly network?: string | undefined;
  /** The server that the agent runs on, as it may be shown; absent: this machine. */
  readonly place?: string | undefined;
  newSession(
    params: schema.NewSessionRequest,
    signal?: AbortSignal,
  ): Promise<schema.NewSessionResponse>;
  loadSession(
    params: schema.LoadSessionRequest,
    signal?: AbortSignal,
  ): Promise<schema.LoadSessionResponse>;
  resumeSession(
    params: schema.ResumeSessionRequest,
    signal?: AbortSignal,
  ): Promise<schema.ResumeSessionResponse>;
  closeSession(params: schema.CloseSessionRequest): Promise<void>;
  /** Sessions that the agent knows, a page at a time. For agents that offer it, as the next two. */
  listSessions(
    params: schema.ListSessionsRequest,
    signal?: AbortSignal,
  ): Promise<schema.ListSessionsResponse>;
  deleteSession(params: schema.DeleteSessionRequest): Promise<void>;
  forkSession(
    params: schema.ForkSessionRequest,
    signal?: AbortSignal,
  ): Promise<schema.NewSessionResponse>;
  /** Resolves with the end of the turn, or without one when the agent has accepted the prompt: then its state says it. */
  prompt(params: schema.PromptRequest): Promise<schema.PromptResponse>;
  /** Whether the user's titles of sessions are the agent's too. */
  readonly takesTitles: boolean;
  setTitle(params: schema.SetTitleRequest): Promise<void>;
  /** Whether the agent keeps sessions out of its own list where the user wants that. */
  readonly archives: boolean;
  setArchived(params: schema.ArchiveSessionRequest, isArchived: boolean): Promise<void>;
  /** Whether what is said while a turn runs reaches the agent in that turn. */
  readonly steers: boolean;
  /**
   * Says something to the turn that runs. Resolves when the agent has taken it in.
   * @returns false when no turn runs that could take it: it is to be sent as a prompt
   */
  steer(params: schema.PromptRequest): Promise<boolean>;
  cancel(params: schema.CancelNotification): Promise<void>;
  /** For what the agent says can be stopped, as the next two. */
  cancelSubagent(params: schema.CancelNotification): Promise<void>;
  cancelToolCall(params: schema.CancelToolCallRequest): Promise<void>;
  cancelTerminal(params: schema.CancelTerminalRequest): Promise<void>;
  authenticate(params: schema.AuthenticateRequest, signal?: AbortSignal): Promise<void>;
  logout(): Promise<void>;
  setMode(params: schema.SetSessionModeRequest): Promise<void>;
  setModel(params: schema.SetSessionModelRequest): Promise<void>;
  setConfigOption(
    params: schema.SetSessionConfigOptionRequest,
  ): Promise<schema.SetSessionConfigOptionResponse>;
  /** Routes what the agent asks and reports about `sessionId` to `client` (early updates are kept for it). */
  attach(sessionId: string, client: SessionClient): Disposable;
  /** Brings `client` what the agent asks before there is a session: while it opens, or signs in. */
  attachOpening(client: SessionClient): Disposable;
}

/** The client's side of one session: what the agent may ask of it, as on the wire. */
export interface SessionClient extends Omit<ClientHandlers, 'sessionUpdate'> {
  /**
   * Must not wait: order depends on it.
   * @param sessionId the session that it is of: the one attached, or that of a subagent
   */
  update(update: schema.SessionUpdate, sessionId: string): void;
  /** The agent sends more than it may in a minute, and is read more slowly. May come often. */
  slowed(updatesPerMinute: number): void;
}

/** What happens while an agent starts and after it stops. */
export type AgentStatus =
  | { readonly kind: 'stopped' }
  | {
      readonly kind: 'starting';
      readonly step: 'process' | 'initialize';
      readonly command: string;
      readonly startedAt: number;
      readonly stepStartedAt: number;
      readonly timeoutSeconds?: number;
    }
  | { readonly kind: 'ready'; readonly link: AgentLink }
  /** Let go because nobody has asked anything for a while; the next `connect` starts it. */
  | { readonly kind: 'resting' }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** Keeps an agent's process alive while it is held. */
export interface Lease extends Disposable {
  use(use: LeaseUse): void;
}

/** What the holder needs the process for: a turn; nothing for now, since it can go on with another; else, as at first. */
export type LeaseUse = 'turn' | 'nothing' | 'else';

/** One configured agent: starts its process on demand, shares it among chats. */
export interface Agent {
  readonly name: string;
  readonly status: AgentStatus;
  readonly onDidChangeStatus: Event<AgentStatus>;
  /** Starts the agent if need be. @throws AgentError when it cannot be started. */
  connect(signal?: AbortSignal): Promise<AgentLink>;
  /** When the last lease is disposed the process is stopped; when nobody needs it for long, it is let go. */
  lease(): Lease;
  /** Stops the process (and whatever it started) now; resolves when nothing is left. */
  stop(): Promise<void>;
  authMethods(): readonly AuthMethod[];
  /**
   * Signs in by that method, whatever it takes of the user; the process may be another one afterwards.
   * Resolves with false when the user gives up, here or by aborting `signal`. @throws Error in the user's words.
   */
  signIn(methodId: string, signal: AbortSignal): Promise<boolean>;
  /** Forgets what was signed in with, calls the agent's logout if it has one, and stops its process. */
  signOut(): Promise<void>;
}

/** A failure to start or keep an agent, in the user's words. */
export class AgentError extends Error {
  constructor(
    readonly problem: Problem,
    options?: { cause?: unknown },
  ) {
    super(problem.title, options);
    this.name = 'AgentError';
  }
}
