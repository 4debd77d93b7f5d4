/**
 * What a chat is: plain JSON, the same on the host and in every webview. Ids and times come in through
 * actions (`actions.ts`); the only code that makes a new state is the reducer (`reducer.ts`).
 *
 * Times are milliseconds since the epoch by the host's clock. Large content stays on the host: the state
 * holds a preview and a `ref` that the host can open or serve.
 */
import type { ConfigOption } from './config';
import type { ContentView, DiffView, Preview } from './content';
import type { Elicitation } from './elicitation';
import type { PermissionRequest } from './permission';
import type { Usage } from './usage';

export interface SessionState {
  /** Parley's own id of the chat; stable over agent restarts and window reloads. */
  readonly chatId: string;
  readonly agent: AgentView;
  readonly connection: Connection;
  /** ACP session id, once the agent has made a session. */
  readonly sessionId?: string;
  readonly title?: string;
  /** The title is the user's: the agent's no longer counts. */
  readonly titledByUser?: true;
  /** Where the user has put it in the list of chats; absent: by its age. */
  readonly listed?: Listed;
  /** The agent has archived the session: it takes it out again before it opens it. */
  readonly archivedByAgent?: true;
  /** Working directory of the session, for display. */
  readonly cwd: string;
  readonly createdAt: number;
  /** Finished turns, oldest first. */
  readonly turns: readonly Turn[];
  /** The turn that runs now. */
  readonly activeTurn?: Turn;
  /** True between the user's Stop and the end of the turn. */
  readonly cancelling: boolean;
  /** Requests that wait for the user, oldest first. */
  readonly permissions: readonly PermissionRequest[];
  /** Forms and pages that the agent asks for, oldest first. */
  readonly elicitations: readonly Elicitation[];
  /** The plan in force; a finished plan becomes a part of its turn. */
  readonly plan?: readonly PlanEntry[];
  /** Plans with names of their own, beside `plan`, in order of appearance (unstable ACP: `plan_update`). */
  readonly plans?: readonly NamedPlan[];
  readonly commands: readonly AvailableCommand[];
  /** In the agent's order; modes and models of agents without `configOptions` appear here too. */
  readonly configOptions: readonly ConfigOption[];
  readonly usage?: Usage;
  /** What the agent says it has at work beside its turns; nothing when it does not say. */
  readonly background?: readonly BackgroundItem[];
  /** Messages that wait for the end of the turn, in order of sending. */
  readonly queue: readonly Message[];
  /** What stands in the composer. */
  readonly draft: Draft;
  /** Commands run for (or by) the agent, by terminal id. */
  readonly terminals: Readonly<Record<string, Terminal>>;
}

export type Listed = 'pinned' | 'archived';

export interface AgentView {
  /** The key in `parley.agents`, or the built-in agent's name. */
  readonly name: string;
  /** From the agent's `initialize` response. */
  readonly title?: string;
  readonly version?: string;
  /** The server that it runs on, by host and port; absent: it is a program on this machine, or nobody knows yet. */
  readonly place?: string;
  readonly capabilities: AgentCapabilities;
}

/** The parts of the agent's capabilities that the view or controller asks about; all false until known. */
export interface AgentCapabilities {
  readonly image: boolean;
  readonly audio: boolean;
  readonly embeddedContext: boolean;
  readonly loadSession: boolean;
  readonly resumeSession: boolean;
  /** Absent: no. */
  readonly fork?: boolean;
  readonly signOut?: boolean;
  /** What is said while a turn runs reaches the agent in that turn. */
  readonly steer?: boolean;
}

export type Connection =
  | {
      readonly kind: 'starting';
      readonly step: 'process' | 'initialize' | 'session';
      /** The command line as the user would type it, for display. */
      readonly command: string;
      readonly startedAt: number;
      /** When the current step began, and after how many seconds it gives up. */
      readonly stepStartedAt: number;
      readonly timeoutSeconds?: number;
    }
  | {
      readonly kind: 'signIn';
      readonly methods: readonly AuthMethod[];
      /** What the agent says about how. */
      readonly hint?: string;
      readonly problem?: string;
      readonly busy?: boolean;
    }
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly problem: Problem }
  /** No process runs; the next message starts one. */
  | { readonly kind: 'stopped' };

