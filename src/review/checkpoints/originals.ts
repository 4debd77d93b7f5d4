import * as path from 'node:path';
import { hashOf, type Blobs } from '../store/blobs';

export interface StoredOriginal {
  readonly hash: string;
  readonly mode?: number;
}

export interface Original {
  readonly bytes: Uint8Array;
  readonly mode?: number;
}

export async function readOriginal(
  stored: StoredOriginal | undefined,
  blobs: Blobs,
): Promise<Original | undefined> {
  const bytes = stored && (await blobs.get(stored.hash));
  return bytes && { bytes, ...(stored.mode !== undefined && { mode: stored.mode }) };
}

/** Where `file` is after what was at `from` (it, or a folder above it) moved to `to`; undefined when it stays. */
export function movedPath(file: string, from: string, to: string): string | undefined {
  if (file === from) return to;
  return file.startsWith(from + path.sep) ? to + file.slice(from.length) : undefined;
}

/** The bytes that files under review had: a file that comes back has its encoding and mode again. */
export class Originals {
  private readonly files = new Map<string, StoredOriginal>();

  async put(
    file: string,
    { bytes, mode }: { readonly bytes?: Uint8Array | undefined; readonly mode?: number },
    blobs: Blobs,
  ): Promise<void> {
    if (!bytes) return;
    const hash = hashOf(bytes);
    this.files.set(file, { hash, ...(mode !== undefined && { mode }) });
    await blobs.put(bytes, hash);
  }

  stored(file: string): StoredOriginal | undefined {
    return this.files.get(file);
  }

  get(file: string, blobs: Blobs): Promise<Original | undefined> {
    return readOriginal(this.files.get(file), blobs);
  }

  move(from: string, to: string): void {
    const stored = this.files.get(from);
    this.files.delete(from);
    if (stored) this.files.set(to, stored);
    else this.files.delete(to);
  }

  entries(): readonly (readonly [string, StoredOriginal])[] {
    return [...this.files];
  }

  restore(entries: readonly (readonly [string, StoredOriginal])[] = []): void {
    for (const [file, stored] of entries) this.files.set(file, stored);
  }

  /** Forgets files that are not under review any more. */
  retain(paths: ReadonlySet<string>): void {
    for (const file of this.files.keys()) if (!paths.has(file)) this.files.delete(file);
  }
}
