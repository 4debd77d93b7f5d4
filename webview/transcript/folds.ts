/**
 * What the reader opened and closed. It is the view's own state: it outlives re-rendering, and the frame
 * keeps it over a reload (`toJSON`, `restore`). Keys are a part's or turn's id, with `#what` for a fold inside.
 */
export class Folds {
  private readonly open = new Map<string, boolean>();
  private readonly revisions = new Map<string, number>();
  private changes = 0;

  constructor(private readonly changed: () => void) {}

  get(key: string, otherwise: boolean): boolean {
    return this.open.get(key) ?? otherwise;
  }

  set(key: string, open: boolean): void {
    if (this.open.get(key) === open) return;
    this.open.set(key, open);
    const owner = ownerOf(key);
    this.revisions.set(owner, (this.revisions.get(owner) ?? 0) + 1);
    this.changes += 1;
    this.changed();
  }

  /** Grows when any fold changes. */
  get version(): number {
    return this.changes;
  }

  /** Grows when a fold of this part or turn changes: a reason to render it again. */
  revision(owner: string): number {
    return this.revisions.get(owner) ?? 0;
  }

  toJSON(): Readonly<Record<string, boolean>> {
    return Object.fromEntries(this.open);
  }

  restore(saved: Readonly<Record<string, boolean>>): void {
    for (const [key, open] of Object.entries(saved)) this.set(key, open);
  }
}

/** The key of a fold inside another of the same part. */
export function within(key: string, what: string): string {
  return key.includes('#') ? `${key} ${what}` : `${key}#${what}`;
}

function ownerOf(key: string): string {
  const hash = key.lastIndexOf('#');
  return hash < 0 ? key : key.slice(0, hash);
}
