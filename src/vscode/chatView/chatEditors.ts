import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle';
import { titleOf } from '../panelSource';
import { ChatView } from './chatView';
import type { ChatViewServices } from './chatView';

export const EDITOR_TYPE = 'parley.chatEditor';

interface ChatEditor {
  readonly panel: vscode.WebviewPanel;
  readonly view: ChatView;
}

/** Chats as editor tabs, which can move to a window of their own. */
export class ChatEditors implements vscode.WebviewPanelSerializer, Disposable {
  private readonly editors = new Set<ChatEditor>();
  private readonly visibility = new vscode.EventEmitter<void>();
  readonly onDidChangeVisibility = this.visibility.event;
  private readonly serializer: vscode.Disposable;
  private readonly listener: Disposable;

  constructor(private readonly services: ChatViewServices) {
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
    const panel = vscode.window.createWebviewPanel(EDITOR_TYPE, 'Parley', {
      viewColumn: vscode.ViewColumn.Active,
    });
    this.adopt(panel, chatId).view.command('focusComposer');
  }

  focus(view: ChatView): void {
    for (const editor of this.editors) if (editor.view === view) editor.panel.reveal();
    view.command('focusComposer');
  }

  /** A tab that VS Code restores after a reload of the window. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const chatId = (state as { readonly chatId?: unknown } | undefined)?.chatId;
    const editor = this.adopt(panel, typeof chatId === 'string' ? chatId : undefined);
    void this.services.restored.then(() => this.label(editor));
    return Promise.resolve();
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
    this.visibility.fire();
  }

  dispose(): void {
    this.listener.dispose();
    this.serializer.dispose();
    for (const { panel } of [...this.editors]) panel.dispose();
    this.visibility.dispose();
  }

  private adopt(panel: vscode.WebviewPanel, chatId: string | undefined): ChatEditor {
    const view = new ChatView('editor', panel.webview, this.services, chatId);
    const editor: ChatEditor = { panel, view };
    this.editors.add(editor);
    panel.iconPath = vscode.Uri.joinPath(this.services.extensionUri, 'media', 'parley.svg');
    this.label(editor);
    let { visible } = panel;
    panel.onDidChangeViewState(() => {
      if (visible && !panel.visible) view.hidden();
      visible = panel.visible;
      this.visibility.fire();
    });
    panel.onDidDispose(() => {
      view.dispose();
      this.editors.delete(editor);
      this.visibility.fire();
    });
    this.visibility.fire();
    return editor;
  }

  private label({ panel, view }: ChatEditor): void {
    const chat = view.chatId === undefined ? undefined : this.services.chats.get(view.chatId);
    const title = chat ? titleOf(chat.store.state) : 'Parley';
    if (panel.title !== title) panel.title = title;
  }
}
