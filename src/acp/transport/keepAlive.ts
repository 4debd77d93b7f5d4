/** How often the other side is asked whether it is there, in milliseconds: proxies drop what is silent for a minute. */
export const KEEP_ALIVE_MS = 25_000;

/**
 * Asks the other side of a connection at intervals whether it is still there. One that has not answered by the
 * next time is gone, though nobody has said so: a machine that sleeps, a network that has changed.
 */
export class KeepAlive {
  private isWaiting = false;
  private readonly timer: ReturnType<typeof setInterval>;

  /** @param ask returns whether it has asked, and `answered` is to be called */
  constructor(ask: () => boolean, onSilence: () => void) {
    this.timer = setInterval(() => {
      if (this.isWaiting) onSilence();
      else this.isWaiting = ask();
    }, KEEP_ALIVE_MS);
  }

  answered(): void {
    this.isWaiting = false;
  }

  dispose(): void {
    clearInterval(this.timer);
  }
}
