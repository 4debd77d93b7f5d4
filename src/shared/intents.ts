/**
 * What a view may ask the host to do. Views render model output, so an intent never carries a path, a
 * command or shell text: only ids already in the state, and text that the user typed. The host checks
 * each one with `parseIntent` and then looks the ids up in the state. What stands in a code block or a link of the
 * agent's prose does come along: the host shows the user all of it before it is written or run.
 */

import { parseFields, type Shape } from './fields';

export interface AgentForm {
  readonly name: string;
  readonly command: string;
  /** Of the command, as one would type them. */
  readonly args: string;
  /** The environment variable that gets `key`; both are empty where the agent needs none. */
  readonly variable: string;
  readonly key: string;
}

export type Intent =
  // composer
  /** While a turn runs: to that turn where the agent takes it, unless `how` is `queue`. */
  | { readonly type: 'send'; readonly text: string; readonly how?: string }
  /** The same, with what the open editor offers. */
  | { readonly type: 'sendWithEditor'; readonly text: string; readonly how?: string }
  | { readonly type: 'draft'; readonly text: string }
  | { readonly type: 'addContext' }
  | { readonly type: 'addActiveEditor' }
  /** What was chosen of the answers to the query `mentions`. */
  | { readonly type: 'mention'; readonly id: string }
  | { readonly type: 'removeAttachment'; readonly attachmentId: string }
  | {
      readonly type: 'attachImage';
      readonly name: string;
      readonly mimeType: string;
      /** Base64. */
      readonly data: string;
      /** In pixels. */
      readonly width: number;
      readonly height: number;
      /** A small version, as a data URL. */
      readonly thumbnail: string;
      /** The turn whose prompt is being changed, when it goes with that and not with the next message. */
      readonly turnId?: string;
    }
  /** What was dropped: only what the workspace or an editor has, and web pages, are attached. */
  | { readonly type: 'attachUris'; readonly uris: readonly string[] }
  | { readonly type: 'queueSendNow'; readonly messageId: string }
  | { readonly type: 'queueEdit'; readonly messageId: string }
  | { readonly type: 'queueDrop'; readonly messageId: string }
  /** To before the waiting message `before`, or to the end. */
  | { readonly type: 'queueMove'; readonly messageId: string; readonly before?: string }
  // turn
  | { readonly type: 'stop' }
  | { readonly type: 'forceStop' }
  | { readonly type: 'continue' }
  /** Beyond the budget. */
  | { readonly type: 'goOn' }
  /** Once more: the prompt that failed or, when there is no session, the start. */
  | { readonly type: 'retry' }
  /** `option` is its place, from 0, in the request as that revision of it was shown. */
  | {
      readonly type: 'answerPermission';
      readonly requestId: string;
      readonly revision: number;
      readonly option: number;
    }
  /** Show what the agent changed of a request, to be asked again. */
  | { readonly type: 'reviewPermission'; readonly requestId: string; readonly revision: number }
  /** Open all that a request asks in the editor. */
  | { readonly type: 'openRequest'; readonly requestId: string }
  /** A rule that answers requests like this one; the host asks for it. */
  | { readonly type: 'addRule'; readonly requestId: string }
  /**
   * `action` is ACP's: accept, decline or cancel. `values` is a JSON object of what was filled in, by field
   * name: needed to accept a form. Accepting a page consents to opening it.
   */
  | {
      readonly type: 'answerElicitation';
      readonly requestId: string;
      readonly action: string;
      readonly values?: string;
    }
  // tools
  | { readonly type: 'openDiff'; readonly ref: string }
  | { readonly type: 'openLocation'; readonly toolCallId: string; readonly index: number }
  | { readonly type: 'openContent'; readonly ref: string }
  | { readonly type: 'openTerminal'; readonly terminalId: string }
  | { readonly type: 'killTerminal'; readonly terminalId: string }
  | { readonly type: 'cancelToolCall'; readonly toolCallId: string }
  /** A link in the agent's prose: http(s), or a path with an optional `:line` or `#Lline`. */
  | { readonly type: 'openLink'; readonly href: string }
  | { readonly type: 'openAttachment'; readonly attachmentId: string }
  // code blocks; `info` is what stands beside the fence
  | { readonly type: 'insertAtCursor'; readonly text: string }
  | { readonly type: 'newFile'; readonly text: string; readonly info: string }
  /** `near` are the files that the prose before it names, the nearest first. */
  | {
      readonly type: 'applyCode';
      readonly text: string;
      readonly info: string;
      readonly near: readonly string[];
    }
  | { readonly type: 'runCode'; readonly text: string; readonly info: string }
  // changes to files, of every chat; `id` is that of a `ChangedFile`
  | { readonly type: 'reviewChanges' }
  | { readonly type: 'keepAllChanges' }
  | { readonly type: 'undoAllChanges' }
  | { readonly type: 'openChange'; readonly id: string }
  | { readonly type: 'keepFileChanges'; readonly id: string }
  | { readonly type: 'undoFileChanges'; readonly id: string }
  /** Of a file, or without `id` of all that are unclaimed. */
  | { readonly type: 'notTheAgents'; readonly id?: string }
  /** Restore to before this turn's prompt; the host asks what: files, conversation or both. */
  | { readonly type: 'restorePrompt'; readonly turnId: string }
  /** Take files and conversation back to before this turn, as above, and send its prompt as it was changed. */
  | {
      readonly type: 'resendPrompt';
      readonly turnId: string;
      readonly text: string;
      /** Ids of its attachments that do not go along any more. */
      readonly without: readonly string[];
    }
  /** The same with the prompt as it is: for another answer. */
  | { readonly type: 'tryAgain'; readonly turnId: string }
  /** By another model, which the host asks for. */
  | { readonly type: 'tryAgainWith'; readonly turnId: string }
  // settings of the session
  | { readonly type: 'setConfig'; readonly optionId: string; readonly value: string | boolean }
  // chats and agents
  | { readonly type: 'newChat'; readonly agentName?: string }
  | { readonly type: 'pickAgent' }
  | { readonly type: 'selectChat'; readonly chatId: string }
  | { readonly type: 'renameChat'; readonly chatId: string; readonly title: string }
  | { readonly type: 'deleteChat'; readonly chatId: string }
  /** `listed` is `pinned` or `archived`; absent: back to where its age puts it. */
  | { readonly type: 'setListed'; readonly chatId: string; readonly listed?: string }
  /** A chat of another folder, in a window of that: ids are those of a `FolderChats`. */
  | { readonly type: 'openFolder'; readonly folderId: string; readonly chatId: string }
  | { readonly type: 'cancelStart' }
  | { readonly type: 'restartAgent' }
  | { readonly type: 'signIn'; readonly methodId: string }
  | { readonly type: 'signOut' }
  // sessions that agents keep themselves; ids are those of a `SessionList`
  | { readonly type: 'listSessions'; readonly agentName: string }
  | { readonly type: 'moreSessions'; readonly agentName: string }
  | { readonly type: 'openSession'; readonly agentName: string; readonly sessionId: string }
  /** A chat that begins with what that session knows. */
  | { readonly type: 'copySession'; readonly agentName: string; readonly sessionId: string }
  | { readonly type: 'deleteSession'; readonly agentName: string; readonly sessionId: string }
  /** A chat that begins with what this one knows. */
  | { readonly type: 'forkChat' }
  | { readonly type: 'openInEditor' }
  | { readonly type: 'exportChat' }
  | { readonly type: 'showLog' }
  | { readonly type: 'runDoctor' }
  | { readonly type: 'editAgents' }
  /** What was filled in to add an agent; the host shows what would be run and asks. */
  | ({ readonly type: 'addAgent' } & AgentForm)
  | { readonly type: 'manageTrust' };

