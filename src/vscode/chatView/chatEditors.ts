import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle';
import { titleOf } from '../chats/panelSource';
import { tabIcon } from '../tabIcon';
import { ChatView } from './chatView';
import type { ChatViewContext } from './chatView';

export const EDITOR_TYPE = 'parley.chatEditor';

const CHATS_KEY = 'parley.editorChats';
const MAX_PENDING = 20;

interface ChatEditor {
  readonly panel: vscode.WebviewPanel;
  readonly view: ChatView;
}

/** Chats as editor tabs, which can move to a window of their own. */
export class ChatEditors implements vscode.WebviewPanelSerializer, Disposable {
  private readonly editors = new Set<ChatEditor>();
  private readonly visibility = new vscode.EventEmitter<void>();
  readonly onDidChangeVisibility = this.visibility.event;
  private readonly closed = new vscode.EventEmitter<string | undefined>();
  /** The user closed the tab of this chat. */
  readonly onDidClose = this.closed.event;
  private readonly serializer: vscode.Disposable;
  private readonly listener: Disposable;

  private disposed = false;
  /** Chats of tabs that VS Code has not restored yet: it does so when they are first shown. */
  private pending: readonly string[];

  constructor(
    private readonly services: ChatViewContext,
    private readonly memory: vscode.Memento,
  ) {
    this.pending = memory.get<readonly string[]>(CHATS_KEY) ?? [];
    this.serializer = vscode.window.registerWebviewPanelSerializer(EDITOR_TYPE, this);
    this.listener = services.chats.onDidChange(({ chatId }) => {
      for (const editor of this.editors) if (editor.view.chatId === chatId) this.label(editor);
    });
  }

  /** Shows `chatId` in a tab: the one that shows it already, or a new one. */
  open(chatId: string): void {
    const open = [...this.editors].find(({ view }) => view.chatId === chatId);
    if (open) {
      this.focus(open.view);
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      EDITOR_TYPE,
      'Parley',
      { viewColumn: vscode.ViewColumn.Active },
      { retainContextWhenHidden: true },
    );
    this.adopt(panel, chatId).view.command({ type: 'focusComposer' });
  }

  focus(view: ChatView): void {
    for (const editor of this.editors) if (editor.view === view) editor.panel.reveal();
    view.command({ type: 'focusComposer' });
  }

  /** A tab that VS Code restores after a reload of the window. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    await this.services.restored;
    const kept = (state as { readonly chatId?: unknown } | undefined)?.chatId;
    this.adopt(panel, typeof kept === 'string' ? kept : this.remembered(panel.title));
  }

  get views(): readonly ChatView[] {
    return [...this.editors].map(({ view }) => view);
  }

  /** The view of the active tab, if that is a chat. */
  get active(): ChatView | undefined {
    return [...this.editors].find(({ panel }) => panel.active)?.view;
  }

  isVisible(chatId: string): boolean {
    return [...this.editors].some(({ panel, view }) => panel.visible && view.chatId === chatId);
  }

  show(view: ChatView, chatId: string | undefined): void {
    view.show(chatId);
    for (const editor of this.editors) if (editor.view === view) this.label(editor);
    this.remember();
    this.visibility.fire();
  }

  /** Leaves the tabs: after a reload of the window VS Code brings them back. */
  dispose(): void {
    this.disposed = true;
    this.listener.dispose();
    this.serializer.dispose();
    for (const { view } of this.editors) view.dispose();
    this.visibility.dispose();
    this.closed.dispose();
  }

  private adopt(panel: vscode.WebviewPanel, chatId: string | undefined): ChatEditor {
    const view = new ChatView('editor', panel.webview, this.services, chatId);
    const editor: ChatEditor = { panel, view };
    this.editors.add(editor);
    panel.iconPath = tabIcon(this.services.extensionUri);
    this.label(editor);
    panel.onDidChangeViewState(() => {
      view.setVisible(panel.visible);
      this.visibility.fire();
    });
    panel.onDidDispose(() => {
      view.dispose();
      this.editors.delete(editor);
      if (this.disposed) return;
      this.remember();
      this.visibility.fire();
      this.closed.fire(view.chatId);
    });
    this.remember();
    this.visibility.fire();
    return editor;
  }

  /** The page keeps the id of its chat too, but VS Code does not always save that in time. */
  private remember(): void {
    const shown = this.views.flatMap(view => view.chatId ?? []);
    this.pending = this.pending.filter(chatId => !shown.includes(chatId)).slice(0, MAX_PENDING);
    void this.memory.update(CHATS_KEY, [...shown, ...this.pending]);
  }

  /** The chat of a restored tab that lost its state: by its title, else the first not shown yet. */
  private remembered(title: string): string | undefined {
    const chats = this.pending.flatMap(chatId => this.services.chats.get(chatId) ?? []);
    const found = chats.find(chat => titleOf(chat.store.state) === title) ?? chats[0];
    return found?.chatId;
  }

  private label({ panel, view }: ChatEditor): void {
    const chat = view.chatId === undefined ? undefined : this.services.chats.get(view.chatId);
    const title = chat ? titleOf(chat.store.state) : 'Parley';
    if (panel.title !== title) panel.title = title;
  }
}
