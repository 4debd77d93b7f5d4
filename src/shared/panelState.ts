/**
 * What a view shows besides the chat itself. Small, and always sent whole: the latest replaces the one
 * before. Text typed and things folded are the view's own and not here.
 */
import type { RunsCode } from '../session/state/permission';
import type { Listed } from '../session/state/state';
import type { SessionList } from '../session/history/sessionLists';

export interface PanelState {
  /** Where the view stands: it decides the background and the wide layout. */
  readonly host: 'sidebar' | 'editor';
  /** The chat shown in this view; none on first run. */
  readonly chatId?: string;
  readonly chats: readonly ChatSummary[];
  /** What agents keep besides: one list for each that has one, or may have. */
  readonly sessions?: readonly SessionList[];
  readonly agents: readonly AgentChoice[];
  readonly defaultAgent: string;
  /** The workspace is not trusted: only the built-in agent can be started. */
  readonly isRestricted?: true;
  /** Name of the workspace folder (or folders), for the empty state. */
  readonly workspaceName?: string;
  /** What the open editor offers as context, if any. */
  readonly activeEditor?: { readonly label: string; readonly hasSelection: boolean };
  /** What agents changed and nobody has decided on; absent when there is nothing. */
  readonly changes?: PanelChanges;
}

export interface PanelChanges {
  /** In order of path. */
  readonly files: readonly ChangedFile[];
  /** Lines, over all files. */
  readonly added: number;
  readonly removed: number;
  /** Names of the agents that worked while the `unclaimed` files changed. */
  readonly agents?: string;
}

export interface ChangedFile {
  /** An opaque key, never a path. */
  readonly id: string;
  /** The file's name. */
  readonly label: string;
  /** Its folder for display, relative to the workspace; empty at the root. */
  readonly folder: string;
  readonly change: 'created' | 'modified' | 'deleted' | 'renamed';
  readonly added: number;
  readonly removed: number;
  /** Nothing says that an agent changed it. */
  readonly unclaimed?: boolean;
  /** Why code in it may be run by itself. */
  readonly runs?: RunsCode;
  /** In words how the line endings changed, if nothing else did. */
  readonly endings?: string;
}

export interface ChatSummary {
  readonly chatId: string;
  readonly title?: string;
  readonly agentName: string;
  readonly state: 'connecting' | 'signIn' | 'ready' | 'working' | 'waiting' | 'failed' | 'stopped';
  readonly updatedAt: number;
  /** Text of the first prompt, cut: the title until the agent gives one. */
  readonly firstPrompt?: string;
  /** What its last turn or its agent came to, until the user has looked at the chat. */
  readonly unread?: 'done' | 'failed';
  /** Where the user has put it; absent: by its age. */
  readonly listed?: Listed;
  /** What is left of the limit that is nearest, where there is one. */
  readonly budget?: BudgetLeft;
}

export interface BudgetLeft {
  readonly percent: number;
  /** `20% left` */
  readonly text: string;
  /** In words what is used, and of what. */
  readonly title: string;
}

export interface AgentChoice {
  readonly name: string;
  /** What is known of it and its command line, for display; a sentence for the built-in agent. */
  readonly detail: string;
  readonly builtIn: boolean;
  /** False when the command was looked for and not found; absent when not looked for. */
  readonly found?: boolean;
  /** In words what it needs first, where it is only offered: the user is asked before it is added. */
  readonly offer?: string;
}
