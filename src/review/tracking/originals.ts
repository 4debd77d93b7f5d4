import type { Baseline } from './baselines';
import { hashOf, type Blobs } from './blobs';

export interface StoredOriginal {
  readonly hash: string;
  readonly mode?: number;
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

  async get(
    path: string,
    blobs: Blobs,
  ): Promise<{ readonly bytes: Uint8Array; readonly mode?: number } | undefined> {
    const stored = this.files.get(path);
    const bytes = stored && (await blobs.get(stored.hash));
    return bytes && { bytes, ...(stored.mode !== undefined && { mode: stored.mode }) };
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
