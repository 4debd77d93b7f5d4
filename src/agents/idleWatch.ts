export interface IdleWatchParts {
  /** How long an agent may be idle; 0 for as long as it likes. Read whenever it begins to be. */
  minutes(): number;
  /** Names of the living processes below the agent; undefined when they cannot be known: it is not let go then. */
  children(): ReadonlySet<string> | undefined;
  letGo(): void;
}

/** Longest that a timer can wait, in milliseconds. */
const MAX_WAIT_MS = 2 ** 31 - 1;

/** Has an agent let go that nobody has asked anything for a while. What it began as it worked, and still runs, keeps it. */
export class IdleWatch {
  private timer: NodeJS.Timeout | undefined;
  /** What ran when the present work began. */
  private before: ReadonlySet<string> | undefined;
  /** What has begun while it worked. */
  private begun: ReadonlySet<string> = new Set();

  constructor(private readonly parts: IdleWatchParts) {}

  /** Something is asked of the agent: what begins from now on is the work. */
  workBegins(): void {
    if (this.parts.minutes() > 0) this.before ??= this.parts.children() ?? new Set();
  }

  /** Nobody needs the agent for now. */
  start(): void {
    if (this.timer) return;
    if (this.parts.minutes() <= 0) return;
    if (this.before) this.workEnds(this.before);
    this.wait();
  }

  /** Something has come of it, or was done: it is idle from now on. */
  stir(): void {
    if (!this.timer) return;
    this.stop();
    this.wait();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** It is gone, and what it had begun with it. */
  reset(): void {
    this.stop();
    this.before = undefined;
    this.begun = new Set();
  }

  private wait(): void {
    const ms = Math.min(this.parts.minutes() * 60_000, MAX_WAIT_MS);
    this.timer = setTimeout(() => this.end(), ms);
  }

  private workEnds(before: ReadonlySet<string>): void {
    const now = this.parts.children();
    if (!now) return;
    this.begun = new Set([...this.begun, ...[...now].filter(name => !before.has(name))]);
    this.before = undefined;
  }

  private end(): void {
    this.timer = undefined;
    if (this.before) this.workEnds(this.before);
    const { begun } = this;
    const now = this.parts.children();
    if (now) this.begun = new Set([...now].filter(name => begun.has(name)));
    if (!now || this.begun.size > 0) this.start();
    else if (this.parts.minutes() > 0) this.parts.letGo();
  }
}
