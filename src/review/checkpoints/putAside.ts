import type { DiskFile } from './diskFile';
import type { Known } from './knownFiles';

/** Files remembered; the oldest are forgotten. */
const MAX_FILES = 5_000;

/** What files were before git took that away: a stash, say, which brings it back when it is popped. */
export class PutAside {
  /** The hash of each file's bytes; undefined where there was none. */
  private readonly files = new Map<string, string | undefined>();

  /** @param before what was known of the file; undefined: it was as in HEAD, which is not put aside */
  note(path: string, before: Known | undefined): void {
    if (!before || before.kind === 'unread') return;
    this.files.delete(path);
    this.files.set(path, before.kind === 'file' ? before.hash : undefined);
    const [oldest] = this.files.keys();
    if (this.files.size > MAX_FILES && oldest !== undefined) this.files.delete(oldest);
  }

  /** Whether the file is what it was before git took that away. */
  isBack(path: string, found: DiskFile): boolean {
    if (!this.files.has(path)) return false;
    const hash = this.files.get(path);
    return found.kind === 'file' ? found.hash === hash : hash === undefined;
  }

  /** Forgets what is back: whoever takes it away next did not get it from a stash. @returns whether it is */
  takeBack(path: string, found: DiskFile): boolean {
    return this.isBack(path, found) && this.files.delete(path);
  }
}