export interface AuthMethod {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly type: 'agent' | 'terminal' | 'env_var';
}

/** A failure in the user's words, with what to do next. */
export interface Problem {
  readonly kind: ProblemKind;
  /** One line: what happened. */
  readonly title: string;
  /** Cause and next step, in sentences. */
  readonly detail: string;
  /** Last lines the agent wrote to stderr (or junk on stdout), oldest first. */
  readonly output: readonly string[];
  /** Buttons, first is the primary one. */
  readonly actions: readonly ProblemAction[];
  /** The server, or the network to it, may be there again by itself. */
  readonly mayPass?: true;
}

export type ProblemKind =
  | 'commandNotFound'
  | 'spawnFailed'
  | 'exitedEarly'
  | 'notAcp'
  | 'unsupportedVersion'
  | 'timeout'
  | 'crashed'
  | 'disconnected'
  | 'sessionFailed'
  | 'badConfiguration';

export type ProblemAction = 'retry' | 'restart' | 'showLog' | 'editAgents' | 'newChat' | 'signIn';

export interface Turn {
  readonly id: string;
  /** Absent for what the agent sent outside any prompt. */
  readonly prompt?: Message;
  readonly parts: readonly Part[];
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly end?: TurnEnd;
  /** How long it has waited for the user, in milliseconds. */
  readonly waited?: number;
  /** Since when it waits for the user, while it does. */
  readonly waitsSince?: number;
  /** What the agent says it took. */
  readonly tokens?: number;
}

export interface TurnEnd {
  /** ACP's stop reasons; `failed`: the prompt was answered with an error; `interrupted`: the agent went away. */
  readonly reason:
    | 'end_turn'
    | 'cancelled'
    | 'refusal'
    | 'max_tokens'
    | 'max_turn_requests'
    | 'failed'
    | 'interrupted'
    | 'other';
}

