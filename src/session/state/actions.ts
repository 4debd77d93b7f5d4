/**
 * Everything that can happen to a chat. Actions are plain JSON: they travel to the webviews and are
 * written to the history, so their fields are a format: add, do not rename.
 */
import type { ConfigOption } from './config';
import type { ContentView, Preview } from './content';
import type { Elicitation } from './elicitation';
import type { AskedFacts, NewRequest } from './permission';
import type {
  AgentCapabilities,
  Attachment,
  AvailableCommand,
  BackgroundItem,
  Connection,
  CutField,
  Listed,
  Message,
  NamedPlan,
  NoticeAction,
  PlanEntry,
  Terminal,
  TerminalExit,
  ToolContent,
  ToolLocation,
  ToolStatus,
  Turn,
  TurnEnd,
} from './state';
import type { Usage } from './usage';

export type SessionAction =
  // connection
  | { readonly type: 'connectionChanged'; readonly connection: Connection }
  | {
      readonly type: 'agentIdentified';
      readonly title?: string;
      readonly version?: string;
      readonly place?: string;
      readonly capabilities: AgentCapabilities;
    }
  | { readonly type: 'sessionStarted'; readonly sessionId: string }
  /** What the user calls a chat wins over what its agent does; undefined takes a name away. */
  | { readonly type: 'titleChanged'; readonly title: string | undefined; readonly byUser?: true }
  /** The user has put the chat elsewhere in the list; undefined: back to where its age puts it. */
  | { readonly type: 'listedChanged'; readonly listed: Listed | undefined }
  | { readonly type: 'agentArchived'; readonly isArchived: boolean }
  /** Drops the transcript: the agent is about to replay it (`session/load`). */
  | { readonly type: 'transcriptCleared' }
  /** The transcript as the agent has replayed it, or an empty one when that failed. */
  | {
      readonly type: 'transcriptRestored';
      readonly turns: readonly Turn[];
      readonly terminals: Readonly<Record<string, Terminal>>;
      readonly plan?: readonly PlanEntry[];
      readonly plans?: readonly NamedPlan[];
    }
  /** The conversation goes back to before this turn; the agent's session with it: a new one begins. */
  | { readonly type: 'transcriptRewound'; readonly turnId: string }
  // turns
  | {
      readonly type: 'turnStarted';
      readonly turnId: string;
      readonly prompt: Message;
      readonly at: number;
    }
  /** The user says something to the turn that runs. */
  | { readonly type: 'messageSteered'; readonly message: Message; readonly at: number }
  /** The agent has taken it in. */
  | { readonly type: 'steeringTaken'; readonly messageId: string }
  /** It has not reached the turn: it waits before the others for the next one. */
  | { readonly type: 'steeringReturned'; readonly messageId: string }
  | { readonly type: 'cancelRequested' }
  | {
      readonly type: 'turnEnded';
      readonly end: TurnEnd;
      readonly tokens?: number;
      readonly planPartId: string;
      readonly at: number;
    }
  // parts. `partId` names the part made if a new one is needed; `turnId` the turn made if none is there.
  | ChunkAction
  | {
      readonly type: 'contentReceived';
      readonly turnId: string;
      readonly late?: true;
      readonly parentToolCallId?: string;
      readonly partId: string;
      readonly block: ContentView;
      readonly at: number;
    }
  | {
      readonly type: 'userContentReceived';
      readonly turnId: string;
      readonly attachment: Attachment;
      readonly messageId?: string;
      readonly at: number;
    }
  | ToolCallAction
  /** Where in their files diffs of the latest call of that id begin, by ref: 1-based lines. */
  | {
      readonly type: 'diffsPlaced';
      readonly toolCallId: string;
      readonly lines: Readonly<Record<string, number>>;
    }
  | {
      readonly type: 'noticeAdded';
      readonly turnId: string;
      readonly partId: string;
      readonly level: 'info' | 'warning' | 'error';
      readonly text: string;
      readonly detail?: string;
      /** Replaces the latest notice of that key; its body stays unless there is a new one. */
      readonly key?: string;
      readonly body?: string;
      readonly actions: readonly NoticeAction[];
      readonly at: number;
    }
  /** The first parts of a turn that is too long; a notice of that text stands in their place. */
  | {
      readonly type: 'partsLeftOut';
      readonly turnId: string;
      readonly count: number;
      readonly partId: string;
      readonly text: string;
      readonly at: number;
    }
  /** More of the body of the latest notice of that key. */
  | { readonly type: 'noticeContinued'; readonly key: string; readonly text: string }
  | { readonly type: 'planChanged'; readonly entries: readonly PlanEntry[] }
  | { readonly type: 'namedPlanChanged'; readonly plan: NamedPlan }
  | { readonly type: 'namedPlanRemoved'; readonly planId: string }
  // permissions
  | { readonly type: 'permissionRequested'; readonly request: NewRequest }
  /** The user has what the agent changed before them: it is what is asked now. */
  | {
      readonly type: 'permissionReviewed';
      readonly requestId: string;
      readonly facts: AskedFacts;
    }
  /** The user has opened what the card shows cut. */
  | {
      readonly type: 'permissionOpened';
      readonly requestId: string;
      readonly refs: readonly string[];
    }
  | {
      readonly type: 'permissionAnswered';
      readonly requestId: string;
      /** The call of a request that was never shown: a rule of the user answered it. */
      readonly toolCallId?: string;
      readonly outcome: 'allowed' | 'rejected' | 'cancelled';
      /** By which rule, in a sentence. */
      readonly note?: string;
      readonly at: number;
    }
  // elicitations
  | { readonly type: 'elicitationRequested'; readonly elicitation: Elicitation }
  /** The answer was not what the form asks for; it still waits. */
  | {
      readonly type: 'elicitationRefused';
      readonly requestId: string;
      readonly problems: Readonly<Record<string, string>>;
    }
  /** The user consented to a page: it is open. */
  | { readonly type: 'elicitationOpened'; readonly requestId: string }
  | { readonly type: 'elicitationEnded'; readonly requestId: string; readonly at: number }
  // terminals
  | {
      readonly type: 'terminalStarted';
      readonly terminalId: string;
      readonly command: string;
      readonly cwd?: string;
      readonly owned: boolean;
      /** The agent stops it when asked; absent leaves it as it was. */
      readonly cancels?: boolean;
      /** It runs in a pseudo-terminal. */
      readonly takesInput?: true;
      readonly at: number;
    }
  | {
      readonly type: 'terminalOutput';
      readonly terminalId: string;
      readonly data: string;
      /** It is all of the output, in place of what was there. */
      readonly replaces?: true;
      /** The same, and there was more than can be shown. */
      readonly dropped?: true;
      /** What the screen shows behind the output, in place of what it showed; absent leaves it. */
      readonly screen?: string;
      readonly at: number;
    }
  | {
      readonly type: 'terminalExited';
      readonly terminalId: string;
      readonly exit: TerminalExit;
      readonly at: number;
    }
  // session settings
  | { readonly type: 'commandsChanged'; readonly commands: readonly AvailableCommand[] }
  | { readonly type: 'configChanged'; readonly options: readonly ConfigOption[] }
  | {
      readonly type: 'configValueChanged';
      readonly optionId: string;
      readonly value: string | boolean;
    }
  | { readonly type: 'backgroundChanged'; readonly items: readonly BackgroundItem[] }
  | { readonly type: 'usageChanged'; readonly usage: Usage }
  // composer
  | {
      readonly type: 'draftTyped';
      readonly text: string;
      /** The view that typed. */ readonly viewId: string;
    }
  | {
      readonly type: 'draftReplaced';
      readonly text: string;
      readonly attachments: readonly Attachment[];
    }
  | { readonly type: 'attachmentAdded'; readonly attachment: Attachment }
  | { readonly type: 'attachmentRemoved'; readonly attachmentId: string }
  | { readonly type: 'messageQueued'; readonly message: Message }
  | { readonly type: 'messageUnqueued'; readonly messageId: string }
  /** To before the message `before`, or to the end. */
  | { readonly type: 'messageMoved'; readonly messageId: string; readonly before?: string };

