import { Emitter } from '../../base/event';
import type { DiskFile } from './diskFile';
import type { KnownFiles } from './knownFiles';
import type { TurnBook } from './turnBook';

/** How soon it is known that a save of the user's wrote the file, in milliseconds. */
const SAVE_MS = 500;

/**
 * What agents write to disk where the editor has unsaved text. Nothing shows it until that text is saved, which
 * overwrites it, or given up, so it is told.
 */
export class HiddenWrites {
  private readonly found = new Emitter<string>();
  /** The path of a file, once for each write. */
  readonly onDidFind = this.found.event;
  /** What was seen on disk, by path. */
  private readonly seen = new Map<string, { readonly hash: string; readonly isTold: boolean }>();

  constructor(
    private readonly known: KnownFiles,
    private readonly turns: TurnBook,
  ) {}

  /**
   * Looks at a file that has unsaved text.
   * @param now ms since the epoch
   * @returns when to look again: ms since the epoch
   */
  look(path: string, disk: DiskFile, now: number): number | undefined {
    if (disk.kind !== 'file' || this.known.says(path, disk)) {
      this.seen.delete(path);
      return undefined;
    }
    const owner = this.turns.ownerOf(path, disk.changedAt, now);
    if (owner.kind === 'open') return owner.until;
    if (owner.kind === 'user') return undefined;
    const { hash } = disk;
    const before = this.seen.get(path);
    if (before?.hash !== hash) {
      this.seen.set(path, { hash, isTold: false });
      return now + SAVE_MS;
    }
    if (!before.isTold) {
      this.seen.set(path, { hash, isTold: true });
      this.found.fire(path);
    }
    return undefined;
  }

  dispose(): void {
    this.found.dispose();
  }
}
