import * as vscode from 'vscode';
import { DisposableStore } from '../base/lifecycle';
import type { Disposable } from '../base/lifecycle';
import type { Chat, Chats } from '../session/chats';
import { budgetQuestion, waitingRequests } from '../session/state/selectors';
import type { ChatViews } from './chatView/chatViews';
import { titleOf } from './chats/panelSource';
import type { Settings } from './settings/settings';
import { showInformationMessage } from './messages';

interface Seen {
  readonly requests: ReadonlySet<string>;
  readonly turnId: string | undefined;
  /** Of the question about the budget. */
  readonly questionId: string | undefined;
}

/**
 * Tells the user that a request waits, the budget is used up or a turn has ended when the chat is out of sight
 * (`parley.notifications`). A request can be answered there where the message shows all of it.
 */
export class Notifications implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly seen = new Map<string, Seen>();
  /** The request that a chat's message is about, while it is still there: a second one would say nothing new. */
  private readonly open = new Map<string, string>();

  constructor(
    private readonly chats: Chats,
    private readonly views: ChatViews,
    private readonly settings: Settings,
  ) {
    this.disposables.add(chats.onDidChange(chat => this.check(chat)));
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private check(chat: Chat): void {
    if (!this.chats.get(chat.chatId)) {
      this.seen.delete(chat.chatId);
      return;
    }
    const { state } = chat.store;
    const before = this.seen.get(chat.chatId);
    const turnId = state.activeTurn?.id;
    const requests = waitingRequests(state);
    const question = budgetQuestion(state);
    const isSame = before?.turnId === turnId && before?.questionId === question?.id;
    if (isSame && before?.requests.size === requests.length) return;
    this.seen.set(chat.chatId, {
      requests: new Set(requests.map(({ id }) => id)),
      turnId,
      questionId: question?.id,
    });
    const agent = state.agent.title ?? state.agent.name;
    const fresh = requests.find(({ id }) => before?.requests.has(id) !== true);
    if (fresh) {
      this.showRequest(chat, fresh.id);
      return;
    }
    // That of an earlier window is no news.
    if (before && question && before.questionId !== question.id) {
      this.showNews(chat, 'budget', `${agent}: ${question.text}`);
      return;
    }
    if (before?.turnId === undefined || before.turnId === turnId) return;
    const end = state.turns.findLast(turn => turn.id === before.turnId)?.end?.reason;
    if (end === undefined || end === 'cancelled') return;
    const title = titleOf(state);
    this.showNews(
      chat,
      'end',
      end === 'end_turn'
        ? vscode.l10n.t('{0} is done: {1}', agent, title)
        : vscode.l10n.t('{0} stopped early: {1}', agent, title),
    );
  }

  private showRequest(chat: Chat, requestId: string): void {
    const key = `request:${chat.chatId}`;
    const shown = this.open.get(key);
    const waits = waitingRequests(chat.store.state).some(({ id }) => id === shown);
    if (!this.isWanted(chat) || waits) return;
    this.open.set(key, requestId);
    const parts = {
      chats: this.chats,
      now: () => performance.now(),
      reveal: (chatId: string) => this.reveal(chatId),
    };
    void import('./inbox/requestMessage')
      .then(({ showRequestMessage }) => showRequestMessage(parts, chat, requestId))
      .finally(() => {
        if (this.open.get(key) === requestId) this.open.delete(key);
      });
  }

  private showNews(chat: Chat, what: 'budget' | 'end', message: string): void {
    const key = `${what}:${chat.chatId}`;
    if (!this.isWanted(chat) || this.open.has(key)) return;
    this.open.set(key, '');
    const show = vscode.l10n.t('Show');
    void showInformationMessage(message, show).then(answer => {
      this.open.delete(key);
      if (answer === show) void this.reveal(chat.chatId);
    });
  }

  private isWanted({ chatId }: Chat): boolean {
    const when = this.settings.current.notifications;
    return when === 'always' || (when === 'whenHidden' && !this.views.isVisible(chatId));
  }

  private async reveal(chatId: string): Promise<void> {
    if (this.chats.get(chatId)) await this.views.reveal(chatId);
  }
}
