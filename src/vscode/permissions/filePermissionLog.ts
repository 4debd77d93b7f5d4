import { appendFile, mkdir, rename, stat } from 'node:fs/promises';
import * as path from 'node:path';
import type { Logger } from '../../base/logger';
import type { PermissionEntry, PermissionLog } from '../../session/ports';
import { whileLocked } from '../files/fileLock';

/** Beyond it the file makes room for a new one, in bytes; the one before is kept. */
const MAX_BYTES = 2 * 1024 * 1024;

/**
 * Decisions as lines of JSON, in the order in which they were made. Nothing is ever changed in it. Several windows may
 * write to it.
 */
export class FilePermissionLog implements PermissionLog {
  private queue: Promise<void> = Promise.resolve();

  constructor(
    readonly file: string,
    private readonly mask: (text: string) => string,
    private readonly logger: Logger,
    private readonly maxBytes = MAX_BYTES,
  ) {}

  record({ at, ...entry }: PermissionEntry): void {
    const line = `${this.mask(JSON.stringify({ at: new Date(at).toISOString(), ...entry }))}\n`;
    this.queue = this.queue
      .then(() => this.append(line))
      .catch((error: unknown) => {
        this.logger.error('A decision could not be written to the permission log', error);
      });
  }

  /** Resolves when all is written. */
  flush(): Promise<void> {
    return this.queue;
  }

  private async append(line: string): Promise<void> {
    await mkdir(path.dirname(this.file), { recursive: true });
    await whileLocked(this.file, async () => {
      const size = await sizeOf(this.file);
      if (size > 0 && size + Buffer.byteLength(line) > this.maxBytes) {
        await rename(this.file, older(this.file));
      }
      await appendFile(this.file, line, { mode: 0o600 });
    });
  }
}

/** `permissions.jsonl` → `permissions.1.jsonl` */
export function older(file: string): string {
  const { dir, name, ext } = path.parse(file);
  return path.join(dir, `${name}.1${ext}`);
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch {
    return 0;
  }
}
