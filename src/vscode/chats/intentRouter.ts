import * as path from 'node:path';
import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever';
import type { Logger } from '../../base/logger';
import type { Chat, Chats } from '../../session/chats';
import type { TerminalMirror } from '../../session/ports';
import type { SessionLists } from '../../session/history/sessionLists';
import type { Attachment, SessionState } from '../../session/state/state';
import type { Intent } from '../../shared/intents';
import { editAgents } from '../settings/editAgents';
import type { ChatActions } from './chatActions';
import { allTurns } from '../../session/state/selectors';
import { visibleText } from '../../base/visibleText';
import { cutRefs } from '../../session/state/permission';
import { findToolCall } from '../../session/state/toolCalls';
import type { ChatView } from '../chatView/chatView';
import type { ChatViews } from '../chatView/chatViews';
import type { ContextAttachments } from '../context/contextAttachments';
import type { EditorContext } from '../context/editorContext';
import { insertAtCursor } from '../context/insertAtCursor';
import { openFile, openLink } from '../links';
import type { DiffEditor } from '../review/diff/diffEditor';
import { mayInterrupt } from '../signIn/signInCommands';
import { showErrorMessage, showInformationMessage, showWarningMessage } from '../messages';

export interface IntentParts {
  readonly chats: Chats;
  readonly views: ChatViews;
  readonly actions: ChatActions;
  readonly attachments: ContextAttachments;
  readonly diffs: DiffEditor;
  readonly mirror: TerminalMirror;
  readonly editor: EditorContext;
  readonly sessions: SessionLists;
  readonly changes?: ChangeActions;
  readonly logger: Logger;
}

/** What the bar "Changes" and the prompts ask for. */
export interface ChangeActions {
  handle(intent: ChangeIntent): Promise<void>;
  restorePrompt(chat: Chat, turnId: string): Promise<void>;
  /** Shows what is to be decided of a file; false when that is nothing. */
  openChanges(file: string): Promise<boolean>;
}

export type ChangeIntent = Extract<
  Intent,
  {
    type:
      | 'reviewChanges'
      | 'keepAllChanges'
      | 'undoAllChanges'
      | 'openChange'
      | 'keepFileChanges'
      | 'undoFileChanges'
      | 'notTheAgents';
  }
>;

/** Images as models take them; others are no use to any agent. */
const IMAGE_TYPES = /^image\/(?:png|jpeg|gif|webp)$/;
/** Base64 characters, about 10 MB of image. */
const MAX_IMAGE_DATA = 14_000_000;

/** Carries out what the user asked for in a view. Ids that are not in the state are ignored. */
export class IntentRouter {
  constructor(private readonly parts: IntentParts) {}

  handle(view: ChatView, intent: Intent, chatId: string | undefined): void {
    this.route(view, intent, chatId).catch((error: unknown) => {
      this.parts.logger.error(`"${intent.type}" failed`, error);
      void showErrorMessage(
        vscode.l10n.t('Failed: {0}', error instanceof Error ? error.message : '?'),
      );
    });
  }

  private async route(view: ChatView, intent: Intent, chatId: string | undefined): Promise<void> {
    const { actions, chats, views } = this.parts;
    switch (intent.type) {
      case 'newChat':
        await actions.newChat(intent.agentName, view);
        return;
      case 'pickAgent':
        return actions.newChatWith(view);
      case 'selectChat':
        if (chats.get(intent.chatId)) views.show(intent.chatId, view);
        return;
      case 'renameChat':
        this.rename(intent.chatId, intent.title);
        return;
      case 'deleteChat':
        return actions.deleteChat(intent.chatId);
      case 'editAgents':
        return editAgents();
      // The commands ask the user for the rest, and act on the chat of the view that has the focus.
      case 'signOut':
      case 'forkChat':
        await vscode.commands.executeCommand(`parley.${intent.type}`);
        return;
      case 'listSessions':
        return this.parts.sessions.read(intent.agentName);
      case 'moreSessions':
        return this.parts.sessions.more(intent.agentName);
      case 'openSession':
      case 'copySession':
        return this.openSession(view, intent);
      case 'deleteSession':
        return this.parts.sessions.delete(intent.agentName, intent.sessionId);
      case 'reviewChanges':
      case 'keepAllChanges':
      case 'undoAllChanges':
      case 'openChange':
      case 'keepFileChanges':
      case 'undoFileChanges':
      case 'notTheAgents':
        return this.parts.changes?.handle(intent);
      default: {
        const chat = chatId === undefined ? undefined : chats.get(chatId);
        if (chat) await this.inChat(view, chat, intent);
        else if (intent.type === 'showLog') actions.showLog();
      }
    }
  }