const SHAPES: { readonly [T in Intent['type']]: Shape } = {
  send: { text: 'string', how: 'string?' },
  sendWithEditor: { text: 'string', how: 'string?' },
  draft: { text: 'string' },
  addContext: {},
  addActiveEditor: {},
  mention: { id: 'string' },
  removeAttachment: { attachmentId: 'string' },
  attachImage: {
    name: 'string',
    mimeType: 'string',
    data: 'string',
    width: 'number',
    height: 'number',
    thumbnail: 'string',
    turnId: 'string?',
  },
  attachUris: { uris: 'string[]' },
  queueSendNow: { messageId: 'string' },
  queueEdit: { messageId: 'string' },
  queueDrop: { messageId: 'string' },
  queueMove: { messageId: 'string', before: 'string?' },
  stop: {},
  forceStop: {},
  continue: {},
  goOn: {},
  retry: {},
  answerPermission: { requestId: 'string', revision: 'number', option: 'number' },
  reviewPermission: { requestId: 'string', revision: 'number' },
  openRequest: { requestId: 'string' },
  addRule: { requestId: 'string' },
  answerElicitation: { requestId: 'string', action: 'string', values: 'string?' },
  openDiff: { ref: 'string' },
  openLocation: { toolCallId: 'string', index: 'number' },
  openContent: { ref: 'string' },
  openTerminal: { terminalId: 'string' },
  killTerminal: { terminalId: 'string' },
  cancelToolCall: { toolCallId: 'string' },
  openLink: { href: 'string' },
  openAttachment: { attachmentId: 'string' },
  insertAtCursor: { text: 'string' },
  newFile: { text: 'string', info: 'string' },
  applyCode: { text: 'string', info: 'string', near: 'string[]' },
  runCode: { text: 'string', info: 'string' },
  reviewChanges: {},
  keepAllChanges: {},
  undoAllChanges: {},
  openChange: { id: 'string' },
  keepFileChanges: { id: 'string' },
  undoFileChanges: { id: 'string' },
  notTheAgents: { id: 'string?' },
  restorePrompt: { turnId: 'string' },
  resendPrompt: { turnId: 'string', text: 'string', without: 'string[]' },
  tryAgain: { turnId: 'string' },
  tryAgainWith: { turnId: 'string' },
  setConfig: { optionId: 'string', value: 'string|boolean' },
  newChat: { agentName: 'string?' },
  pickAgent: {},
  selectChat: { chatId: 'string' },
  renameChat: { chatId: 'string', title: 'string' },
  deleteChat: { chatId: 'string' },
  setListed: { chatId: 'string', listed: 'string?' },
  openFolder: { folderId: 'string', chatId: 'string' },
  cancelStart: {},
  restartAgent: {},
  signIn: { methodId: 'string' },
  signOut: {},
  listSessions: { agentName: 'string' },
  moreSessions: { agentName: 'string' },
  openSession: { agentName: 'string', sessionId: 'string' },
  copySession: { agentName: 'string', sessionId: 'string' },
  deleteSession: { agentName: 'string', sessionId: 'string' },
  forkChat: {},
  openInEditor: {},
  exportChat: {},
  showLog: {},
  runDoctor: {},
  editAgents: {},
  addAgent: {
    name: 'string',
    command: 'string',
    args: 'string',
    variable: 'string',
    key: 'string',
  },
  manageTrust: {},
};

/** The intent in `value`, with unknown fields dropped; undefined when it is not one. */
export function parseIntent(value: unknown): Intent | undefined {
  return parseFields(value, SHAPES) as Intent | undefined;
}
