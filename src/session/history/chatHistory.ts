/**
 * Chats outlive the window: each is a file of lines, a snapshot first and then the actions since, appended
 * as they happen. Reading it back is folding the actions.
 */
import * as l10n from '@vscode/l10n';
import { DisposableStore, type Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/logger';
import { stoppedState } from '../lifecycle/stoppedState';
import type { Chat, Chats } from '../chats';
import { parseHistory, readHistory, snapshotLine } from './historyText';
import { Journal } from './journal';
import { noticeOf } from '../notices';
import type { Environment } from '../ports';
import { reduce } from '../state/reducer';
import type { SessionState } from '../state/state';

/** Where the lines are kept; one text for each chat. */
export interface HistoryStorage {
  /** Ids of the chats there are, the one written last first, and when that was (ms since the epoch). */
  list(): Promise<readonly { readonly chatId: string; readonly updatedAt: number }[]>;
  read(chatId: string): Promise<string>;
  append(chatId: string, text: string): Promise<void>;
  /** @param merge makes the text when another window has written there: of what is there now */
  replace(chatId: string, text: string, merge?: (theirs: string) => string): Promise<void>;
  remove(chatId: string): Promise<void>;
  /**
   * Keeps the text apart under a name of its own, which nothing is ever written over.
   * @param isCopied what can be read of it stays where it is, too
   * @returns where it is now, for the user
   */
  keepApart(chatId: string, isCopied: boolean): Promise<string>;
  /** Whether another window has written the text since it was last read or written here. */
  hasChanged(chatId: string): Promise<boolean>;
}

/** What the user has to know. */
export interface HistoryReports {
  /** Chats cannot be written; reported once until they can be again. */
  notSaved(error: unknown): void;
  /** These could not be read, or not to their end, and are kept apart. */
  unreadable(places: readonly string[]): void;
}

/** Chats kept; older ones are removed. */
const MAX_CHATS = 100;
/** A text longer than this (UTF-16 units) is rewritten as one snapshot when it is read. */
const COMPACT_BEYOND = 256 * 1024;

export class ChatHistory implements Disposable {
  private readonly resources = new DisposableStore();
  private readonly journals = new Map<string, Journal>();
  /** The chats that have a text already, by id; one that cannot be appended to is rewritten. */
  private readonly stored = new Map<string, 'whole' | 'torn'>();
  /** Ids of the chats that could not be written when it was last tried. */
  private readonly failing = new Set<string>();

  constructor(
    private readonly chats: Chats,
    private readonly storage: HistoryStorage,
    private readonly environment: Environment,
    private readonly logger: Logger,
    private readonly reports: HistoryReports = NO_REPORTS,
  ) {}

  /** Brings the stored chats back and keeps every chat from now on. Never rejects. */
  async start(): Promise<void> {
    for (const chat of this.chats.all) this.follow(chat);
    this.resources.add(this.chats.onDidAdd(chat => this.follow(chat)));
    this.resources.add(this.chats.onDidDelete(chat => this.forget(chat)));
    const stored = (await this.guard('list', () => this.storage.list())) ?? [];
    await this.restore(stored.slice(0, MAX_CHATS));
    for (const one of stored.slice(MAX_CHATS)) {
      if (await this.isPinned(one.chatId)) await this.restore([one]);
      else await this.guard('remove', () => this.storage.remove(one.chatId));
    }
  }

  private async isPinned(chatId: string): Promise<boolean | undefined> {
    const text = await this.guard('look', () => this.storage.read(chatId));
    return text !== undefined && parseHistory(text)?.listed === 'pinned';
  }

  /** Brings what other windows have written since: their chats, and what they said in those of this one that rest. */
  async refresh(): Promise<void> {
    const stored = (await this.guard('list', () => this.storage.list())) ?? [];
    await this.restore(stored.filter(({ chatId }) => !this.chats.get(chatId)));
    const apart: string[] = [];
    for (const { chatId } of stored) {
      const chat = this.chats.get(chatId);
      const journal = this.journals.get(chatId);
      if (!chat || !journal?.isWritten || chat.store.state.activeTurn) continue;
      if (!(await this.guard('look', () => this.storage.hasChanged(chatId)))) continue;
      const state = await this.load(chatId, apart);
      if (!state || !journal.isWritten || chat.store.state.activeTurn) continue;
      const { turns, terminals, plan, plans, title } = state;
      journal.ignoring(() => {
        const more = { ...(plan && { plan }), ...(plans && { plans }) };
        chat.store.dispatch({ type: 'transcriptRestored', turns, terminals, ...more });
        chat.store.dispatch({ type: 'titleChanged', title });
        chat.store.dispatch({ type: 'listedChanged', listed: state.listed });
      });
    }
    if (apart.length > 0) this.reports.unreadable(apart);
  }

  /** Writes what is not written yet. */
  async flush(): Promise<void> {
    await Promise.all([...this.journals.values()].map(journal => journal.flush()));
  }

  dispose(): void {
    this.resources.dispose();
    for (const journal of this.journals.values()) journal.dispose();
  }

  private async restore(stored: Awaited<ReturnType<HistoryStorage['list']>>): Promise<void> {
    const apart: string[] = [];
    for (const { chatId, updatedAt } of stored) {
      const state = await this.load(chatId, apart);
      if (this.resources.isDisposed) return;
      if (!state || this.chats.get(chatId)) continue;
      this.chats.restore(state, updatedAt);
    }
    if (apart.length > 0) this.reports.unreadable(apart);
  }

  /** @param apart gets the places of what could not be read, or not to its end */
  private async load(chatId: string, apart: string[]): Promise<SessionState | undefined> {
    return this.guard(`the stored chat ${chatId}`, async () => {
      const text = await this.storage.read(chatId).catch((error: unknown) => {
        this.logger.error(`The chat ${chatId} could not be read`, error);
        return '';
      });
      const found = readHistory(text);
      if (found.kind === 'newer') throw new Error('A newer version has written it.');
      if (found.kind === 'unreadable' || found.state.chatId !== chatId) {
        apart.push(await this.storage.keepApart(chatId, false));
        return undefined;
      }
      let { state } = found;
      if (!found.isWhole) {
        const place = await this.storage.keepApart(chatId, true);
        apart.push(place);
        state = reduce(state, noticeOf(this.environment, 'warning', restIsMissing(place)));
      }
      const restored = stoppedState(state, this.environment);
      // What is appended to a line that a crash cut off could not be read.
      this.stored.set(chatId, found.isWhole ? 'whole' : 'torn');
      if (text.length > COMPACT_BEYOND || !found.isWhole) {
        // As it is: another window may be in the middle of a turn. What cannot be rewritten can still be read.
        await this.guard(`the chat ${chatId} was not made shorter`, async () => {
          await this.storage.replace(chatId, snapshotLine(state), theirs => theirs);
          this.stored.set(chatId, 'whole');
        });
      }
      return restored;
    });
  }

  private follow(chat: Chat): void {
    if (chat.isReplay) return;
    const { storage, environment } = this;
    const journal = new Journal(chat, this.stored.get(chat.chatId), storage, environment, error =>
      this.written(chat.chatId, error),
    );
    this.journals.set(chat.chatId, journal);
  }

  /** @param error undefined when it could be written */
  private written(chatId: string, error: unknown): void {
    if (error === undefined) {
      this.failing.delete(chatId);
      return;
    }
    this.logger.error(`The chat ${chatId} could not be written`, error);
    if (this.failing.size === 0) this.reports.notSaved(error);
    this.failing.add(chatId);
  }

  private forget(chat: Chat): void {
    const journal = this.journals.get(chat.chatId);
    this.journals.delete(chat.chatId);
    this.stored.delete(chat.chatId);
    this.failing.delete(chat.chatId);
    journal?.dispose();
    void journal?.settled.then(() => this.guard('remove', () => this.storage.remove(chat.chatId)));
  }

  private async guard<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.logger.error(`History failed: ${what}`, error);
      return undefined;
    }
  }
}

const NO_REPORTS: HistoryReports = { notSaved: () => undefined, unreadable: () => undefined };

function restIsMissing(place: string): string {
  return l10n.t(
    'The rest of this chat could not be read and is missing here. It was kept in {0}.',
    place,
  );
}
