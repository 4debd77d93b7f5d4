/**
 * The messages between the host and a view.
 *
 * A view says `ready`; the host answers with the panel state and, when a chat is shown, a snapshot. From
 * then on the chat travels as batches of actions, numbered without gaps within one generation. A view that
 * sees a gap or an unknown generation says `resync` and gets a snapshot with a new generation. So nothing
 * depends on a message not being lost.
 */
import type { SessionAction } from '../session/state/actions';
import type { SessionState } from '../session/state/state';
import type { Intent } from './intents';
import type { PanelState } from './panelState';
import type { Query, QueryAnswer } from './queries';

export type ToView =
  | { readonly type: 'panel'; readonly state: PanelState }
  | SnapshotMessage
  | ActionsMessage
  /** The view shows no chat any more. */
  | { readonly type: 'noChat' }
  | SimpleCommand
  | EditPromptMessage
  | AnswerMessage
  | QueryAnswerMessage;

/** What a view is to do: put the caret in the composer, show the list of chats, open the search, go to a prompt. */
export interface SimpleCommand {
  readonly type: 'focusComposer' | 'showChats' | 'find' | 'previousPrompt' | 'nextPrompt';
}

/** The user wants to change the prompt of a turn, in its place. */
export interface EditPromptMessage {
  readonly type: 'editPrompt';
  readonly turnId: string;
}

/** The user wants to answer a request by a command: the view does it if the request can be seen, else shows it. */
export interface AnswerMessage {
  readonly type: 'answerRequest';
  readonly requestId: string;
  readonly answer: 'allow' | 'reject';
}

/** Answer to the `query` of that id; without `answer` there is none. */
export interface QueryAnswerMessage {
  readonly type: 'queryAnswer';
  readonly id: string;
  readonly answer?: QueryAnswer;
}

export interface SnapshotMessage {
  readonly type: 'snapshot';
  readonly generation: number;
  /** Number of the last action contained in `state`. */
  readonly seq: number;
  readonly state: SessionState;
  /** The host's clock when this was sent, to show elapsed times by the view's clock. */
  readonly now: number;
}

export interface ActionsMessage {
  readonly type: 'actions';
  readonly generation: number;
  /** Numbers of the first and last action covered; merged chunks make `actions` shorter than the range. */
  readonly from: number;
  readonly to: number;
  readonly actions: readonly SessionAction[];
}

export type FromView =
  | { readonly type: 'ready'; readonly viewId: string }
  | { readonly type: 'resync' }
  | { readonly type: 'intent'; readonly chatId?: string; readonly intent: Intent }
  /** `id` is new with each query, also of the pages before. */
  | QueryMessage
  /** Nobody waits for the answer any more. */
  | { readonly type: 'cancelQuery'; readonly id: string }
  /** An error inside the view, for the log. */
  | { readonly type: 'viewError'; readonly message: string };

export interface QueryMessage {
  readonly type: 'query';
  readonly id: string;
  readonly chatId?: string;
  readonly query: Query;
}
