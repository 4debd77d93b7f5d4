import * as vscode from 'vscode';
import { DisposableStore } from '../base/lifecycle';
import { visibleText } from '../base/visibleText';
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
 * (`parley.notifications`). Answering happens in the chat or the diff editor: a notification cannot show
 * the whole command or diff that is to be allowed.
 */
export class Notifications implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly seen = new Map<string, Seen>();
  /** Chats whose last notification is still there: a second one would say nothing new. */
  private readonly open = new Set<string>();

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
      this.show(
        chat,
        `request:${chat.chatId}`,
        vscode.l10n.t('{0} asks: {1}', agent, visibleText(fresh.title)),
      );
      return;
    }
    // That of an earlier window is no news.
    if (before && question && before.questionId !== question.id) {
      this.show(chat, `budget:${chat.chatId}`, `${agent}: ${question.text}`);
      return;
    }
    if (before?.turnId === undefined || before.turnId === turnId) return;
    const end = state.turns.findLast(turn => turn.id === before.turnId)?.end?.reason;
    if (end === undefined || end === 'cancelled') return;
    const title = titleOf(state);
    this.show(
      chat,
      `end:${chat.chatId}`,
      end === 'end_turn'
        ? vscode.l10n.t('{0} is done: {1}', agent, title)
        : vscode.l10n.t('{0} stopped early: {1}', agent, title),
    );
  }

  private show(chat: Chat, key: string, message: string): void {
    const when = this.settings.current.notifications;
    if (when === 'never' || (when === 'whenHidden' && this.views.isVisible(chat.chatId))) return;
    if (this.open.has(key)) return;
    this.open.add(key);
    const show = vscode.l10n.t('Show');
    void showInformationMessage(message, show).then(answer => {
      this.open.delete(key);
      if (answer === show && this.chats.get(chat.chatId)) void this.views.reveal(chat.chatId);
    });
  }
}