  private async inChat(view: ChatView, chat: Chat, intent: ChatIntent): Promise<void> {
    const { actions, views } = this.parts;
    const { controller } = chat;
    switch (intent.type) {
      case 'send':
        return controller.send(intent.text);
      case 'draft':
        return controller.typeDraft(intent.text, view.viewId);
      case 'addContext':
        return actions.addContext(chat);
      case 'addSelection':
        return actions.addSelection(chat);
      case 'removeAttachment':
        return controller.removeAttachment(intent.attachmentId);
      case 'attachImage':
        return this.attachImage(chat, intent.name, intent.mimeType, intent.data);
      case 'queueSendNow':
        return controller.sendNow(intent.messageId);
      case 'queueEdit':
        return controller.editQueued(intent.messageId);
      case 'queueDrop':
        return controller.dropQueued(intent.messageId);
      case 'stop':
        return controller.stop();
      case 'forceStop':
        return controller.forceStop();
      case 'continue':
        return controller.continueTurn();
      case 'retry':
        return controller.retry();
      case 'answerPermission':
        controller.answerPermission(intent);
        return;
      case 'reviewPermission':
        return controller.reviewPermission(intent.requestId, intent.revision);
      case 'answerElicitation':
        return controller.answerElicitation(intent.requestId, intent.action, intent.values);
      case 'setConfig':
        return controller.setConfig(intent.optionId, intent.value);
      case 'cancelStart':
        return controller.cancelStart();
      case 'restartAgent':
        return controller.restart();
      case 'signIn':
        if (await mayInterrupt(this.parts.chats, chat.store.state.agent.name)) {
          await controller.signIn(intent.methodId);
        }
        return;
      case 'openInEditor':
        return views.openInEditor(chat.chatId);
      case 'exportChat':
        return actions.exportChat(chat);
      case 'showLog':
        return actions.showLog(chat.store.state.agent.name);
      default:
        return this.open(chat, intent);
    }
  }

  private async open(chat: Chat, intent: OpenIntent): Promise<void> {
    const { mirror, attachments, editor } = this.parts;
    const { state } = chat.store;
    switch (intent.type) {
      case 'openDiff':
        return this.openDiff(chat, intent.ref);
      case 'openContent':
        return this.openContent(chat, intent.ref);
      case 'openRequest':
        return this.openRequest(chat, intent.requestId);
      case 'openLocation': {
        const location = findToolCall(state, intent.toolCallId)?.locations[intent.index];
        if (location) await openLocation(state.cwd, location);
        return;
      }
      case 'openTerminal':
        if (state.terminals[intent.terminalId]?.owned) mirror.reveal(intent.terminalId);
        return;
      case 'killTerminal':
        if (state.terminals[intent.terminalId]?.owned) {
          await chat.controller.killTerminal(intent.terminalId);
        }
        return;
      case 'openLink':
        return openLink(intent.href, state.cwd);
      case 'openAttachment': {
        const attachment = findAttachment(state, intent.attachmentId);
        if (attachment) await attachments.open(attachment);
        return;
      }
      case 'insertAtCursor':
        return insertAtCursor(intent.text, editor);
      case 'restorePrompt':
        return this.parts.changes?.restorePrompt(chat, intent.turnId);
      default:
        assertNever(intent);
    }
  }

  /** What agents sent is not kept over a reload; the file's own changes are, until they are decided on. */
  private async openDiff(chat: Chat, ref: string): Promise<void> {
    const { diffs, changes } = this.parts;
    if (await diffs.open(chat.chatId, ref)) {
      chat.controller.openedContents([ref]);
      return;
    }
    const { state } = chat.store;
    const diffPath = findDiffPath(state, ref);
    if (diffPath === undefined) return;
    const file = path.resolve(state.cwd, diffPath);
    if (await changes?.openChanges(file)) return;
    const openIt = vscode.l10n.t('Open File');
    const answer = await showInformationMessage(
      vscode.l10n.t('This diff is no longer available. The chat shows its first lines.'),
      openIt,
    );
    if (answer === openIt) await openLocation(state.cwd, { path: file });
  }

  private async openContent(chat: Chat, ref: string): Promise<void> {
    const content = chat.controller.contents.get(ref);
    if (content?.kind === 'text') {
      await this.parts.diffs.openText(chat.chatId, ref, content.title, content.text);
      chat.controller.openedContents([ref]);
    } else if (content?.kind === 'diff') {
      await this.openDiff(chat, ref);
    } else {
      void showInformationMessage(
        vscode.l10n.t('The full text is no longer available. The chat shows its first part.'),
      );
    }
  }

