import type { SessionState } from '../../src/session/state/state';

/** A key or click so soon after a request went was meant for that, in milliseconds. */
const UNREAD_MS = 500;

/** Whether what comes up in the place of a request that went could be read by now. */
export class RequestSettling {
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** @param onSettled is called when requests may be answered again */
  constructor(private readonly onSettled: () => void) {}

  /** False just after a request was answered, taken back or changed. */
  get isSettled(): boolean {
    return this.timer === undefined;
  }

  /** The same chat, before and now. */
  update(before: SessionState | undefined, now: SessionState | undefined): void {
    const left = new Set(now?.permissions.map(({ id, revision }) => `${id}/${revision}`));
    const isGone = before?.permissions.some(({ id, revision }) => !left.has(`${id}/${revision}`));
    if (isGone) this.begin();
  }

  /** Something else stands where the reader was about to click. */
  begin(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.onSettled();
    }, UNREAD_MS);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
