/** Has somebody look when the reader scrolls, or what is scrolled changes its size. */
export class Scrolling {
  private readonly observer: ResizeObserver;
  private frame: number | undefined;

  constructor(
    private readonly log: HTMLElement,
    content: HTMLElement,
    private readonly look: () => void,
  ) {
    // Not within the observer: what is drawn then would change the size again.
    this.observer = new ResizeObserver(() => this.lookSoon());
    this.observer.observe(content);
    this.observer.observe(log);
    log.addEventListener('scroll', look, { passive: true });
  }

  /** Before the next frame is painted. */
  lookSoon(): void {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.look();
    });
  }

  dispose(): void {
    this.observer.disconnect();
    this.log.removeEventListener('scroll', this.look);
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
    this.frame = undefined;
  }
}
