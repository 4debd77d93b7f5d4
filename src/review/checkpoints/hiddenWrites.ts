import { Emitter } from '../../base/event';
import type { FileContent } from '../model';
import type { DiskFile } from './diskFile';
import type { KnownFiles } from './knownFiles';
import type { EditorFiles } from './ports';
import type { Origin, TurnRegistry } from './turnRegistry';

/** What was found beneath unsaved text. */
interface Hidden {
  readonly hash: string;
  /** What was known of the file then: with anything else the find is out of date. */
  readonly known: string | undefined;
  /** Undefined: the user's. */
  readonly origin: Origin | undefined;
}

/**
 * What is written to disk where the editor has unsaved text. Nothing shows it until that text is saved, which
 * overwrites it, or given up, so the user hears of what agents write there.
 */
export class HiddenWrites {
  private readonly found = new Emitter<string>();
  /** The path of a file, once for each write of an agent. */
  readonly onDidFind = this.found.event;
  private readonly seen = new Map<string, Hidden>();

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
    if (isSaved || this.files.isSaving(path) || this.at(path, disk)) return;
    const origin = this.turns.originOf(path);
    this.seen.set(path, { hash: disk.hash, known: this.knownHash(path), origin });
    if (origin) this.found.fire(path);
  }

  /** An agent has changed a notebook that has unsaved cells: it is reviewed as ever, and the notebook does not show it. */
  beneathCells(path: string): void {
    this.found.fire(path);
  }

  /** What was found there, if the file still holds it now that its unsaved text is given up. */
  at(path: string, disk: DiskFile): Hidden | undefined {
    const seen = this.seen.get(path);
    if (seen?.known !== this.knownHash(path)) return undefined;
    return disk.kind === 'file' && seen?.hash === disk.hash ? seen : undefined;
  }

  dispose(): void {
    this.found.dispose();
  }

  private knownHash(path: string): string | undefined {
    const known = this.known.get(path);
    return known?.kind === 'file' ? known.hash : known?.kind;
  }
}
