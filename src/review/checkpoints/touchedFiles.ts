import type { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/logger';

/** Events of one command come together; they are looked at together. */
const BATCH_MS = 30;
/** How long after a failure a file is looked at again, in milliseconds. */
const TRY_AGAIN_MS = 30_000;

/** The files at which something happened, looked at in batches, one batch after the other. */
export class TouchedFiles implements Disposable {
  private readonly touched = new Set<string>();
  private readonly failed = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private retry: NodeJS.Timeout | undefined;
  private flushing: Promise<void> = Promise.resolve();

  /** @param look what is done with a batch; one that fails is tried again later */
  constructor(
    private readonly look: (files: readonly string[]) => Promise<void>,
    private readonly logger: Logger,
  ) {}

  /** For the next batch, whenever that is. */
  add(file: string): void {
    this.touched.add(file);
  }

  /** For a batch that begins soon. */
  touch(file: string): void {
    this.touched.add(file);
    this.timer ??= setTimeout(() => void this.flush(), BATCH_MS);
  }

  /** Resolves when all files so far have been looked at. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.touched.size === 0) return this.flushing;
    const given = [...this.touched];
    this.touched.clear();
    this.flushing = this.flushing
      .then(() => this.look(given))
      .catch((error: unknown) => {
        this.logger.error('Tracking failed: flush', error);
        this.tryAgain(given);
      });
    return this.flushing;
  }

  /** These could not be read. */
  tryAgain(files: Iterable<string>): void {
    for (const file of files) this.failed.add(file);
    if (this.failed.size === 0) return;
    this.retry ??= setTimeout(() => {
      this.retry = undefined;
      for (const file of this.failed) this.touch(file);
      this.failed.clear();
    }, TRY_AGAIN_MS);
  }

  dispose(): void {
    clearTimeout(this.timer);
    clearTimeout(this.retry);
  }
}
