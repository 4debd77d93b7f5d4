import * as vscode from 'vscode';
import { Emitter } from '../../base/event';
import { DisposableStore } from '../../base/lifecycle';
import type { Disposable } from '../../base/lifecycle';
import type { Chat } from '../../session/chats';
import { ChatEditors } from './chatEditors';
import type { ChatView, ChatViewServices, ViewCommand, ViewIntent } from './chatView';
import { ChatViewProvider } from './chatViewProvider';

/** All views of chats: the side bar's, and those in editor tabs. */
export class ChatViews implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly sidebar: ChatViewProvider;
  private readonly editors: ChatEditors;
  private readonly visibility = new vscode.EventEmitter<void>();
  /** Another chat is shown, or a view was shown or hidden. */
  readonly onDidChangeVisibility = this.visibility.event;
  private readonly closed = new vscode.EventEmitter<string | undefined>();
  /** The view of this chat was closed (not only hidden), or is on its way to another place. */
  readonly onDidClose = this.closed.event;

  private readonly received = this.disposables.add(new Emitter<ViewIntent>());
  /** The user asked for something in a view. */
  readonly onDidReceiveIntent = this.received.event;

  constructor(
    private readonly services: ChatViewServices,
    memory: vscode.Memento,
  ) {
    const context = { ...services, received: this.received };
    this.sidebar = this.disposables.add(new ChatViewProvider(context, memory));
    this.editors = this.disposables.add(new ChatEditors(context, memory));
    this.disposables.add(this.visibility);
    this.disposables.add(this.closed);
    this.disposables.add(this.sidebar.onDidClose(chatId => this.closed.fire(chatId)));
    this.disposables.add(this.editors.onDidClose(chatId => this.closed.fire(chatId)));
    this.disposables.add(this.sidebar.onDidChangeVisibility(() => this.visibility.fire()));
    this.disposables.add(this.editors.onDidChangeVisibility(() => this.visibility.fire()));
    this.disposables.add(services.chats.onDidChange(chat => this.chatChanged(chat)));
  }

  /** The chat that commands are about: the active tab's, else the side bar's. */
  get current(): Chat | undefined {
    const chatId = this.editors.active?.chatId ?? this.sidebar.chatId;
    return chatId === undefined ? undefined : this.services.chats.get(chatId);
  }

  /** True while the user can see the chat. */
  isVisible(chatId: string): boolean {
    return (
      (this.sidebar.visible && this.sidebar.chatId === chatId) || this.editors.isVisible(chatId)
    );
  }

  /** Answers a request of the chat where the user can see it; see `AnswerMessage`. */
  answer(chatId: string, requestId: string, answer: 'allow' | 'reject'): void {
    const active = this.editors.active;
    const view =
      active?.chatId === chatId
        ? active
        : this.sidebar.visible && this.sidebar.chatId === chatId
          ? this.sidebar.view
          : this.editors.views.find(each => each.chatId === chatId);
    view?.answer(requestId, answer);
  }

  /** True while a view shows the chat, hidden or not. */
  shows(chatId: string): boolean {
    return (
      (this.sidebar.open && this.sidebar.chatId === chatId) ||
      this.editors.views.some(view => view.chatId === chatId)
    );
  }

  /** True while there is any view, hidden or not. */
  get anyOpen(): boolean {
    return this.sidebar.open || this.editors.views.length > 0;
  }

  /** Puts the caret into the composer of `view`, by default where the user works with chats now. */
  async focus(view = this.editors.active): Promise<void> {
    if (view?.host === 'editor') this.editors.focus(view);
    else await this.sidebar.focus();
  }

  /** Shows `chatId` in `view`, or where the user works with chats now. */
  show(chatId: string | undefined, view = this.editors.active): void {
    if (view?.host === 'editor') this.editors.show(view, chatId);
    else this.sidebar.show(chatId);
  }

  /** Brings a chat before the user: where it is visible already, else in the side bar. */
  async reveal(chatId: string): Promise<void> {
    if (this.editors.views.some(view => view.chatId === chatId) && this.sidebar.chatId !== chatId) {
      this.editors.open(chatId);
      return;
    }
    this.sidebar.show(chatId);
    await this.sidebar.focus();
  }

  openInEditor(chatId: string): void {
    this.editors.open(chatId);
  }

  /** Does `command` where the user works with chats now. */
  async command(command: ViewCommand): Promise<void> {
    const active = this.editors.active;
    if (active) active.command(command);
    else await this.sidebar.focus(command);
  }

  setWaiting(count: number): void {
    this.sidebar.setWaiting(count);
  }

  dispose(): void {
    this.disposables.dispose();
  }

  /** A deleted chat gives its place to none: the list of chats says what else there is. */
  private chatChanged({ chatId }: Chat): void {
    if (this.services.chats.get(chatId)) return;
    if (this.sidebar.chatId === chatId) this.sidebar.show(undefined);
    for (const view of this.editors.views) {
      if (view.chatId === chatId) this.editors.show(view, undefined);
    }
  }
}

export type { ChatView };
