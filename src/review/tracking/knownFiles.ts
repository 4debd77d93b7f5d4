import type { Blobs } from './blobs';
import type { DiskFile } from './diskFile';

/** What a file last was on disk, as far as Parley has seen. */
export type Known =
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'file';
      readonly hash: string;
      readonly size: number;
      readonly mode: number;
      /** False when only the hash is known. */
      readonly kept: boolean;
    }
  /** It was there; what it said is not known. */
  | { readonly kind: 'unread' };

/** Bytes kept of one file, and of all of them. */
const MAX_FILE = 2 * 1024 * 1024;
const MAX_TOTAL = 128 * 1024 * 1024;
const MAX_FILES = 20_000;

/**
 * The last state of files that git cannot give back: changed, untracked, and all there is without git.
 * Bounded: beyond the limits files are known by their hash alone.
 */
export class KnownFiles {
  private readonly files = new Map<string, Known>();
  private total = 0;

  constructor(private readonly blobs: Blobs) {}

  get(path: string): Known | undefined {
    return this.files.get(path);
  }

  /** @param important kept even beyond the limits: an agent is about to change it. */
  async set(path: string, found: DiskFile, important = false): Promise<void> {
    if (found.kind === 'absent') {
      this.put(path, { kind: 'absent' });
      return;
    }
    if (found.kind !== 'file') {
      this.forget(path);
      return;
    }
    const { bytes, hash, size, mode } = found;
    const fits = size <= MAX_FILE && this.total + size <= MAX_TOTAL && this.files.size < MAX_FILES;
    const kept = bytes !== undefined && (important || fits);
    this.put(path, { kind: 'file', hash, size, mode, kept });
    if (kept) await this.blobs.put(bytes, hash);
  }

  setUnread(path: string): void {
    this.put(path, { kind: 'unread' });
  }

  forget(path: string): void {
    const before = this.files.get(path);
    if (before?.kind === 'file' && before.kept) this.total -= before.size;
    this.files.delete(path);
  }

  /** Whether the file is what it was. */
  says(path: string, found: DiskFile): boolean {
    const known = this.files.get(path);
    if (!known) return false;
    if (known.kind === 'file') return found.kind === 'file' && found.hash === known.hash;
    return known.kind === 'absent' && found.kind === 'absent';
  }

  /** Known paths below a folder. */
  below(folder: string, separator: string): readonly string[] {
    const prefix = folder + separator;
    return [...this.files.keys()].filter(path => path.startsWith(prefix));
  }

  hashes(): string[] {
    return [...this.files.values()].flatMap(known =>
      known.kind === 'file' && known.kept ? [known.hash] : [],
    );
  }

  private put(path: string, known: Known): void {
    this.forget(path);
    this.files.set(path, known);
    if (known.kind === 'file' && known.kept) this.total += known.size;
  }
}
