/** Something that holds a resource until `dispose` is called. Calling it twice is harmless. */
export interface Disposable {
  dispose(): void;
}

/** A disposable that runs `release` once. */
export function toDisposable(release: () => void): Disposable {
  let done = false;
  return {
    dispose() {
      if (done) return;
      done = true;
      release();
    },
  };
}

/**
 * Owns disposables and releases them in reverse order of addition.
 * Adding to a disposed store disposes at once, so nothing leaks when construction and disposal race.
 */
export class DisposableStore implements Disposable {
  private readonly items = new Set<Disposable>();
  private disposed = false;

  get isDisposed(): boolean {
    return this.disposed;
  }

  add<T extends Disposable>(item: T): T {
    if (this.disposed) item.dispose();
    else this.items.add(item);
    return item;
  }

  /** Disposes `item` now and forgets it. */
  delete(item: Disposable): void {
    if (this.items.delete(item)) item.dispose();
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    for (const item of [...this.items].reverse()) item.dispose();
    this.items.clear();
  }
}
