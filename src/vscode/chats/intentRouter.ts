import * as vscode from 'vscode';
import { lazy } from '../../base/lazy';
import type { Logger } from '../../base/logger';
import type { Chat, Chats } from '../../session/chats';
import type { SessionLists } from '../../session/history/sessionLists';
import type { PromptChange } from '../../session/turns/changedMessage';
import type { Intent } from '../../shared/intents';
import { editAgents } from '../settings/editAgents';
import { manageTrust } from '../settings/manageTrust';
import type { ChatActions } from './chatActions';
import type { ChatView } from '../chatView/chatView';
import type { ChatViews } from '../chatView/chatViews';
import type { EditorContext } from '../context/editorContext';
import { attachImage } from '../context/attachImage';
import { insertAtCursor } from '../context/insertAtCursor';
import type { Mentions } from '../mentions/mentions';
import { mayInterrupt } from '../signIn/signInCommands';
import { showErrorMessage } from '../messages';
import type { CodeBlocks } from '../codeBlocks/codeBlocks';
import type { OtherFolders } from './otherFolders';
import type { ChatOpener, OpenerParts } from './chatOpener';

export interface IntentParts extends OpenerParts {
  readonly chats: Chats;
  readonly views: ChatViews;
  readonly actions: ChatActions;
  readonly editor: EditorContext;
  readonly mentions: () => Promise<Mentions>;
  readonly codeBlocks: () => Promise<CodeBlocks>;
  readonly folders: () => Promise<OtherFolders>;
  readonly sessions: SessionLists;
  /** Lets a chat go on beyond what may be spent. */
  readonly budget: { goOn(chatId: string): void };
  readonly logger: Logger;
}

/** What the bar "Changes" and the prompts ask for. */
export interface ChangeActions {
  handle(intent: ChangeIntent): Promise<void>;
  restorePrompt(chat: Chat, turnId: string): Promise<void>;
  /** Restores to before the prompt, and sends it again. */
  resendPrompt(chat: Chat, turnId: string, change?: PromptChange): Promise<void>;
  /** The same, answered by a model that the user picks. */
  tryAgainWith(chat: Chat, turnId: string): Promise<void>;
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

/** Carries out what the user asked for in a view. Ids that are not in the state are ignored. */
export class IntentRouter {
  private readonly opener: () => Promise<ChatOpener>;

  constructor(private readonly parts: IntentParts) {
    this.opener = lazy(async () => new (await import('./chatOpener')).ChatOpener(parts));
  }

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
      case 'setListed': {
        const { listed } = intent;
        if (listed !== undefined && listed !== 'pinned' && listed !== 'archived') return;
        return chats.get(intent.chatId)?.controller.setListed(listed);
      }
      case 'openFolder': {
        const { openFolder } = await import('./openFolder');
        return openFolder(await this.parts.folders(), intent);
      }
      case 'editAgents':
        return editAgents();
      case 'addAgent':
        return actions.addAgent(intent, view);
      case 'manageTrust':
        return manageTrust();
      // The commands ask the user for the rest, and act on the chat of the view that has the focus.
      case 'signOut':
      case 'forkChat':
      case 'runDoctor':
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
        return controller.send(intent.text, intent.how === 'queue' ? 'queue' : 'steer');
      case 'sendWithEditor':
        await actions.attachActiveEditor(chat);
        return controller.send(intent.text, intent.how === 'queue' ? 'queue' : 'steer');
      case 'draft':
        return controller.typeDraft(intent.text, view.viewId);
      case 'addContext':
        return actions.addContext(chat);
      case 'addActiveEditor':
        return actions.addActiveEditor(chat);
      case 'mention': {
        const attachment = (await this.parts.mentions()).attachment(intent.id);
        if (attachment) controller.attach(attachment);
        return;
      }
      case 'removeAttachment':
        return controller.removeAttachment(intent.attachmentId);
      case 'attachImage':
        return attachImage(chat, intent, this.parts.attachments);
      case 'attachUris': {
        const { attachUris } = await import('../context/attachUris');
        return attachUris(intent.uris, this.parts.attachments, controller);
      }
      case 'queueSendNow':
        return controller.sendNow(intent.messageId);
      case 'queueEdit':
        return controller.editQueued(intent.messageId);
      case 'queueDrop':
        return controller.dropQueued(intent.messageId);
      case 'queueMove':
        return controller.moveQueued(intent.messageId, intent.before);
      case 'stop':
        return controller.stop();
      case 'forceStop':
        return controller.forceStop();
      case 'continue':
        return controller.continueTurn();
      case 'goOn':
        return this.parts.budget.goOn(chat.chatId);
      case 'retry':
        return controller.retry();
      case 'answerPermission':
        controller.answerPermission(intent);
        return;
      case 'addRule':
        return this.addRule(chat, intent.requestId);
      case 'reviewPermission':
        return controller.reviewPermission(intent.requestId, intent.revision);
      case 'answerElicitation':
        return controller.answerElicitation(intent.requestId, intent.action, intent.values);
      case 'setConfig':
        return controller.setConfig(intent.optionId, intent.value);
      case 'killTerminal':
        await controller.killTerminal(intent.terminalId);
        return;
      case 'cancelToolCall':
        await controller.cancelToolCall(intent.toolCallId);
        return;
      case 'insertAtCursor':
        return insertAtCursor(intent.text, this.parts.editor);
      case 'newFile':
      case 'applyCode':
      case 'runCode':
        return (await this.parts.codeBlocks()).act(intent, chat.store.state.cwd);
      case 'restorePrompt':
        return this.parts.changes?.restorePrompt(chat, intent.turnId);
      case 'resendPrompt':
        return this.parts.changes?.resendPrompt(chat, intent.turnId, intent);
      case 'tryAgain':
        return this.parts.changes?.resendPrompt(chat, intent.turnId);
      case 'tryAgainWith':
        return this.parts.changes?.tryAgainWith(chat, intent.turnId);
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
        return (await this.opener()).open(chat, intent);
    }
  }

  private async addRule(chat: Chat, requestId: string): Promise<void> {
    const suggestions = chat.controller.ruleSuggestions(requestId);
    if (!suggestions) return;
    const { addRule } = await import('../permissions/addRule');
    await addRule(suggestions);
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
    void chat?.controller.rename(named);
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
      | 'setListed'
      | 'openFolder'
      | 'editAgents'
      | 'addAgent'
      | 'runDoctor'
      | 'manageTrust'
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