  private async openRequest(chat: Chat, requestId: string): Promise<void> {
    const request = chat.store.state.permissions.find(({ id }) => id === requestId);
    if (!request) return;
    const { requestText } = await import('../../session/requests/requestText');
    const text = requestText(request, chat.controller.contents);
    if (text === undefined) {
      void showWarningMessage(
        vscode.l10n.t(
          'This request is too long to show, so it cannot be allowed. Reject it, and ask the agent for smaller steps.',
        ),
      );
      return;
    }
    const ref = `request/${request.id}/${request.revision}/all`;
    await this.parts.diffs.openText(chat.chatId, ref, 'request.diff', visibleText(text));
    chat.controller.openedContents(cutRefs(request));
  }

  private attachImage(chat: Chat, name: string, mimeType: string, data: string): void {
    const { agent, connection } = chat.store.state;
    if (!IMAGE_TYPES.test(mimeType)) {
      void showWarningMessage(
        vscode.l10n.t('Only PNG, JPEG, GIF and WebP images can be attached.'),
      );
    } else if (data.length > MAX_IMAGE_DATA) {
      void showWarningMessage(
        vscode.l10n.t('The image is larger than 10 MB. Attach a smaller one.'),
      );
    } else if (connection.kind === 'ready' && !agent.capabilities.image) {
      void showWarningMessage(
        vscode.l10n.t('{0} does not accept images.', agent.title ?? agent.name),
      );
    } else {
      chat.controller.attach(this.parts.attachments.ofImage(name, mimeType, data));
    }
  }

  private async openSession(
    view: ChatView,
    { type, agentName, sessionId }: Extract<Intent, { type: 'openSession' | 'copySession' }>,
  ): Promise<void> {
    const { sessions, views } = this.parts;
    const chat = sessions.open(agentName, sessionId, type === 'copySession');
    if (!chat) return;
    views.show(chat.chatId, view);
    await views.focus(view);
  }

  private rename(chatId: string, title: string): void {
    const line = title.replace(/\s+/g, ' ').trim();
    const named = line === '' ? undefined : line;
    const chat = this.parts.chats.get(chatId);
    chat?.store.dispatch({ type: 'titleChanged', title: named, byUser: true });
  }
}

type WindowIntent = Extract<
  Intent,
  {
    type:
      | 'newChat'
      | 'pickAgent'
      | 'selectChat'
      | 'renameChat'
      | 'deleteChat'
      | 'editAgents'
      | 'signOut'
      | 'listSessions'
      | 'moreSessions'
      | 'openSession'
      | 'copySession'
      | 'deleteSession'
      | 'forkChat';
  }
>;
type ChatIntent = Exclude<Intent, WindowIntent | ChangeIntent>;
type OpenIntent = Extract<
  Intent,
  {
    type:
      | 'openDiff'
      | 'openContent'
      | 'openRequest'
      | 'openLocation'
      | 'openTerminal'
      | 'killTerminal'
      | 'openLink'
      | 'openAttachment'
      | 'insertAtCursor'
      | 'restorePrompt';
  }
>;

/** A place a tool call named; relative paths are relative to the session's directory. */
async function openLocation(
  cwd: string,
  location: { readonly path: string; readonly line?: number },
): Promise<void> {
  const file = path.resolve(cwd, location.path);
  const info = await stat(file).catch(() => undefined);
  if (!info) {
    void showInformationMessage(
      vscode.l10n.t('The file does not exist any more: {0}', location.path),
    );
    return;
  }
  if (info.isDirectory()) {
    await vscode.commands.executeCommand('revealInExplorer', vscode.Uri.file(file));
    return;
  }
  await openFile(file, location.line === undefined ? {} : { line: Math.max(1, location.line) });
}

function findDiffPath(state: SessionState, ref: string): string | undefined {
  for (const { parts } of allTurns(state)) {
    for (const part of parts) {
      const content = part.kind === 'tool' ? part.content : [];
      for (const each of content) {
        if (each.kind === 'diff' && each.diff.ref === ref) return each.diff.path;
      }
    }
  }
  return undefined;
}

function findAttachment(state: SessionState, attachmentId: string): Attachment | undefined {
  const messages = [...state.queue, ...allTurns(state).flatMap(turn => turn.prompt ?? [])];
  return [...state.draft.attachments, ...messages.flatMap(message => message.attachments)].find(
    ({ id }) => id === attachmentId,
  );
}
