import { Emitter } from '../../base/event';
import { toDisposable, type Disposable } from '../../base/lifecycle';

/**
 * Updates that begin something new (calls, plans; not pieces of a message) at once, and in a second: each is recorded,
 * stored and drawn, so an agent that sends more would take the time of all the others.
 */
const MOST_AT_ONCE = 2_000;
const MOST_PER_SECOND = 500;
const MINUTE = 60_000;
/** The part of a minute's updates that may come at once; the rest is spread. */
const BURST = 0.1;

export interface PaceOptions {
  /** Updates in any minute (`parley.limits.updatesPerMinute`); 0 for as many as the agent likes. */
  readonly perMinute: () => number;
  /** Milliseconds, from whenever. */
  readonly now: () => number;
  /** Reading has to wait after an update of this session. Told each time. */
  readonly onSlowed: (sessionId: string) => void;
}

/**
 * How fast an agent's updates are read. Those beyond the limit stay where they are, so that the agent
 * itself is slowed down in the end and nothing is lost.
 */
export class ReadingPace {
  private readonly limit = new Bucket();
  private readonly fairness = new Bucket();
  private hurries = 0;
  private readonly hurried = new Emitter<void>();
  /** Reading need not wait any more. */
  readonly onDidHurry = this.hurried.event;

  constructor(private readonly options: PaceOptions) {}

  /**
   * An update was read.
   * @param isPiece it goes on with a message
   * @returns for how many milliseconds the next has to wait
   */
  took(sessionId: string, isPiece = false): number {
    if (this.hurries > 0) {
      for (const bucket of [this.limit, this.fairness]) bucket.fill();
      return 0;
    }
    const now = this.options.now();
    const fair = isPiece ? 0 : this.fairness.take(MOST_AT_ONCE, MOST_PER_SECOND / 1000, now);
    const perMinute = this.options.perMinute();
    if (perMinute <= 0) {
      this.limit.fill();
      return fair;
    }
    const burst = Math.max(1, perMinute * BURST);
    const wait = this.limit.take(burst, Math.max(perMinute - burst, 1) / MINUTE, now);
    if (wait > 0) this.options.onSlowed(sessionId);
    return Math.max(fair, wait);
  }

  /** Lets everything through until the result is disposed: what comes is waited for. */
  hurry(): Disposable {
    this.hurries += 1;
    this.hurried.fire();
    return toDisposable(() => (this.hurries -= 1));
  }
}

/** What may be taken now, and comes back with time. */
class Bucket {
  private left = Infinity;
  private countedAt = 0;

  fill(): void {
    this.left = Infinity;
  }

  /** @returns for how many milliseconds the next one has to wait */
  take(most: number, perMillisecond: number, now: number): number {
    const regained = Math.max(0, now - this.countedAt) * perMillisecond;
    this.left = Math.min(most, this.left + regained) - 1;
    this.countedAt = now;
    return this.left >= 1 ? 0 : Math.ceil((1 - this.left) / perMillisecond);
  }
}
