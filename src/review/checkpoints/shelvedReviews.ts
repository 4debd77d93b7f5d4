import type { Shelved } from '../core/ledger';
import { sameContent } from '../core/lines';
import type { FileContent } from '../model';
import { movedPath } from './originals';

/** Files remembered; the oldest are forgotten. */
const MAX_FILES = 400;

/**
 * What was to be decided in files when the user deleted them or the user's git took them away. When a file is again
 * what it was then, because it was brought back or a stash was popped, that is to be decided again.
 */
export class ShelvedReviews {
  private readonly files = new Map<string, Shelved>();

  put(path: string, shelved: Shelved): void {
    this.files.delete(path);
    this.files.set(path, shelved);
    const [oldest] = this.files.keys();
    if (this.files.size > MAX_FILES && oldest !== undefined) this.files.delete(oldest);
  }

  has(path: string): boolean {
    return this.files.has(path);
  }

  /** What is to be decided again in the file, which says `current`; undefined when it is not what it was. */
  take(path: string, current: FileContent): Shelved | undefined {
    const shelved = this.files.get(path);
    if (!shelved || !sameContent(shelved.review.current, current)) return undefined;
    this.files.delete(path);
    return shelved;
  }

  /** The user moved a file or a folder: its deletion may have been seen on disk first. */
  move(from: string, to: string): void {
    for (const [path, shelved] of [...this.files]) {
      const now = movedPath(path, from, to);
      if (now === undefined) continue;
      this.files.delete(path);
      this.files.set(now, shelved);
    }
  }

  forget(path: string): void {
    this.files.delete(path);
  }
}
