import { Emitter } from '../../base/event';
import { toDisposable, type Disposable } from '../../base/lifecycle';

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
  private allowance = Infinity;
  private countedAt = 0;
  private hurries = 0;
  private readonly hurried = new Emitter<void>();
  /** Reading need not wait any more. */
  readonly onDidHurry = this.hurried.event;

  constructor(private readonly options: PaceOptions) {}

  /** An update was read. @returns for how many milliseconds the next has to wait. */
  took(sessionId: string): number {
    const perMinute = this.options.perMinute();
    if (perMinute <= 0 || this.hurries > 0) {
      this.allowance = Infinity;
      return 0;
    }
    const now = this.options.now();
    const burst = Math.max(1, perMinute * BURST);
    const perMillisecond = Math.max(perMinute - burst, 1) / MINUTE;
    const regained = Math.max(0, now - this.countedAt) * perMillisecond;
    this.allowance = Math.min(burst, this.allowance + regained) - 1;
    this.countedAt = now;
    if (this.allowance >= 1) return 0;
    this.options.onSlowed(sessionId);
    return Math.ceil((1 - this.allowance) / perMillisecond);
  }

  /** Lets everything through until the result is disposed: what comes is waited for. */
  hurry(): Disposable {
    this.hurries += 1;
    this.hurried.fire();
    return toDisposable(() => (this.hurries -= 1));
  }
}
