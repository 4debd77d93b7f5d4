import * as vscode from 'vscode';
import type { Disposable } from '../base/lifecycle';
import type { Chats } from '../session/chats';
import { waitingRequests } from '../session/state/selectors';
import type { ChatRequests } from './chats/chatRequests';
import type { ChatViews } from './chatView/chatViews';

/** Context keys that menus, keybindings and the walkthrough ask about. */
export const KEYS = {
  requestWaiting: 'parley.requestWaiting',
  turnRunning: 'parley.turnRunning',
  hasChat: 'parley.hasChat',
  /** The walkthrough's steps: a message was sent, a request answered. */
  hasSent: 'parley.hasSent',
  hasAnswered: 'parley.hasAnswered',
} as const;

/** Keeps the context keys true. Sets one only when its value changes: each set is a message to the window. */
export class ContextKeys implements Disposable {
  private readonly values = new Map<string, boolean>();
  private readonly listener: Disposable;

  constructor(
    private readonly chats: Chats,
    private readonly requests: ChatRequests,
    private readonly views: ChatViews,
  ) {
    this.listener = chats.onDidChange(() => this.update());
    this.update();
  }

  dispose(): void {
    this.listener.dispose();
  }

  private update(): void {
    const states = this.chats.all.map(chat => chat.store.state);
    const { count } = this.requests;
    const waiting = count > 0;
    if (this.values.get(KEYS.requestWaiting) === true && !waiting) this.set(KEYS.hasAnswered, true);
    this.set(KEYS.requestWaiting, waiting);
    this.set(KEYS.hasChat, states.length > 0);
    const running = states.some(state => state.activeTurn !== undefined);
    this.set(KEYS.turnRunning, running);
    if (running) this.set(KEYS.hasSent, true);
    this.views.setWaiting(states.reduce((sum, state) => sum + waitingRequests(state).length, 0));
  }

  private set(key: string, value: boolean): void {
    if (this.values.get(key) === value) return;
    this.values.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  }
}
