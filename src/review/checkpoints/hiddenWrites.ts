import { Emitter } from '../../base/event';
import type { FileContent } from '../model';
import type { DiskFile } from './diskFile';
import type { KnownFiles } from './knownFiles';
import type { EditorFiles } from './ports';
import type { Origin, TurnRegistry } from './turnRegistry';

/**
 * What agents write to disk where the editor has unsaved text. Nothing shows it until that text is saved, which
 * overwrites it, or given up, so the user hears of it.
 */
export class HiddenWrites {
  private readonly found = new Emitter<string>();
  /** The path of a file, once for each write. */
  readonly onDidFind = this.found.event;
  /** What was found on disk, by path, and whose it was then. */
  private readonly seen = new Map<string, { readonly hash: string; readonly origin: Origin }>();

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
    if (isSaved || this.files.isSaving(path) || this.seen.get(path)?.hash === disk.hash) return;
    const origin = this.turns.originOf(path);
    if (!origin) return;
    this.seen.set(path, { hash: disk.hash, origin });
    this.found.fire(path);
  }

  /** Whose the write is that the file still holds now that its unsaved text is given up. */
  originOf(path: string, disk: DiskFile): Origin | undefined {
    const seen = this.seen.get(path);
    return disk.kind === 'file' && seen?.hash === disk.hash ? seen.origin : undefined;
  }

  dispose(): void {
    this.found.dispose();
  }
}
