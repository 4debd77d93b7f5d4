import * as vscode from 'vscode';
import type { Chat, Chats } from '../../session/chats';
import type { AgentForm } from '../../shared/intents';
import type { ChatView } from '../chatView/chatView';
import type { ChatViews } from '../chatView/chatViews';
import { labelOf, type ContextAttachments } from '../context/contextAttachments';
import type { EditorContext } from '../context/editorContext';
import type { Logs } from '../logs';
import { countOf, problemsOf } from '../context/problemsContext';
import { editAgents } from '../settings/editAgents';
import { manageTrust } from '../settings/manageTrust';
import { DEMO_AGENT } from '../settings/readSettings';
import type { AgentDirectory } from './panelSource';
import { titleOf } from './panelSource';
import { showInformationMessage, showWarningMessage } from '../messages';

export interface ChatActionParts {
  readonly chats: Chats;
  readonly views: ChatViews;
  readonly agents: AgentDirectory;
  readonly attachments: ContextAttachments;
  readonly editor: EditorContext;
  readonly logs: Logs;
}

/** What commands and views both can do with chats. Each shows the user what is missing when it cannot. */
export class ChatActions {
  constructor(private readonly parts: ChatActionParts) {}

  /** A new chat in `view` (default: where the user works with chats now), with the caret in it. */
  async newChat(agentName?: string, view?: ChatView): Promise<Chat | undefined> {
    const { chats, views, agents } = this.parts;
    const { current } = views;
    const currentName = current?.isReplay ? undefined : current?.store.state.agent.name;
    const name = agentName ?? currentName ?? agents.defaultAgent;
    // A name that is no choice here: not in the settings, or not to be started in an untrusted workspace.
    const choice = agents.choices().find(other => other.name === name);
    if (choice?.offer !== undefined && !(await agents.accept(name))) return undefined;
    const chat = choice ? chats.create(name) : undefined;
    if (!chat) {
      await this.noAgent(name);
      return undefined;
    }
    views.show(chat.chatId, view);
    await views.focus(view);
    return chat;
  }

  /** Adds the agent that the user has described, and starts a chat with it. */
  async addAgent(form: AgentForm, view?: ChatView): Promise<void> {
    if (await this.parts.agents.add(form)) await this.newChat(form.name, view);
  }

  async newChatWith(view?: ChatView): Promise<void> {
    const { pickAgent } = await import('./pickAgent');
    const picked = await pickAgent(this.parts.agents);
    if (picked === undefined) return;
    switch (picked.kind) {
      case 'agent':
        await this.newChat(picked.name, view);
        return;
      case 'edit':
        return editAgents();
      case 'browse':
        await vscode.commands.executeCommand('parley.browseAgents');
    }
  }

  /** The chat commands are about, made if there is none yet. */
  async currentOrNew(): Promise<Chat | undefined> {
    const { chats, views } = this.parts;
    if (views.current) return views.current;
    const latest = chats.all[0];
    if (!latest) return this.newChat();
    views.show(latest.chatId);
    return latest;
  }

  /** The selection or line of the editor, as context of `chat` (default: the current one). */
  async addSelection(chat?: Chat): Promise<void> {
    const { editor } = this.parts.editor;
    if (!editor) {
      void showInformationMessage(
        vscode.l10n.t('Open a file and select what you want to add to the chat.'),
      );
      return;
    }
    const attachment = this.parts.attachments.ofSelection(editor);
    const target = chat ?? (await this.currentOrNew());
    target?.controller.attach(attachment);
    await this.parts.views.focus();
  }

  /** What the panel offers of the editor: what is selected, else the file. */
  async addActiveEditor(chat: Chat): Promise<void> {
    await this.attachActiveEditor(chat);
    await this.parts.views.focus();
  }

  /** The same, as the message goes out. */
  async attachActiveEditor({ controller }: Chat): Promise<void> {
    const { editor } = this.parts.editor;
    if (!editor) return;
    const { attachments } = this.parts;
    controller.attach(
      editor.selection.isEmpty
        ? await attachments.ofPath(editor.document.uri)
        : attachments.ofSelection(editor),
    );
  }

  async addFiles(uris: readonly vscode.Uri[], chat?: Chat): Promise<void> {
    const target = chat ?? (await this.currentOrNew());
    if (!target) return;
    for (const uri of uris) target.controller.attach(await this.parts.attachments.ofPath(uri));
    await this.parts.views.focus();
  }

  /**
   * The problems of `uri`, or of what the user chooses where there is a choice: the active editor's file or
   * the whole workspace.
   */
  async addProblems(uri?: vscode.Uri, chat?: Chat): Promise<void> {
    const { attachments, editor } = this.parts;
    const scope = uri ? { uri } : await pickProblems(editor.editor?.document.uri);
    if (!scope) return;
    const attachment = attachments.ofProblems(scope.uri);
    if (!attachment) {
      void showInformationMessage(
        vscode.l10n.t('There are no problems to add. The Problems view shows what editors found.'),
      );
      return;
    }
    const target = chat ?? (await this.currentOrNew());
    target?.controller.attach(attachment);
    await this.parts.views.focus();
  }

