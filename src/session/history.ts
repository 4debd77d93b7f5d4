/**
 * Chats outlive the window: each is a file of lines, a snapshot first and then the actions since, appended
 * as they happen. Reading it back is folding the actions.
 */
import { DisposableStore, type Disposable } from '../base/lifecycle';
import type { Logger } from '../base/logger';
import type { SessionAction } from './state/actions';
import { asleep } from './asleep';
import type { Chat, Chats } from './chats';
import { pushMerged } from './state/mergeActions';
import type { Environment } from './ports';
import { reduce } from './state/reducer';
import type { SessionState } from './state/state';

/** Where the lines are kept; one text for each chat. */
export interface HistoryStorage {
  /** Ids of the chats there are, the one written last first, and when that was (ms since the epoch). */
  list(): Promise<readonly { readonly chatId: string; readonly updatedAt: number }[]>;
  read(chatId: string): Promise<string>;
  append(chatId: string, text: string): Promise<void>;
  replace(chatId: string, text: string): Promise<void>;
  remove(chatId: string): Promise<void>;
}

/** How long changes are collected before they are written, in milliseconds. */
const WRITE_AFTER = 1_000;
/** Chats kept; older ones are removed. */
const MAX_CHATS = 100;
/** A text longer than this (UTF-16 units) is written anew as one snapshot when it is read. */
const COMPACT_BEYOND = 256 * 1024;

/** Says what the agent is or offers now; a later process tells it anew. */
const TRANSIENT: ReadonlySet<SessionAction['type']> = new Set<SessionAction['type']>([
  'connectionChanged',
  'agentIdentified',
  'commandsChanged',
  'configChanged',
  'configValueChanged',
]);

export class ChatHistory implements Disposable {
  private readonly resources = new DisposableStore();
  private readonly journals = new Map<string, Journal>();
  /** Ids of the chats that have a text already. */
  private readonly stored = new Set<string>();

  constructor(
    private readonly chats: Chats,
    private readonly storage: HistoryStorage,
    private readonly environment: Environment,
    private readonly logger: Logger,
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
      this.stored.add(chatId);
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
      const restored = asleep(state, this.environment);
      if (text.length > COMPACT_BEYOND) {
        await this.storage.replace(chatId, snapshotLine(restored));
      }
      return restored;
    });
  }

  private follow(chat: Chat): void {
    const stored = this.stored.has(chat.chatId);
    const journal = new Journal(chat, stored, this.storage, this.environment, this.logger);
    this.journals.set(chat.chatId, journal);
  }

  private forget(chat: Chat): void {
    const journal = this.journals.get(chat.chatId);
    this.journals.delete(chat.chatId);
    this.stored.delete(chat.chatId);
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

/** Writes one chat's actions, in order, a little later. A chat with nothing said in it is not written. */
class Journal implements Disposable {
  private pending: SessionAction[] = [];
  private timer: Disposable | undefined;
  /** UTF-16 units since the last snapshot. */
  private appended = 0;
  private readonly subscription: Disposable;
  settled: Promise<void> = Promise.resolve();

  constructor(
    private readonly chat: Chat,
    private stored: boolean,
    private readonly storage: HistoryStorage,
    private readonly environment: Environment,
    private readonly logger: Logger,
  ) {
    this.subscription = chat.store.onDidApply(({ action }) => this.add(action));
    // A chat that was brought back after its text was removed is written again.
    if (!stored && isWorthKeeping(chat.store.state)) this.schedule();
  }

  flush(): Promise<void> {
    this.timer?.dispose();
    this.timer = undefined;
    const { pending, chat } = this;
    const { chatId, store } = chat;
    if (this.stored ? pending.length === 0 : !isWorthKeeping(store.state)) return this.settled;
    this.pending = [];
    const line = `${JSON.stringify(pending)}\n`;
    this.appended += line.length;
    // What was appended may be more than what is left of it: a command can write for hours.
    const whole = !this.stored || this.appended > COMPACT_BEYOND * 4;
    const snapshot = whole ? snapshotLine(store.state) : undefined;
    if (whole) this.appended = 0;
    this.stored = true;
    this.settled = this.settled
      .then(() =>
        snapshot === undefined
          ? this.storage.append(chatId, line)
          : this.storage.replace(chatId, snapshot),
      )
      .catch((error: unknown) => {
        // The next write begins anew: what follows a gap could not be read.
        this.stored = false;
        this.logger.error(`The chat ${chatId} could not be written`, error);
      });
    return this.settled;
  }

  dispose(): void {
    this.subscription.dispose();
    this.timer?.dispose();
  }

  private add(action: SessionAction): void {
    if (TRANSIENT.has(action.type)) return;
    pushMerged(this.pending, action);
    // What the user says is written at once: an extension host may crash over what comes of it.
    if (action.type === 'turnStarted') void this.flush();
    else this.schedule();
  }

  private schedule(): void {
    this.timer ??= this.environment.after(WRITE_AFTER, () => void this.flush());
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
    state = { ...line.state, elicitations: line.state.elicitations ?? [] };
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

function snapshotLine(state: SessionState): string {
  return `${JSON.stringify({ version: 1, state })}\n`;
}

function isWorthKeeping({ turns, activeTurn, draft, queue }: SessionState): boolean {
  return (
    turns.length > 0 ||
    activeTurn !== undefined ||
    queue.length > 0 ||
    draft.text !== '' ||
    draft.attachments.length > 0
  );
}
