import { FileError, type KnownText } from '../ports';

/** UTF-16 units of texts that are remembered for one chat. */
const MAX_UNITS = 32 * 1024 * 1024;

interface Entry {
  readonly known: KnownText;
  /** What was not written, because the user had changed the same lines. */
  readonly refused?: string;
}

/** What the agent of one chat knows files to say: what it last read, or wrote. */
export class KnownTexts {
  /** By path as the agent names it; the one used last stands last. */
  private readonly entries = new Map<string, Entry>();
  private units = 0;

  /**
   * What `content` is made from; undefined when nobody knows. An agent whose write was refused may read the file in
   * its own way: only the same write again rests on what the refused one did.
   */
  basis(path: string, content: string): KnownText | undefined {
    const entry = this.entries.get(path);
    return entry?.refused === undefined || entry.refused === content ? entry?.known : undefined;
  }

  set(path: string, known: KnownText): void {
    this.put(path, { known });
  }

  /** `content` could not be written. */
  failed(path: string, content: string, error: unknown): void {
    const entry = this.entries.get(path);
    if (!entry || !(error instanceof FileError) || error.reason !== 'changedByUser') return;
    this.put(path, { ...entry, refused: content });
  }

  private put(path: string, entry: Entry): void {
    this.delete(path);
    this.entries.set(path, entry);
    this.units += unitsOf(entry);
    for (const oldest of this.entries.keys()) {
      if (this.units <= MAX_UNITS) break;
      this.delete(oldest);
    }
  }

  private delete(path: string): void {
    const entry = this.entries.get(path);
    if (!entry) return;
    this.units -= unitsOf(entry);
    this.entries.delete(path);
  }
}

function unitsOf({ known, refused }: Entry): number {
  return known.text.length + (known.before?.length ?? 0) + (refused?.length ?? 0);
}
