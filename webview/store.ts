import { assertNever } from '../src/base/assertNever';
import { Emitter } from '../src/base/event';
import { reduce } from '../src/session/state/reducer';
import type { SessionState } from '../src/session/state/state';
import type {
  ActionsMessage,
  FromView,
  SimpleCommand,
  SnapshotMessage,
  ToView,
} from '../src/shared/messages';
import type { PanelState } from '../src/shared/panelState';

/** How long a request for a snapshot may go unanswered before the next sign of a gap repeats it, in ms. */
const RESYNC_PATIENCE = 1000;

export interface ViewClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `task` once before the next frame is painted. */
  nextFrame(task: () => void): void;
}

export type ViewCommand = Extract<
  ToView,
  { type: SimpleCommand['type'] | 'editPrompt' | 'answerRequest' }
>;

/**
 * The view's copy of what it shows. Folds the host's messages with the reducer that the host uses too, and
 * asks for a snapshot when a number is missing, so that a lost message never leaves a wrong picture.
 */
export class ViewStore {
  private readonly changed = new Emitter<void>();
  private readonly commanded = new Emitter<ViewCommand>();
  private panelState: PanelState | undefined;
  private sessionState: SessionState | undefined;
  private generation = 0;
  private seq = 0;
  private resyncAskedAt: number | undefined;
  private clockOffset = 0;
  private frameAsked = false;

  /** Fires at most once a frame, after anything changed. */
  readonly onDidChange = this.changed.event;
  /** What the host wants shown, once per message, after the changes that came before it. */
  readonly onDidCommand = this.commanded.event;

  constructor(
    private readonly post: (message: FromView) => void,
    private readonly clock: ViewClock,
  ) {}

  get panel(): PanelState | undefined {
    return this.panelState;
  }

  /** The chat shown; undefined before the first snapshot and when there is none. */
  get session(): SessionState | undefined {
    return this.sessionState;
  }

  /** The host's clock, in milliseconds since the epoch. */
  now(): number {
    return this.clock.now() + this.clockOffset;
  }

  accept(message: ToView): void {
    switch (message.type) {
      case 'panel':
        this.panelState = message.state;
        this.announce();
        return;
      case 'snapshot':
        this.acceptSnapshot(message);
        return;
      case 'actions':
        this.acceptActions(message);
        return;
      case 'noChat':
        this.sessionState = undefined;
        this.resyncAskedAt = undefined;
        this.announce();
        return;
      case 'focusComposer':
      case 'showChats':
      case 'find':
      case 'previousPrompt':
      case 'nextPrompt':
      case 'editPrompt':
      case 'answerRequest':
        // After the frame that shows what came before it: what is to be focused may be part of that.
        this.clock.nextFrame(() => this.commanded.fire(message));
        return;
      case 'queryAnswer':
        return; // for who asked, see `QueryClient`
      default:
        assertNever(message);
    }
  }

  private acceptSnapshot(message: SnapshotMessage): void {
    if (message.generation < this.generation) return;
    this.generation = message.generation;
    this.seq = message.seq;
    this.sessionState = message.state;
    this.clockOffset = message.now - this.clock.now();
    this.resyncAskedAt = undefined;
    this.announce();
  }

  private acceptActions({ generation, from, to, actions }: ActionsMessage): void {
    // Older generations, and numbers seen already, come late or twice: nothing is missing.
    if (generation < this.generation) return;
    if (generation === this.generation && to <= this.seq) return;
    const { sessionState } = this;
    const follows = generation === this.generation && from === this.seq + 1;
    if (!sessionState || !follows) {
      this.askForSnapshot();
      return;
    }
    // A reducer that throws would leave half a batch applied.
    try {
      this.sessionState = actions.reduce(reduce, sessionState);
    } catch (error) {
      this.post({ type: 'viewError', message: `A batch of actions failed: ${String(error)}` });
      this.askForSnapshot();
      return;
    }
    this.seq = to;
    if (this.sessionState !== sessionState) this.announce();
  }

  private askForSnapshot(): void {
    const now = this.clock.now();
    if (this.resyncAskedAt !== undefined && now - this.resyncAskedAt < RESYNC_PATIENCE) return;
    this.resyncAskedAt = now;
    this.post({ type: 'resync' });
  }

  private announce(): void {
    if (this.frameAsked) return;
    this.frameAsked = true;
    this.clock.nextFrame(() => {
      this.frameAsked = false;
      this.changed.fire();
    });
  }
}
