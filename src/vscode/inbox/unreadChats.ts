import type * as vscode from 'vscode';
import { Emitter } from '../../base/event';
import { DisposableStore, type Disposable } from '../../base/lifecycle';
import type { Chat, Chats } from '../../session/chats';
import type { ChatSummary } from '../../shared/panelState';

const UNREAD_KEY = 'parley.unread';

export type Unread = NonNullable<ChatSummary['unread']>;

interface Watched {
  readonly turnId: string | undefined;
  readonly hasFailed: boolean;
}

/** The chats in which something ended while the user could not see them, until they are shown. */
export class UnreadChats implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly changed = this.disposables.add(new Emitter<void>());
  readonly onDidChange = this.changed.event;
  private readonly watched = new Map<string, Watched>();
  private readonly marks: Map<string, Unread>;
  private isVisible: (chatId: string) => boolean = () => true;

  constructor(
    private readonly chats: Pick<Chats, 'get' | 'onDidChange'>,
    private readonly memory: Pick<vscode.Memento, 'get' | 'update'>,
  ) {
    this.marks = new Map(memory.get<[string, Unread][]>(UNREAD_KEY) ?? []);
    this.disposables.add(chats.onDidChange(chat => this.check(chat)));
  }

  /** Begins to mark: chats that `isVisible` are read. Call `look` when that may have changed. */
  watch(isVisible: (chatId: string) => boolean): void {
    this.isVisible = isVisible;
    this.look();
  }

  /** The user may see other chats now. */
  look(): void {
    const seen = [...this.marks.keys()].filter(chatId => this.isVisible(chatId));
    for (const chatId of seen) this.marks.delete(chatId);
    if (seen.length > 0) this.keep();
  }

  of(chatId: string): Unread | undefined {
    return this.marks.get(chatId);
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private check({ chatId, store: { state } }: Chat): void {
    if (!this.chats.get(chatId)) {
      this.watched.delete(chatId);
      if (this.marks.delete(chatId)) this.keep();
      return;
    }
    const before = this.watched.get(chatId);
    const turnId = state.activeTurn?.id;
    const hasFailed = state.connection.kind === 'failed';
    if (before && before.turnId === turnId && before.hasFailed === hasFailed) return;
    this.watched.set(chatId, { turnId, hasFailed });
    // The first look tells how it is, not that something has happened.
    if (!before || this.isVisible(chatId)) return;
    if (hasFailed && !before.hasFailed) {
      this.mark(chatId, 'failed');
    } else if (before.turnId !== undefined && before.turnId !== turnId) {
      const end = state.turns.findLast(({ id }) => id === before.turnId)?.end?.reason;
      // What the user has stopped is known to them.
      if (end === 'failed') this.mark(chatId, 'failed');
      else if (end !== undefined && end !== 'cancelled' && end !== 'interrupted') {
        this.mark(chatId, 'done');
      }
    }
  }

  private mark(chatId: string, unread: Unread): void {
    if (this.marks.get(chatId) === unread) return;
    this.marks.set(chatId, unread);
    this.keep();
  }

  private keep(): void {
    void this.memory.update(UNREAD_KEY, [...this.marks]);
    this.changed.fire();
  }
}
