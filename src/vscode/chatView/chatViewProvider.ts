import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle';
import { ChatView } from './chatView';
import type { ChatViewContext, ViewCommand } from './chatView';

export const VIEW_ID = 'parley.chat';

const CHAT_KEY = 'parley.sidebarChat';

/** The chat in the secondary side bar. It exists from when VS Code first shows it. */
export class ChatViewProvider implements vscode.WebviewViewProvider, Disposable {
  private readonly registration: vscode.Disposable;
  private readonly visibility = new vscode.EventEmitter<void>();
  readonly onDidChangeVisibility = this.visibility.event;
  private readonly closed = new vscode.EventEmitter<string | undefined>();
  /** The view is gone, not only hidden: it was removed, or moves to another container. Tells its chat. */
  readonly onDidClose = this.closed.event;
  private native: vscode.WebviewView | undefined;
  private chatView: ChatView | undefined;
  private shown: string | undefined;
  private count = 0;
  /** What the view shall do once it exists. */
  private wanted: ViewCommand | undefined;

  constructor(
    private readonly services: ChatViewContext,
    private readonly memory: vscode.Memento,
  ) {
    this.shown = memory.get<string>(CHAT_KEY);
    // Shown again it is as it was, at once. Hidden it is sent nothing and does nothing.
    this.registration = vscode.window.registerWebviewViewProvider(VIEW_ID, this, {
      webviewOptions: { retainContextWhenHidden: true },
    });
  }

  resolveWebviewView(native: vscode.WebviewView): void {
    this.native = native;
    const view = new ChatView('sidebar', native.webview, this.services, this.shown);
    this.chatView = view;
    native.onDidChangeVisibility(() => {
      view.setVisible(native.visible);
      this.visibility.fire();
    });
    native.onDidDispose(() => {
      view.dispose();
      if (this.native !== native) return;
      this.native = undefined;
      this.chatView = undefined;
      this.visibility.fire();
      this.closed.fire(this.shown);
    });
    this.deliver();
    this.updateBadge();
    this.visibility.fire();
  }

  get chatId(): string | undefined {
    return this.shown;
  }

  /** The view, while it exists. */
  get view(): ChatView | undefined {
    return this.chatView;
  }

  /** True while the view exists, hidden or not. */
  get open(): boolean {
    return this.native !== undefined;
  }

  get visible(): boolean {
    return this.native?.visible === true;
  }

  show(chatId: string | undefined): void {
    this.shown = chatId;
    void this.memory.update(CHAT_KEY, chatId);
    this.chatView?.show(chatId);
    this.visibility.fire();
  }

  /** Shows the panel, and does `command` in it. */
  async focus(command: ViewCommand = { type: 'focusComposer' }): Promise<void> {
    this.wanted = command;
    await vscode.commands.executeCommand(`${VIEW_ID}.focus`);
    this.deliver();
  }

  /** So many requests wait for the user. */
  setWaiting(count: number): void {
    this.count = count;
    this.updateBadge();
  }

  dispose(): void {
    this.chatView?.dispose();
    this.registration.dispose();
    this.visibility.dispose();
    this.closed.dispose();
  }

  private deliver(): void {
    if (!this.chatView || this.wanted === undefined) return;
    this.chatView.command(this.wanted);
    this.wanted = undefined;
  }

  private updateBadge(): void {
    if (!this.native) return;
    const { count } = this;
    const tooltip =
      count === 1
        ? vscode.l10n.t('1 request is waiting for you')
        : vscode.l10n.t('{0} requests are waiting for you', count);
    this.native.badge = count === 0 ? undefined : { value: count, tooltip };
  }
}
