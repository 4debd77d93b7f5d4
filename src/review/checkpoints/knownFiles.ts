import * as path from 'node:path';
import { hashOf, type Blobs } from '../store/blobs';
import type { DiskFile } from './diskFile';
import { isSecretFile } from './secretFiles';

/** What a file last was on disk, as far as Parley has seen. */
export type Known =
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'file';
      readonly hash: string;
      readonly size: number;
      readonly mode: number;
      /** By the file system's clock, in ms since the epoch. */
      readonly changedAt: number;
      /** A later write may have the same change time. */
      readonly isJustChanged: boolean;
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
 * Bounded: beyond the limits files are known by their hash alone. What is outside the workspace is not known at all, and
 * the bytes of a file that holds secrets stay in memory: they are stored once an agent has changed it, by the review.
 */
export class KnownFiles {
  private readonly files = new Map<string, Known>();
  private total = 0;
  /** Bytes of files that hold secrets. */
  private readonly secrets = new Map<string, Uint8Array>();

  constructor(
    private readonly blobs: Blobs,
    private readonly isInside: (file: string) => boolean,
  ) {}

  get(file: string): Known | undefined {
    return this.files.get(file);
  }

  /**
   * Bytes that cannot be kept make the file known by its hash alone.
   * @param important kept even beyond the limits: an agent is about to change it.
   */
  async set(file: string, found: DiskFile, important = false): Promise<void> {
    if (!this.isInside(file)) {
      this.forget(file);
      return;
    }
    if (found.kind === 'absent') {
      this.put(file, { kind: 'absent' });
      return;
    }
    if (found.kind !== 'file') {
      this.forget(file);
      return;
    }
    const { bytes, hash, size, mode, changedAt } = found;
    const fits = size <= MAX_FILE && this.total + size <= MAX_TOTAL && this.files.size < MAX_FILES;
    const kept = bytes !== undefined && (important || fits);
    const isJustChanged = found.isJustChanged === true;
    const known: Known = { kind: 'file', hash, size, mode, changedAt, isJustChanged, kept };
    this.put(file, known);
    if (!kept) return;
    if (isSecretFile(file)) {
      this.secrets.set(file, bytes);
      return;
    }
    try {
      await this.blobs.put(bytes, hash);
    } catch {
      // No room for them, on disk or in memory.
      if (this.files.get(file) === known) this.put(file, { ...known, kept: false });
    }
  }

  /**
   * Parley has written `bytes` (undefined: deleted the file), and `found` is what there is by now.
   * @returns false when that is something else already
   */
  async setWritten(file: string, bytes: Uint8Array | undefined, found: DiskFile): Promise<boolean> {
    const isIt = bytes
      ? found.kind === 'file' && (!found.bytes || found.hash === hashOf(bytes))
      : found.kind !== 'file';
    await this.set(file, isIt ? found : asWritten(bytes, found));
    return isIt;
  }

  /** What the file last said; undefined when that is not kept. */
  async bytesOf(file: string): Promise<Uint8Array | undefined> {
    const known = this.files.get(file);
    if (known?.kind !== 'file' || !known.kept) return undefined;
    return this.secrets.get(file) ?? this.blobs.get(known.hash);
  }

  setUnread(file: string): void {
    this.put(file, { kind: 'unread' });
  }

  forget(file: string): void {
    const before = this.files.get(file);
    if (before?.kind === 'file' && before.kept) this.total -= before.size;
    this.files.delete(file);
    this.secrets.delete(file);
  }

  /** Whether the file is what it was. */
  says(file: string, found: DiskFile): boolean {
    const known = this.files.get(file);
    if (!known) return false;
    if (known.kind === 'file') return found.kind === 'file' && found.hash === known.hash;
    return known.kind === 'absent' && found.kind === 'absent';
  }

  /** The file is what it was, perhaps under another time. */
  touched(file: string, found: DiskFile): void {
    const known = this.files.get(file);
    if (known?.kind !== 'file' || found.kind !== 'file') return;
    const { changedAt, mode, isJustChanged = false } = found;
    this.files.set(file, { ...known, changedAt, mode, isJustChanged });
  }

  /** Whether nothing has happened to the file since it was looked at. @param now undefined: it is not there */
  isUntouched(file: string, now: { readonly ctimeMs: number } | undefined): boolean {
    const known = this.files.get(file);
    if (known?.kind === 'file') return now?.ctimeMs === known.changedAt && !known.isJustChanged;
    return known?.kind === 'absent' && now === undefined;
  }

  /** Whether the file says something else under the time of what is known: it is being written. */
  hasTimeOf(file: string, found: DiskFile): boolean {
    const known = this.files.get(file);
    if (known?.kind !== 'file' || found.kind !== 'file') return false;
    return found.changedAt === known.changedAt && found.hash !== known.hash;
  }

  /** Files that are known to be there below one of `folders`, each with that folder. */
  *below(folders: {
    readonly size: number;
    has(folder: string): boolean;
  }): Iterable<readonly [string, string]> {
    if (folders.size === 0) return;
    for (const [file, { kind }] of this.files) {
      if (kind === 'absent') continue;
      for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
        if (folders.has(folder)) yield [file, folder];
        if (path.dirname(folder) === folder) break;
      }
    }
  }

  /** Files that are known to be there. */
  *there(): Iterable<readonly [string, Known]> {
    for (const entry of this.files) if (entry[1].kind !== 'absent') yield entry;
  }

  /** Of what is stored. */
  hashes(): string[] {
    return [...this.files].flatMap(([file, known]) =>
      known.kind === 'file' && known.kept && !this.secrets.has(file) ? [known.hash] : [],
    );
  }

  private put(file: string, known: Known): void {
    this.forget(file);
    this.files.set(file, known);
    if (known.kind === 'file' && known.kept) this.total += known.size;
  }
}

/** @param found what took its place */
function asWritten(bytes: Uint8Array | undefined, found: DiskFile): DiskFile {
  const changedAt = 0;
  if (!bytes) return { kind: 'absent', changedAt };
  const mode = found.kind === 'file' ? found.mode : 0o644;
  return { kind: 'file', bytes, hash: hashOf(bytes), size: bytes.length, mode, changedAt };
}
