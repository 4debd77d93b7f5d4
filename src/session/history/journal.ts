import type { Disposable } from '../../base/lifecycle';
import type { Chat } from '../chats';
import type { HistoryStorage } from './chatHistory';
import type { Environment } from '../ports';
import type { SessionAction } from '../state/actions';
import { pushMerged } from '../state/mergeActions';
import type { SessionState } from '../state/state';
import { parseHistory, snapshotLine } from './historyText';

/** How long changes are collected before they are written, in milliseconds. */
const WRITE_AFTER = 1_000;
/** When a write that failed is tried again, in milliseconds. */
const RETRY_AFTER = 15_000;
/** UTF-16 units appended after which one snapshot is written instead: a command can write for hours. */
const SNAPSHOT_AFTER = 1024 * 1024;

/** Says what the agent is or offers now; a later process says it again. */
const TRANSIENT: ReadonlySet<SessionAction['type']> = new Set<SessionAction['type']>([
  'connectionChanged',
  'agentIdentified',
  'commandsChanged',
  'configChanged',
  'configValueChanged',
]);

/** Writes one chat's actions, in order, a little later. A chat with nothing said in it is not written. */
export class Journal implements Disposable {
  private pending: SessionAction[] = [];
  private timer: Disposable | undefined;
  /** UTF-16 units since the last snapshot. */
  private appended = 0;
  /** The agent replays the transcript; until it has, what is stored is all there is of it. */
  private isHeld = false;
  private isIgnoring = false;
  private disposed = false;
  private readonly subscription: Disposable;
  settled: Promise<void> = Promise.resolve();

  constructor(
    private readonly chat: Chat,
    /** The text there is; a torn one is not appended to: what follows a gap could not be read. */
    private stored: 'whole' | 'torn' | undefined,
    private readonly storage: Pick<HistoryStorage, 'append' | 'replace'>,
    private readonly environment: Environment,
    /** After each write, with what went wrong. */
    private readonly written: (error: unknown) => void,
  ) {
    this.subscription = chat.store.onDidApply(({ action }) => this.add(action));
    // A chat that was brought back after its text was removed is written again.
    if (!stored && isWorthKeeping(chat.store.state)) this.schedule();
  }

  /** Writes what is not written yet. Never rejects; what fails is tried again later. */
  flush(): Promise<void> {
    this.timer?.dispose();
    this.timer = undefined;
    // One write after the other: each begins with knowing what became of the last.
    this.settled = this.settled.then(() => this.write());
    return this.settled;
  }

  dispose(): void {
    this.disposed = true;
    this.subscription.dispose();
    this.timer?.dispose();
  }

  private async write(): Promise<void> {
    const { pending, stored, storage } = this;
    const { chatId, store } = this.chat;
    if (this.isHeld) return;
    if (stored === 'whole' ? pending.length === 0 : !stored && !isWorthKeeping(store.state)) return;
    this.pending = [];
    const line = `${JSON.stringify(pending)}\n`;
    this.appended += line.length;
    // What was appended may be more than what is left of it.
    const whole = stored !== 'whole' || this.appended > SNAPSHOT_AFTER;
    if (whole) this.appended = 0;
    try {
      if (whole) {
        // What another window has said in the chat is a part of it.
        const merge = (theirs: string) => {
          const both = stored === 'whole' ? parseHistory(theirs + line) : undefined;
          return snapshotLine(both ?? withTurnsOf(theirs, store.state));
        };
        await storage.replace(chatId, snapshotLine(store.state), merge);
      } else await storage.append(chatId, line);
      this.stored = 'whole';
      this.written(undefined);
    } catch (error) {
      this.stored = 'torn';
      this.written(error);
      this.schedule(RETRY_AFTER);
    }
  }

  /** Whether all that happened in the chat is written. */
  get isWritten(): boolean {
    return this.pending.length === 0 && this.stored === 'whole';
  }

  /** Runs `task`, which brings into the chat what is stored already. */
  ignoring(task: () => void): void {
    this.isIgnoring = true;
    try {
      task();
    } finally {
      this.isIgnoring = false;
    }
  }

  private add(action: SessionAction): void {
    if (this.isIgnoring || TRANSIENT.has(action.type)) return;
    pushMerged(this.pending, action);
    if (action.type === 'transcriptCleared') this.isHeld = true;
    if (action.type === 'transcriptRestored' || action.type === 'sessionStarted') {
      this.isHeld = false;
    }
    // What the user says is written at once: an extension host may crash over what comes of it.
    if (action.type === 'turnStarted') void this.flush();
    else this.schedule();
  }

  private schedule(milliseconds = WRITE_AFTER): void {
    if (this.disposed) return;
    this.timer ??= this.environment.after(milliseconds, () => void this.flush());
  }
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

/** `state` with the turns of `text` that it has not. */
function withTurnsOf(text: string, state: SessionState): SessionState {
  const own = new Set(state.turns.map(({ id }) => id));
  const others = parseHistory(text)?.turns.filter(({ id }) => !own.has(id)) ?? [];
  if (others.length === 0) return state;
  const turns = [...state.turns, ...others].sort((a, b) => a.startedAt - b.startedAt);
  return { ...state, turns };
}
