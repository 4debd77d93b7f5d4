/** Nearer to the end than this many pixels counts as being there. */
const NEAR = 24;

/**
 * Keeps a scrolling element at its end while its content grows, until the reader scrolls up; being at the
 * end again takes it up again.
 */
export class Following {
  private on = true;
  private lastTop = 0;
  private readonly observer: ResizeObserver;

  constructor(
    private readonly scroller: HTMLElement,
    content: HTMLElement,
    /** Called when following starts or stops. */
    private readonly changed: () => void,
  ) {
    this.observer = new ResizeObserver(() => this.keep());
    this.observer.observe(content);
    this.observer.observe(scroller);
    scroller.addEventListener('scroll', this.onScroll, { passive: true });
  }

  get isOn(): boolean {
    return this.on;
  }

  /** Goes to the end, and stays there. */
  toEnd(): void {
    this.set(true);
    this.keep();
  }

  /** Lets the reader stay where they are. */
  release(): void {
    this.set(false);
  }

  dispose(): void {
    this.observer.disconnect();
    this.scroller.removeEventListener('scroll', this.onScroll);
  }

  private keep(): void {
    if (!this.on) return;
    this.scroller.scrollTop = this.scroller.scrollHeight;
    this.lastTop = this.scroller.scrollTop;
  }

  private readonly onScroll = (): void => {
    const { scrollTop, clientHeight, scrollHeight } = this.scroller;
    const movedUp = scrollTop < this.lastTop - 1;
    this.lastTop = scrollTop;
    const atEnd = scrollHeight - scrollTop - clientHeight <= NEAR;
    if (atEnd) this.set(true);
    else if (movedUp) this.set(false);
  };

  private set(on: boolean): void {
    if (this.on === on) return;
    this.on = on;
    this.changed();
  }
}
