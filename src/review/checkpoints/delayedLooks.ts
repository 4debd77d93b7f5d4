/** Files whose change cannot be told yet whose it is, until it can. */
export class DelayedLooks {
  /** With the time when it can: ms since the epoch. */
  private readonly files = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private waiting: Promise<void> | undefined;

  /**
   * @param look told of each file when it is time
   * @param now milliseconds since the epoch
   */
  constructor(
    private readonly look: (file: string) => void,
    private readonly now: () => number,
  ) {}

  add(file: string, until: number): void {
    this.files.set(file, until);
    this.waiting ??= new Promise(resolve => {
      const wait = Math.max(0, until - this.now()) + 1;
      this.timer = setTimeout(() => {
        this.waiting = undefined;
        const now = this.now();
        const all = [...this.files];
        this.files.clear();
        for (const [name, time] of all) {
          if (time <= now) this.look(name);
          else this.add(name, time);
        }
        resolve();
      }, wait);
    });
  }

  /** Resolves when the next of them are looked at; undefined when there are none. */
  next(): Promise<void> | undefined {
    return this.files.size > 0 ? this.waiting : undefined;
  }

  dispose(): void {
    clearTimeout(this.timer);
  }
}
