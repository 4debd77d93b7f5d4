import { lstat, rmdir } from 'node:fs/promises';
import * as path from 'node:path';
import { CLOCK_SLACK_MS } from '../../review/checkpoints/diskFile';

/** Folders that were made since the last turn began. An undo that leaves them empty takes them away. */
export class NewFolders {
  private readonly folders = new Set<string>();
  /** When the last turn began, in milliseconds since the epoch. */
  private since = 0;

  /** @param now milliseconds since the epoch */
  constructor(private readonly now: () => number) {}

  /** Something was created at `file`. @param file absolute, links resolved */
  async created(file: string): Promise<void> {
    const info = await lstat(file).catch(() => undefined);
    // An event may come when a turn has begun that the folder is older than: then it is left alone.
    if (info?.isDirectory() !== true || info.birthtimeMs < this.since - CLOCK_SLACK_MS) return;
    this.folders.add(file);
  }

  /** The user made it, or what is in it. */
  forget(file: string): void {
    this.folders.delete(file);
  }

  /** What is there before a turn is nobody's new folder, but for those that hold what earlier turns made. */
  turnStarts(pending: readonly string[]): void {
    this.since = this.now();
    for (const folder of this.folders) {
      if (!pending.some(file => file.startsWith(folder + path.sep))) this.folders.delete(folder);
    }
  }

  /** Takes away `folder`, and new folders above it, as far as they are empty. */
  async removeEmpty(folder: string): Promise<void> {
    for (let at = folder; this.isNew(at); at = path.dirname(at)) {
      try {
        await rmdir(at);
      } catch {
        // Something is in it.
        return;
      }
      this.folders.delete(at);
    }
  }

  /** What is in a new folder is new: not all of it is reported. */
  private isNew(folder: string): boolean {
    for (let at = folder; path.dirname(at) !== at; at = path.dirname(at)) {
      if (this.folders.has(at)) return true;
    }
    return false;
  }
}
