import { FileError } from './ports';
import type { Environment, TextFiles } from './ports';

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

const MINUTE = 60_000;

/**
 * Keeps one chat's agent within the limits. What is refused is told to the agent in words, with the name
 * of the setting; the session goes on.
 */
export class FileLimits {
  private readonly times = { read: [] as number[], write: [] as number[] };

  constructor(
    private readonly settings: () => FileLimitSettings,
    private readonly environment: Pick<Environment, 'now' | 'after'>,
  ) {}

  /** @throws FileError `tooMany` */
  admitRead(): void {
    this.count('read', this.settings().readsPerMinute, 'readsPerMinute');
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
    this.count('write', writesPerMinute, 'writesPerMinute');
  }

  /** `files`, where nothing takes longer than the settings allow. Waiting for the user is not in it. */
  timed(files: TextFiles): TextFiles {
    return {
      read: (path, range, scope) =>
        this.within(this.settings().readSeconds, files.read(path, range, scope), path, 'read'),
      write: (path, content, scope) =>
        this.within(this.settings().writeSeconds, files.write(path, content, scope), path, 'write'),
    };
  }

  private count(kind: 'read' | 'write', limit: number, setting: string): void {
    if (limit === 0) {
      this.times[kind] = [];
      return;
    }
    const now = this.environment.now();
    const recent = this.times[kind].filter(time => now - time < MINUTE);
    this.times[kind] = recent;
    if (recent.length < limit) {
      recent.push(now);
      return;
    }
    const free = recent[recent.length - limit] ?? now;
    const seconds = Math.max(1, Math.ceil((free + MINUTE - now) / 1000));
    throw new FileError(
      'tooMany',
      `The user's setting parley.limits.${setting} allows ${limit} a minute. Try again in ${seconds} s`,
    );
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

/** Bytes of UTF-8. A text that cannot be over `limit` is not counted out. */
function bytesOf(text: string, limit: number): number {
  if (text.length * 3 <= limit) return text.length;
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}
