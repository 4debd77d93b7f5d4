const MINUTE = 60_000;

/** Counts what happens, so that no minute holds more of it than allowed. */
export class Rate {
  private times: number[] = [];

  /** @param now milliseconds since the epoch */
  constructor(private readonly now: () => number) {}

  /**
   * Counts one more if `perMinute` allows it; 0 allows any number.
   * @returns 0 when it was counted, else after how many milliseconds it may be tried again
   */
  take(perMinute: number): number {
    if (perMinute === 0) {
      this.times = [];
      return 0;
    }
    const now = this.now();
    const recent = this.times.filter(time => now - time < MINUTE);
    this.times = recent;
    if (recent.length < perMinute) {
      recent.push(now);
      return 0;
    }
    const free = recent[recent.length - perMinute] ?? now;
    return Math.max(1, free + MINUTE - now);
  }
}
