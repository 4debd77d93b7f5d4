/** What to do about an agent that has crashed, or whose connection was lost. */
export type RestartDecision =
  { readonly kind: 'restart'; readonly delayMs: number } | { readonly kind: 'giveUp' };

/** How often an agent is started again by itself, and when. */
export interface RestartRule {
  /** How long to wait before the first restart of the window, the second and so on, in milliseconds; then no more. */
  readonly delaysMs: readonly number[];
  readonly windowMs: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** A program that crashes again will most likely go on to. */
export const PROGRAM_RESTARTS: RestartRule = {
  delaysMs: [0, SECOND, 3 * SECOND],
  windowMs: 3 * MINUTE,
};

/** Servers are updated, and laptops are carried from one network to another: a quarter of an hour. */
export const SERVER_RESTARTS: RestartRule = {
  delaysMs: [
    ...[0, 1, 2, 5, 10, 20, 30].map(seconds => seconds * SECOND),
    ...Array.from({ length: 14 }, () => MINUTE),
  ],
  windowMs: 20 * MINUTE,
};

/** At most so many restarts in a window, each later than the one before. A person's restart resets it. */
export class RestartPolicy {
  private restarts: number[] = [];

  /** Decides about a restart at `now` (milliseconds on any steady clock) and, if it may be, counts it. */
  decide(now: number, { delaysMs, windowMs }: RestartRule): RestartDecision {
    this.restarts = this.restarts.filter(at => now - at < windowMs);
    const delayMs = delaysMs[this.restarts.length];
    if (delayMs === undefined) return { kind: 'giveUp' };
    this.restarts.push(now);
    return { kind: 'restart', delayMs };
  }

  reset(): void {
    this.restarts = [];
  }
}
