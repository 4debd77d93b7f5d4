/** Notices when the running turn's prompt leaves the view upwards. */
export class PromptWatch {
  private readonly observer: IntersectionObserver;
  private observed: Element | undefined;

  constructor(
    log: HTMLElement,
    private readonly report: (isAbove: boolean) => void,
  ) {
    this.observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry) return;
        const top = entry.rootBounds?.top ?? 0;
        report(!entry.isIntersecting && entry.boundingClientRect.bottom <= top + 1);
      },
      { root: log },
    );
  }

  watch(prompt: Element | undefined): void {
    if (prompt === this.observed) return;
    if (this.observed) this.observer.unobserve(this.observed);
    this.observed = prompt;
    if (prompt) this.observer.observe(prompt);
    else this.report(false);
  }

  dispose(): void {
    this.observer.disconnect();
    this.observed = undefined;
  }
}
