/** What to do about an agent that has crashed. */
export type RestartDecision =
  { readonly kind: 'restart'; readonly delayMs: number } | { readonly kind: 'giveUp' };

/** Waits before the first, second and third restart in a row, in milliseconds. */
const DELAYS_MS = [0, 1000, 3000] as const;

const WINDOW_MS = 3 * 60 * 1000;

/** At most three restarts in three minutes, each later than the one before. A person's restart resets it. */
export class RestartPolicy {
  private restarts: number[] = [];

  /** Decides about a restart at `now` (milliseconds on any steady clock) and, if it may be, counts it. */
  decide(now: number): RestartDecision {
    this.restarts = this.restarts.filter(at => now - at < WINDOW_MS);
    const delayMs = DELAYS_MS[this.restarts.length];
    if (delayMs === undefined) return { kind: 'giveUp' };
    this.restarts.push(now);
    return { kind: 'restart', delayMs };
  }

  reset(): void {
    this.restarts = [];
  }
}
