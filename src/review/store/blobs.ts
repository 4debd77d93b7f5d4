import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import * as path from 'node:path';

const HASH = /^[0-9a-f]{64}$/;

/** Bytes held in memory while they cannot be written. */
const MAX_UNWRITTEN = 128 * 1024 * 1024;

/** Bytes that may be as good as ever cannot be read now. */
export class UnreadBlobError extends Error {
  constructor(cause: Error) {
    super(`A stored text cannot be read now: ${cause.message}`, { cause });
  }
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * Bytes by their SHA-256, as files of one folder. Written all or nothing; the same bytes only once. What cannot
 * be written, because the disk is full say, is held in memory until it can.
 */
export class Blobs {
  private readonly writing = new Map<string, { bytes: Uint8Array; done: Promise<void> }>();
  private readonly sizes = new Map<string, number>();
  private readonly putAt = new Map<string, number>();
  private readonly unwritten = new Map<string, Uint8Array>();
  private listed: Promise<void> | undefined;
  /** What was put while others are forgotten. */
  private putMeanwhile: Set<string> | undefined;

  /**
   * @param folder absolute; made when first written to
   * @param graceMs how long what was just put stays in any case: until somebody says that it is used
   */
  constructor(
    private readonly folder: string,
    private readonly graceMs = 60_000,
  ) {}

  /**
   * The hash; resolves when the bytes are on disk, or held because they could not be written. They can be
   * read from the moment this is called.
   * @throws what the file system says, when already too much is held
   */
  async put(bytes: Uint8Array, hash = hashOf(bytes)): Promise<string> {
    this.putAt.set(hash, performance.now());
    this.putMeanwhile?.add(hash);
    let running = this.writing.get(hash);
    if (!running) {
      const done = this.store(hash, bytes).finally(() => this.writing.delete(hash));
      running = { bytes, done };
      this.writing.set(hash, running);
    }
    await running.done;
    return hash;
  }

  /** Undefined when the bytes were never kept, are not kept any more, or cannot be read now. */
  async get(hash: string): Promise<Uint8Array | undefined> {
    return this.read(hash).catch(() => undefined);
  }

  /**
   * Undefined when the bytes were never kept, or not any more.
   * @throws UnreadBlobError when they may be there, and cannot be read now
   */
  async read(hash: string): Promise<Uint8Array | undefined> {
    const running = this.writing.get(hash);
    const held = running?.bytes ?? this.unwritten.get(hash);
    if (held) return held;
    if (!HASH.test(hash)) return undefined;
    const bytes = await readFile(this.file(hash)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw new UnreadBlobError(error);
      return undefined;
    });
    if (!bytes || hashOf(bytes) === hash) return bytes;
    // Something else stands there, as after a loss of power: what is put is written again.
    await this.list();
    this.sizes.delete(hash);
    return undefined;
  }

  async has(hash: string): Promise<boolean> {
    await this.list();
    return this.holds(hash);
  }

  /** As far as it is known without asking the disk: whether the bytes are kept. */
  holds(hash: string): boolean {
    return this.sizes.has(hash) || this.unwritten.has(hash) || this.writing.has(hash);
  }

  /**
   * Writes what could not be written before.
   * @throws what the file system says when it still cannot be
   */
  async flush(): Promise<void> {
    for (const [hash, bytes] of [...this.unwritten]) {
      await this.write(hash, bytes);
      this.sizes.set(hash, bytes.length);
      this.unwritten.delete(hash);
    }
  }

  /** Bytes of one; 0 when it is not kept. */
  sizeOf(hash: string): number {
    return this.sizes.get(hash) ?? this.unwritten.get(hash)?.length ?? 0;
  }

  /** Bytes kept in all. */
  async size(): Promise<number> {
    await this.list();
    let size = 0;
    for (const bytes of this.sizes.values()) size += bytes;
    return size;
  }

  /** Forgets everything but `used`, and what is put before this resolves. */
  async collect(used: ReadonlySet<string>): Promise<void> {
    const putMeanwhile = new Set<string>();
    this.putMeanwhile = putMeanwhile;
    await this.list();
    for (const hash of this.unwritten.keys()) {
      if (used.has(hash) || putMeanwhile.has(hash) || this.isFresh(hash)) continue;
      this.unwritten.delete(hash);
    }
    for (const hash of [...this.sizes.keys()]) {
      if (used.has(hash) || putMeanwhile.has(hash)) continue;
      if (this.writing.has(hash) || this.isFresh(hash)) continue;
      this.sizes.delete(hash);
      this.putAt.delete(hash);
      await rm(this.file(hash), { force: true }).catch(() => undefined);
    }
  }

  private isFresh(hash: string): boolean {
    return performance.now() - (this.putAt.get(hash) ?? -Infinity) < this.graceMs;
  }

  private list(): Promise<void> {
    return (this.listed ??= (async () => {
      const names = await readdir(this.folder).catch(() => []);
      await Promise.all(
        names.map(async name => {
          const file = path.join(this.folder, name);
          // A name of another form is what a crash left half written.
          if (!HASH.test(name)) await rm(file, { force: true }).catch(() => undefined);
          else this.sizes.set(name, (await stat(file).catch(() => undefined))?.size ?? 0);
        }),
      );
    })());
  }

  private async store(hash: string, bytes: Uint8Array): Promise<void> {
    await this.list();
    if (this.sizes.has(hash)) return;
    try {
      await this.write(hash, bytes);
      this.sizes.set(hash, bytes.length);
      this.unwritten.delete(hash);
    } catch (error) {
      let held = bytes.length;
      for (const other of this.unwritten.values()) held += other.length;
      if (held > MAX_UNWRITTEN) throw error;
      this.unwritten.set(hash, bytes);
    }
  }

  private async write(hash: string, bytes: Uint8Array): Promise<void> {
    const temporary = path.join(this.folder, `${randomUUID()}.new`);
    const begin = () => writeFile(temporary, bytes, { mode: 0o600 });
    try {
      // The folder is there but for the first time.
      await begin().catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
        await mkdir(this.folder, { recursive: true });
        await begin();
      });
      await rename(temporary, this.file(hash));
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  private file(hash: string): string {
    return path.join(this.folder, hash);
  }
}
