import type { Baseline } from './baselines';
import { hashOf, type Blobs } from './blobs';

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

/** The bytes that files under review had: a file that comes back has its encoding and mode again. */
export class Originals {
  private readonly files = new Map<string, StoredOriginal>();

  async put(path: string, { bytes, mode }: Baseline, blobs: Blobs): Promise<void> {
    if (!bytes) return;
    const hash = hashOf(bytes);
    this.files.set(path, { hash, ...(mode !== undefined && { mode }) });
    await blobs.put(bytes, hash);
  }

  stored(path: string): StoredOriginal | undefined {
    return this.files.get(path);
  }

  get(path: string, blobs: Blobs): Promise<Original | undefined> {
    return readOriginal(this.files.get(path), blobs);
  }

  entries(): readonly (readonly [string, StoredOriginal])[] {
    return [...this.files];
  }

  restore(entries: readonly (readonly [string, StoredOriginal])[]): void {
    for (const [path, stored] of entries) this.files.set(path, stored);
  }

  /** Forgets files that are not under review any more. */
  retain(paths: ReadonlySet<string>): void {
    for (const path of this.files.keys()) if (!paths.has(path)) this.files.delete(path);
  }
}
