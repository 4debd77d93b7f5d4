import { DisposableStore, type Disposable } from '../../base/lifecycle';
import type { Chats } from '../../session/chats';
import type { Environment } from '../../session/ports';
import type { ChatViews } from '../chatView/chatViews';

/** A view that moves is closed first and opened again: this long, in milliseconds, it may take. */
const MOVING = 400;

/**
 * Ends what nobody can see any more: when a chat's last view is closed its session ends, and with it the
 * agent unless another chat uses it; with the last view of all, every session. The chats stay in the list
 * and go on when something is sent. Hiding is not closing: agents work on in the background.
 */
export class UnwatchedChats implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly closed: (string | undefined)[] = [];
  private timer: Disposable | undefined;

  constructor(
    private readonly chats: Chats,
    private readonly views: ChatViews,
    environment: Environment,
  ) {
    this.disposables.add(
      views.onDidClose(chatId => {
        this.timer?.dispose();
        this.closed.push(chatId);
        this.timer = environment.after(MOVING, () => this.end());
      }),
    );
  }

  dispose(): void {
    this.timer?.dispose();
    this.disposables.dispose();
  }

  private end(): void {
    const closed = this.closed.splice(0);
    for (const { chatId, controller } of this.chats.all) {
      const unwatched = closed.includes(chatId) && !this.views.shows(chatId);
      if (unwatched || !this.views.anyOpen) void controller.close();
    }
  }
}
