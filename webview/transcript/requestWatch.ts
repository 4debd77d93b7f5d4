/** Said when a request comes into view or leaves it. Bubbles. */
export interface RequestVisibility {
  readonly requestId: string;
  readonly visible: boolean;
}

/** So much of it, in pixels: its question and a line of what it is about. A last line is not enough. */
const SEEN = 72;

/** Tells for each request in the log whether it can be seen, so that the dock can offer to show it. */
export class RequestWatch {
  private readonly observer: IntersectionObserver;
  private readonly watched = new Map<Element, string>();
  private away: ReadonlySet<string> = new Set();

  constructor(
    root: HTMLElement,
    private readonly report: (requestId: string, visible: boolean) => void,
  ) {
    this.observer = new IntersectionObserver(
      entries => {
        for (const entry of entries) {
          const requestId = this.watched.get(entry.target);
          if (requestId !== undefined) this.report(requestId, isSeen(entry));
        }
      },
      { root, threshold: Array.from({ length: 41 }, (_, step) => step / 40) },
    );
  }

  /**
   * Watches what is in the document now.
   * @param waiting the ids of all requests: one that is not in the document cannot be seen
   */
  watch(elements: Iterable<HTMLElement>, waiting: readonly string[]): void {
    const now = new Set<Element>(elements);
    for (const element of this.watched.keys()) {
      if (now.has(element)) continue;
      this.observer.unobserve(element);
      this.watched.delete(element);
    }
    for (const element of now) {
      const requestId = (element as HTMLElement).dataset['requestId'] ?? '';
      if (this.watched.get(element) === requestId) continue;
      this.watched.set(element, requestId);
      this.observer.unobserve(element);
      this.observer.observe(element);
    }
    const there = new Set(this.watched.values());
    const away = new Set(waiting.filter(id => !there.has(id)));
    for (const id of away) if (!this.away.has(id)) this.report(id, false);
    this.away = away;
  }

  dispose(): void {
    this.observer.disconnect();
    this.watched.clear();
  }
}

/** Its question stays in view with any part of it. */
function isSeen({ intersectionRect, boundingClientRect }: IntersectionObserverEntry): boolean {
  return intersectionRect.height >= Math.min(SEEN, boundingClientRect.height * 0.9);
}
