import type { Disposable } from './lifecycle';

/** Subscribes `listener`; dispose the result to unsubscribe. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/**
 * A typed event source. Listeners run synchronously in order of subscription; one that throws does not
 * keep the others from hearing (its error surfaces as an unhandled one, on purpose).
 */
export class Emitter<T> implements Disposable {
  private readonly listeners = new Set<{ readonly call: (value: T) => void }>();
  private disposed = false;

  readonly event: Event<T> = listener => {
    const entry = { call: listener };
    if (!this.disposed) this.listeners.add(entry);
    return { dispose: () => this.listeners.delete(entry) };
  };

  fire(value: T): void {
    for (const listener of [...this.listeners]) {
      try {
        listener.call(value);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  dispose(): void {
    this.disposed = true;
    this.listeners.clear();
  }
}
