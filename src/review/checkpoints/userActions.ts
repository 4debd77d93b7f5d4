import type { DiskChanges } from './diskChanges';
import { lookAt } from './diskFile';
import type { KnownFiles } from './knownFiles';
import type { EditorFiles } from './ports';
import type { TrackedChanges } from './trackedChanges';
import type { TrackedFiles } from './trackedFiles';
import type { TurnRegistry } from './turnRegistry';

/** What the user did to a file or a folder: absolute paths, links of the folders above resolved. */
export interface FileMove {
  /** Undefined: it was created. */
  readonly from?: string;
  /** Undefined: it was deleted. */
  readonly to?: string;
}

export interface UserActionsServices {
  readonly files: EditorFiles;
  readonly known: KnownFiles;
  readonly tracked: TrackedFiles;
  readonly turns: TurnRegistry;
  readonly changes: TrackedChanges;
  readonly disk: DiskChanges;
  /** Has the file looked at: somebody may have changed it. */
  touch(file: string): void;
  /** Runs `task` between other changes. Never rejects. */
  run(what: string, task: () => Promise<void>): Promise<void>;
}

/** What the editor saw the user do to files is the user's, whoever works meanwhile. */
export class UserActions {
  /** What was saved that is not dealt with yet: the text, by path. */
  private readonly saves = new Map<string, string>();

  constructor(private readonly services: UserActionsServices) {}

  isSaved(file: string): boolean {
    return this.saves.has(file);
  }

  /**
   * The user saved `file`: that text is the user's, formatters included.
   * @param text what was saved
   */
  saved(file: string, text: string): void {
    const { tracked, known, turns, changes, disk, files } = this.services;
    if (!tracked.isInside(file)) return;
    this.saves.set(file, text);
    void this.services.run('saved', async () => {
      // A later save has the last word.
      if (this.saves.get(file) === text) this.saves.delete(file);
      const found = await lookAt(file);
      if (known.says(file, found)) return;
      const isNamed = turns.isNamed(file) || changes.currentOf(file) !== undefined;
      if (await tracked.isIgnored(file, isNamed)) return;
      if (found.kind !== 'file' || !found.bytes) return this.services.touch(file);
      const content = await files.decode(file, found.bytes);
      if (content.kind === 'text' && content.text === text) {
        await disk.userChanged({ path: file, found });
      } else {
        // Somebody has written it again since.
        if (changes.currentOf(file)) changes.userChanged(file, { kind: 'text', text });
        this.services.touch(file);
      }
    });
  }

  /** The user created, moved or deleted files or folders in the editor; what is pending in them goes along. */
  managed(moves: readonly FileMove[]): Promise<void> {
    const { tracked, known, changes, disk } = this.services;
    return this.services.run('managed', async () => {
      await changes.together(async () => {
        for (const { from, to } of moves) {
          if (from !== undefined && to !== undefined) changes.renamed(from, to);
          const places = [from, to].filter(place => place !== undefined);
          for (const file of await disk.filesAt(places)) {
            const found = await lookAt(file);
            const isOld = known.says(file, found) && !changes.mayComeBack(file);
            if (isOld || !tracked.isInside(file)) continue;
            if (await tracked.isIgnored(file, changes.currentOf(file) !== undefined)) continue;
            await disk.userChanged({ path: file, found });
          }
        }
      });
    });
  }
}