/** A piece of streamed text. Adjacent chunks of one stream and message may be merged by adding the texts. */
export interface ChunkAction {
  readonly type: 'chunkReceived';
  readonly stream: 'text' | 'thought' | 'user';
  /** The call that began the subagent whose words these are; nothing for the agent's own, as below. */
  readonly parentToolCallId?: string;
  readonly turnId: string;
  /** It was reported when the turn `turnId`, to which it belongs, had ended. */
  readonly late?: true;
  readonly partId: string;
  readonly messageId?: string;
  /** It is the whole text of that message, in place of the pieces so far. */
  readonly replaces?: true;
  readonly text: string;
  readonly at: number;
}

/** Upserts a tool call by its ACP id; absent fields stay as they are, `content` and `locations` replace. */
export interface ToolCallAction {
  readonly type: 'toolCallChanged';
  readonly turnId: string;
  readonly late?: true;
  readonly partId: string;
  readonly toolCallId: string;
  /** True for ACP's `tool_call`: within a new turn a known id then means a new call (ids are reused). */
  readonly announced: boolean;
  readonly parentToolCallId?: string;
  readonly title?: string;
  readonly toolKind?: string;
  readonly status?: ToolStatus;
  readonly content?: readonly ToolContent[];
  readonly locations?: readonly ToolLocation[];
  readonly rawInput?: Preview;
  readonly rawOutput?: Preview;
  readonly cut?: readonly CutField[];
  /** The agent stops it when asked; absent leaves it as it was. */
  readonly cancels?: boolean;
  readonly at: number;
}
