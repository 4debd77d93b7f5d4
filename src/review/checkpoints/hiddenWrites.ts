import { Emitter } from '../../base/event';
import type { FileContent } from '../model';
import type { DiskFile } from './diskFile';
import type { KnownFiles } from './knownFiles';
import type { EditorFiles } from './ports';
import type { TurnRegistry } from './turnRegistry';

/**
 * What agents write to disk where the editor has unsaved text. Nothing shows it until that text is saved, which
 * overwrites it, or given up, so the user hears of it.
 */
export class HiddenWrites {
  private readonly found = new Emitter<string>();
  /** The path of a file, once for each write. */
  readonly onDidFind = this.found.event;
  /** Hashes of what was found on disk, by path. */
  private readonly seen = new Map<string, string>();

  constructor(
    private readonly known: KnownFiles,
    private readonly turns: TurnRegistry,
    private readonly files: Pick<EditorFiles, 'unsaved' | 'isSaving' | 'decode'>,
  ) {}

  /** Looks at a file that has unsaved text. */
  async look(path: string, disk: DiskFile): Promise<void> {
    if (disk.kind !== 'file' || !disk.bytes || this.known.says(path, disk)) {
      this.seen.delete(path);
      return;
    }
    const content: FileContent = await this.files.decode(path, disk.bytes);
    // The user's own save is on its way.
    const isSaved = content.kind === 'text' && content.text === this.files.unsaved(path);
    if (isSaved || this.files.isSaving(path) || !this.turns.originOf(path)) return;
    if (this.seen.get(path) === disk.hash) return;
    this.seen.set(path, disk.hash);
    this.found.fire(path);
  }

  dispose(): void {
    this.found.dispose();
  }
}
