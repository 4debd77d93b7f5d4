import { bytesOf } from '../../base/bytes';
import { FileError } from '../ports';
import type { Environment } from '../ports';
import { Rate } from '../turns/rate';

/** What one agent may ask of the editor's files, by the settings `parley.limits.*` and `parley.timeouts`. */
export interface FileLimitSettings {
  /** Largest text that is written, in bytes of UTF-8. */
  readonly fileBytes: number;
  /** Requests in any minute; 0 for as many as it likes. */
  readonly readsPerMinute: number;
  readonly writesPerMinute: number;
  readonly readSeconds: number;
  readonly writeSeconds: number;
}

/**
 * Keeps one chat's agent within the limits. What is refused is answered to the agent in words, with the name
 * of the setting; the session goes on.
 */
export class FileLimits {
  private readonly reads: Rate;
  private readonly writes: Rate;

  constructor(
    private readonly settings: () => FileLimitSettings,
    private readonly environment: Pick<Environment, 'now' | 'after'>,
  ) {
    const now = () => environment.now();
    this.reads = new Rate(now);
    this.writes = new Rate(now);
  }

  /** @throws FileError `tooMany` */
  admitRead(): void {
    count(this.reads, this.settings().readsPerMinute, 'readsPerMinute');
  }

  /** @throws FileError `tooMany`, `tooLarge` */
  admitWrite(content: string): void {
    const { fileBytes, writesPerMinute } = this.settings();
    const size = bytesOf(content, fileBytes);
    if (size > fileBytes) {
      throw new FileError(
        'tooLarge',
        `The text is ${size} bytes; the user's setting parley.limits.fileBytes allows ${fileBytes}`,
      );
    }
    count(this.writes, writesPerMinute, 'writesPerMinute');
  }

  /** `work`, which reads `path`, unless it takes longer than the settings allow. @throws FileError `timedOut` */
  read<T>(path: string, work: Promise<T>): Promise<T> {
    return this.within(this.settings().readSeconds, work, path, 'read');
  }

  /** As `read`. Waiting for the user is not in it. */
  write<T>(path: string, work: Promise<T>): Promise<T> {
    return this.within(this.settings().writeSeconds, work, path, 'write');
  }

  private async within<T>(
    seconds: number,
    work: Promise<T>,
    path: string,
    kind: 'read' | 'write',
  ): Promise<T> {
    let stop: (() => void) | undefined;
    const expired = new Promise<never>((_, reject) => {
      const timer = this.environment.after(seconds * 1000, () => {
        // What has begun cannot be called off: an agent that goes on should look first.
        const hint = kind === 'write' ? '. It may still be written: read it before going on' : '';
        const message = `No answer within ${seconds} s (parley.timeouts.${kind}File): ${path}${hint}`;
        reject(new FileError('timedOut', message));
      });
      stop = () => timer.dispose();
    });
    try {
      return await Promise.race([work, expired]);
    } finally {
      stop?.();
    }
  }
}

/** @throws FileError `tooMany` */
function count(rate: Rate, perMinute: number, setting: string): void {
  const wait = rate.take(perMinute);
  if (wait === 0) return;
  throw new FileError(
    'tooMany',
    `The user's setting parley.limits.${setting} allows ${perMinute} a minute. Try again in ${Math.ceil(wait / 1000)} s`,
  );
}
