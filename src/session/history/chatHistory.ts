/**
 * Chats outlive the window: each is a file of lines, a snapshot first and then the actions since, appended
 * as they happen. Reading it back is folding the actions.
 */
import { DisposableStore, type Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/logger';
import type { SessionAction } from '../state/actions';
import { stoppedState } from '../lifecycle/stoppedState';
import type { Chat, Chats } from '../chats';
import { Journal, snapshotLine } from './journal';
import type { Environment } from '../ports';
import { withAsked } from '../state/permissionChanges';
import { reduce } from '../state/reducer';
import type { SessionState } from '../state/state';

/** Where the lines are kept; one text for each chat. */
export interface HistoryStorage {
  /** Ids of the chats there are, the one written last first, and when that was (ms since the epoch). */
  list(): Promise<readonly { readonly chatId: string; readonly updatedAt: number }[]>;
  read(chatId: string): Promise<string>;
  append(chatId: string, text: string): Promise<void>;
  replace(chatId: string, text: string): Promise<void>;
  remove(chatId: string): Promise<void>;
}

/** Chats kept; older ones are removed. */
const MAX_CHATS = 100;
/** A text longer than this (UTF-16 units) is written anew as one snapshot when it is read. */
const COMPACT_BEYOND = 256 * 1024;

export class ChatHistory implements Disposable {
  private readonly resources = new DisposableStore();
  private readonly journals = new Map<string, Journal>();
  /** The chats that have a text already, by id; one that cannot be appended to is written anew. */
  private readonly stored = new Map<string, 'whole' | 'torn'>();
  /** Ids of the chats that could not be written when it was last tried. */
  private readonly failing = new Set<string>();

  constructor(
    private readonly chats: Chats,
    private readonly storage: HistoryStorage,
    private readonly environment: Environment,
    private readonly logger: Logger,
    /** Chats cannot be written; told once until they can be again. */
    private readonly failed: (error: unknown) => void = () => undefined,
  ) {}

  /** Brings the stored chats back and keeps every chat from now on. Never rejects. */
  async start(): Promise<void> {
    for (const chat of this.chats.all) this.follow(chat);
    this.resources.add(this.chats.onDidAdd(chat => this.follow(chat)));
    this.resources.add(this.chats.onDidDelete(chat => this.forget(chat)));
    const stored = (await this.guard('list', () => this.storage.list())) ?? [];
    for (const { chatId } of stored.slice(MAX_CHATS)) {
      await this.guard('remove', () => this.storage.remove(chatId));
    }
    for (const { chatId, updatedAt } of stored.slice(0, MAX_CHATS)) {
      const state = await this.load(chatId);
      if (this.resources.isDisposed) return;
      if (!state || this.chats.get(chatId)) continue;
      this.chats.restore(state, updatedAt);
    }
  }

  /** Writes what is not written yet. */
  async flush(): Promise<void> {
    await Promise.all([...this.journals.values()].map(journal => journal.flush()));
  }

  dispose(): void {
    this.resources.dispose();
    for (const journal of this.journals.values()) journal.dispose();
  }

  private async load(chatId: string): Promise<SessionState | undefined> {
    return this.guard(`the stored chat ${chatId}, which is left alone`, async () => {
      const text = await this.storage.read(chatId);
      const state = parseHistory(text);
      if (state?.chatId !== chatId) throw new Error('It is not a chat.');
      const restored = stoppedState(state, this.environment);
      // What is appended to a line that a crash cut off could not be read.
      const isTorn = !text.endsWith('\n');
      this.stored.set(chatId, isTorn ? 'torn' : 'whole');
      if (text.length > COMPACT_BEYOND || isTorn) {
        const snapshot = snapshotLine(restored);
        // A chat that cannot be written anew can still be read.
        await this.guard(`the chat ${chatId} was not made shorter`, async () => {
          await this.storage.replace(chatId, snapshot);
          this.stored.set(chatId, 'whole');
        });
      }
      return restored;
    });
  }

  private follow(chat: Chat): void {
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
    if (this.failing.size === 0) this.failed(error);
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

/** The chat that `text` tells; undefined when its beginning cannot be read. A torn end is left out. */
export function parseHistory(text: string): SessionState | undefined {
  const [first, ...rest] = text.split('\n');
  let state: SessionState;
  try {
    const line = JSON.parse(first ?? '') as {
      readonly version?: unknown;
      readonly state?: Omit<SessionState, 'elicitations'> & Partial<SessionState>;
    };
    if (line.version !== 1 || !line.state) return undefined;
    // Chats written by an earlier version lack what has come since.
    state = withAsked({ ...line.state, elicitations: line.state.elicitations ?? [] });
  } catch {
    return undefined;
  }
  for (const line of rest) {
    try {
      if (line !== '') state = (JSON.parse(line) as readonly SessionAction[]).reduce(reduce, state);
    } catch {
      return state;
    }
  }
  return state;
}