  /** Lets the user choose what to add to the next message. */
  async addContext(chat: Chat): Promise<void> {
    const { editor } = this.parts.editor;
    const items: (vscode.QuickPickItem & { readonly run: () => Promise<void> })[] = [];
    if (editor) {
      items.push({
        label: `$(list-selection) ${editor.selection.isEmpty ? vscode.l10n.t('Current line') : vscode.l10n.t('Selection')}`,
        description: labelOf(editor),
        run: () => this.addSelection(chat),
      });
      items.push({
        label: `$(file) ${vscode.l10n.t('Current file')}`,
        description: vscode.workspace.asRelativePath(editor.document.uri, false),
        run: () => this.addFiles([editor.document.uri], chat),
      });
    }
    items.push({
      label: `$(files) ${vscode.l10n.t('Files…')}`,
      run: () => this.pickFiles(chat),
    });
    const problems = countOf(problemsOf());
    if (problems > 0) {
      items.push({
        label: `$(warning) ${vscode.l10n.t('Problems')}`,
        description: String(problems),
        run: () => this.addProblems(undefined, chat),
      });
    }
    const picked = await vscode.window.showQuickPick(items, {
      title: vscode.l10n.t('Add Context'),
      placeHolder: vscode.l10n.t('Select what to send with the next message'),
    });
    await picked?.run();
  }

  async pickFiles(chat?: Chat): Promise<void> {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const uris = await vscode.window.showOpenDialog({
      canSelectMany: true,
      openLabel: vscode.l10n.t('Add'),
      title: vscode.l10n.t('Add Files to Chat'),
      ...(folder && { defaultUri: folder }),
    });
    if (uris && uris.length > 0) await this.addFiles(uris, chat);
  }

  /** Deletes a chat; until the message goes away it can be taken back. */
  async deleteChat(chatId: string): Promise<void> {
    const { chats, views } = this.parts;
    const chat = chats.get(chatId);
    if (!chat) return;
    const { store, updatedAt } = chat;
    await chats.delete(chatId);
    if (store.state.turns.length === 0) {
      chats.forget(chat);
      return;
    }
    const undo = vscode.l10n.t('Undo');
    const answer = await showInformationMessage(
      vscode.l10n.t('Deleted the chat "{0}".', titleOf(store.state)),
      undo,
    );
    if (answer !== undo) {
      chats.forget(chat);
      return;
    }
    const restored = chats.restore(store.state, updatedAt);
    if (restored) await views.reveal(restored.chatId);
  }

  /** Begins a chat that knows what this one does, where the agent can. */
  async forkChat(chat: Chat): Promise<void> {
    const { chats, views } = this.parts;
    const { agent } = chat.store.state;
    await chat.controller.connect();
    if (chat.store.state.agent.capabilities.fork !== true) {
      void showInformationMessage(
        vscode.l10n.t(
          '{0} cannot duplicate chats. Start a new one and attach what matters.',
          agent.title ?? agent.name,
        ),
      );
      return;
    }
    const forked = chats.fork(chat.chatId);
    if (forked) await views.reveal(forked.chatId);
  }

  async exportChat(chat: Chat): Promise<void> {
    const { chatMarkdown } = await import('./chatMarkdown');
    const content = chatMarkdown(chat.store.state, this.parts.logs.masker.mask);
    const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
    await vscode.window.showTextDocument(document);
  }

  showLog(agentName?: string): void {
    this.parts.logs.show(agentName);
  }

  /** Lets the user choose a value of one of the agent's options of that category. */
  async setConfig(chat: Chat, category: 'mode' | 'model'): Promise<void> {
    const { state } = chat.store;
    const option = state.configOptions.find(other => other.category === category);
    if (option?.type !== 'select') {
      const agent = state.agent.title ?? state.agent.name;
      void showInformationMessage(
        category === 'mode'
          ? vscode.l10n.t('{0} offers no modes in this chat.', agent)
          : vscode.l10n.t('{0} offers no choice of models in this chat.', agent),
      );
      return;
    }
    const { pickChoice } = await import('./pickChoice');
    const value = await pickChoice(option);
    if (value !== undefined) await chat.controller.setConfig(option.id, value);
  }

  private async noAgent(name: string): Promise<void> {
    const { isTrusted } = vscode.workspace;
    const wayOut = isTrusted
      ? vscode.l10n.t('Edit Agents')
      : vscode.l10n.t('Manage Workspace Trust');
    const demo = vscode.l10n.t('Use {0}', DEMO_AGENT);
    const message = isTrusted
      ? vscode.l10n.t('There is no agent called "{0}" in parley.agents.', name)
      : vscode.l10n.t('This workspace is not trusted, so Parley starts only {0}.', DEMO_AGENT);
    const answer = await showWarningMessage(message, wayOut, demo);
    if (answer === wayOut) await (isTrusted ? editAgents() : manageTrust());
    else if (answer === demo) await this.newChat(DEMO_AGENT);
  }
}

/** @returns undefined when the user chose nothing; without `uri` the workspace is meant. */
async function pickProblems(
  active: vscode.Uri | undefined,
): Promise<{ readonly uri?: vscode.Uri } | undefined> {
  const here = active ? countOf(problemsOf(active)) : 0;
  const everywhere = countOf(problemsOf());
  if (!active || here === 0) return {};
  if (here === everywhere) return { uri: active };
  const picked = await vscode.window.showQuickPick(
    [
      {
        label: vscode.workspace.asRelativePath(active, false),
        description: vscode.l10n.t('{0} problems', here),
        scope: { uri: active },
      },
      {
        label: vscode.l10n.t('The whole workspace'),
        description: vscode.l10n.t('{0} problems', everywhere),
        scope: {},
      },
    ],
    { title: vscode.l10n.t('Add Problems to Chat') },
  );
  return picked?.scope;
}