export interface Message {
  readonly id: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

export interface Draft {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** Counts changes made by the host (not by typing), so that a view knows when to replace its text. */
  readonly revision: number;
}

export interface Attachment {
  readonly id: string;
  /** `conversation`: what was said in the chat so far, for an agent that does not remember it. */
  readonly kind:
    | 'file'
    | 'folder'
    | 'selection'
    | 'symbol'
    | 'image'
    | 'problems'
    | 'changes'
    | 'commit'
    | 'terminal'
    | 'chat'
    | 'link'
    | 'conversation';
  /** Short name on the chip: `retry.ts:18-42`. */
  readonly label: string;
  /** Longer description for the tooltip: `src/http/retry.ts, lines 18 to 42`. */
  readonly title: string;
  readonly uri?: string;
  /** 1-based, inclusive. */
  readonly lines?: { readonly start: number; readonly end: number };
  readonly mimeType?: string;
  /** Of an image whose data was attached. */
  readonly picture?: Picture;
  /** Reference to content kept on the host (selection text, image data). */
  readonly ref?: string;
  /** The word for it in the text, such as `@src/retry.ts`: it goes along while that stands there. */
  readonly mention?: string;
  /** In a draft: the turn whose prompt is being changed, which it goes with instead of the next message. */
  readonly forTurn?: string;
  /** Why the agent cannot take it, if it cannot. */
  readonly refused?: string;
}

export interface Picture {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** A small version of it, as a data URL. */
  readonly thumbnail: string;
}

export type Part =
  TextPart | ThoughtPart | ContentPart | ToolCallPart | PlanPart | NoticePart | UserPart;

/** Said or done by a subagent: the tool call that began it, in the same turn. */
interface OfSubagent {
  readonly parentToolCallId?: string;
}

/** What the user said while the turn ran, which the agent takes into it. */
export interface UserPart extends OfSubagent {
  readonly kind: 'user';
  readonly id: string;
  readonly message: Message;
  /** The agent has not taken it in yet. */
  readonly waiting?: true;
}

export interface TextPart extends OfSubagent {
  readonly kind: 'text';
  readonly id: string;
  readonly messageId?: string;
  /** Markdown. */
  readonly text: string;
}

export interface ThoughtPart extends OfSubagent {
  readonly kind: 'thought';
  readonly id: string;
  readonly messageId?: string;
  readonly text: string;
  readonly startedAt: number;
  /** When the next part began or the turn ended. */
  readonly endedAt?: number;
}

/** A content block in a reply that is not text. */
export interface ContentPart extends OfSubagent {
  readonly kind: 'content';
  readonly id: string;
  readonly block: ContentView;
}

export interface ToolCallPart extends OfSubagent {
  readonly kind: 'tool';
  readonly id: string;
  readonly toolCallId: string;
  readonly title: string;
  /** ACP's ToolKind, or whatever the agent sent. */
  readonly toolKind: string;
  readonly status: ToolStatus;
  readonly content: readonly ToolContent[];
  readonly locations: readonly ToolLocation[];
  readonly rawInput?: Preview;
  readonly rawOutput?: Preview;
  /** The agent stops it when asked. */
  readonly cancels?: true;
  /** Which rule of the user's let it be done, or not. */
  readonly note?: string;
  /** What the agent sent too much of to keep. */
  readonly cut?: readonly CutField[];
  readonly startedAt: number;
  readonly endedAt?: number;
}

export type CutField = 'title' | 'kind' | 'locations';

/** ACP's four, and the client-only phases `awaiting` (a request waits), `rejected` and `cancelled`. */
export type ToolStatus =
  'pending' | 'awaiting' | 'running' | 'completed' | 'failed' | 'rejected' | 'cancelled';

export type ToolContent =
  | { readonly kind: 'block'; readonly block: ContentView }
  | { readonly kind: 'diff'; readonly diff: DiffView }
  | { readonly kind: 'terminal'; readonly terminalId: string };

export interface ToolLocation {
  readonly path: string;
  /** 1-based. */
  readonly line?: number;
}

export interface PlanPart {
  readonly kind: 'plan';
  readonly id: string;
  readonly entries: readonly PlanEntry[];
}

export interface NoticePart {
  readonly kind: 'notice';
  readonly id: string;
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
  readonly detail?: string;
  /** Markdown that belongs to it and may be long (the summary of a compaction): folded until asked for. */
  readonly body?: string;
  /** What the notice is about: a later one with the same key takes its place. */
  readonly key?: string;
  readonly actions: readonly NoticeAction[];
}

export type NoticeAction =
  | 'retry'
  | 'restart'
  | 'showLog'
  | 'forceStop'
  | 'newChat'
  | 'continue'
  | 'signIn'
  | 'goOn'
  | 'stop';

export interface Terminal {
  readonly id: string;
  /** The command line for display; empty when the agent did not say. */
  readonly command: string;
  readonly cwd?: string;
  /** The last part of the output, with the program's escape sequences. */
  readonly output: string;
  /** What stands behind it and may still change: the screen of a program that runs. */
  readonly screen?: string;
  /** True when earlier output was dropped. */
  readonly truncated: boolean;
  readonly startedAt: number;
  readonly lastOutputAt?: number;
  readonly exit?: TerminalExit;
  readonly endedAt?: number;
  /** True for commands Parley runs itself (they can be killed and opened). */
  readonly owned: boolean;
  /** The agent stops its own when asked. */
  readonly cancels?: true;
  /** It runs in a pseudo-terminal: what the user types there reaches it. */
  readonly takesInput?: true;
}

export interface TerminalExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

export interface PlanEntry {
  readonly content: string;
  readonly priority: 'high' | 'medium' | 'low';
  readonly status: 'pending' | 'in_progress' | 'completed';
}

/** A plan that has an id: steps, a file, or a text. */
export type NamedPlan = { readonly planId: string } & (
  | { readonly kind: 'steps'; readonly entries: readonly PlanEntry[] }
  | { readonly kind: 'file'; readonly uri: string }
  /** Markdown. */
  | { readonly kind: 'text'; readonly text: string }
);

export interface AvailableCommand {
  readonly name: string;
  readonly description: string;
  /** What to type after the command. */
  readonly hint?: string;
}

/** A terminal, a tool call, the call as which a subagent is shown; or what nobody knows. */
export interface BackgroundItem {
  readonly kind: 'terminal' | 'call' | 'subagent' | 'other';
  readonly id: string;
}
