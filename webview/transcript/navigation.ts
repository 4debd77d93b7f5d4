/**
 * The keyboard inside the Conversation, which is one stop of the Tab key: Up and Down move between turns
 * and parts, Home and End to the first and last, Right and Left open and close, Enter acts. The controls
 * inside the current part are stops too; a request's always are.
 */

const CONTROLS = 'button, a[role="link"], pre[tabindex], .tablewrap, .formula, .drawing, summary';

export class Navigation {
  private current: HTMLElement | undefined;

  /** @param toEdge has the first or the last part in the document */
  constructor(
    private readonly log: HTMLElement,
    private readonly toEdge: (edge: 'start' | 'end') => Promise<void>,
  ) {
    log.addEventListener('keydown', this.onKey);
    log.addEventListener('focusin', this.onFocus);
  }

  dispose(): void {
    this.log.removeEventListener('keydown', this.onKey);
    this.log.removeEventListener('focusin', this.onFocus);
  }

  private readonly onFocus = (event: FocusEvent): void => {
    if (!(event.target instanceof HTMLElement) || event.target === this.log) return;
    const item = itemOf(event.target);
    if (item) this.setCurrent(item);
  };

  private setCurrent(item: HTMLElement): void {
    if (this.current === item) return;
    if (this.current) this.stops(this.current, false);
    this.current = item;
    this.stops(item, true);
    this.log.tabIndex = -1;
  }

  /** Makes the item and what is in its part stops of the Tab key, or no longer. */
  private stops(item: HTMLElement, on: boolean): void {
    item.tabIndex = on ? 0 : -1;
    for (const control of partOf(item).querySelectorAll<HTMLElement>(CONTROLS)) {
      if (control !== item && !control.closest('.ask')) control.tabIndex = on ? 0 : -1;
    }
  }

  /** The log is a stop again when the current item has gone. Call after each rendering. */
  refresh(): void {
    if (this.current && !this.log.contains(this.current)) this.current = undefined;
    const { current } = this;
    if (current) this.stops(current, true);
    this.log.tabIndex = current ? -1 : 0;
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    // In a form the keys are the field's own.
    if (target.matches('input, select, textarea')) return;
    const item = target === this.log ? undefined : itemOf(target);
    // Code and tables in a box of their own scroll with the arrows.
    const scrolls = target !== item && target.matches('pre, .tablewrap, .formula, .drawing');
    switch (event.key) {
      case 'ArrowUp':
      case 'ArrowDown':
        if (!scrolls && this.move(item, event.key === 'ArrowDown' ? 1 : -1)) event.preventDefault();
        break;
      case 'Home':
      case 'End':
        if (!scrolls && this.focusEdge(event.key === 'Home')) event.preventDefault();
        break;
      case 'ArrowRight':
      case 'ArrowLeft':
        if (item === target && fold(item, event.key === 'ArrowRight')) event.preventDefault();
        break;
      default:
        break;
    }
  };

  private move(item: HTMLElement | undefined, step: 1 | -1): boolean {
    if (!item) return this.focusAt(-1);
    const items = this.items();
    const next = items[items.indexOf(item) + step];
    if (next) focusItem(next);
    return true;
  }

  private focusEdge(isStart: boolean): boolean {
    const index = isStart ? 0 : -1;
    if (!this.log.querySelector('.gap')) return this.focusAt(index);
    void this.toEdge(isStart ? 'start' : 'end').then(() => this.focusAt(index));
    return true;
  }

  private focusAt(index: number): boolean {
    const item = this.items().at(index);
    if (item) focusItem(item);
    return item !== undefined;
  }

  private items(): HTMLElement[] {
    return [...this.log.querySelectorAll<HTMLElement>('[data-item], .ask')].filter(
      item =>
        item.checkVisibility({ contentVisibilityAuto: false }) &&
        !item.closest('details:not([open]) > :not(summary)'),
    );
  }
}

function focusItem(item: HTMLElement): void {
  item.focus({ preventScroll: true });
  item.scrollIntoView({ block: 'nearest' });
}

/** The part that a focused element belongs to, by the item that stands for it. */
function itemOf(element: HTMLElement): HTMLElement | undefined {
  const own = element.closest<HTMLElement>('[data-item], .ask');
  if (own) return own;
  return element.closest('details, .tool')?.querySelector<HTMLElement>('[data-item]') ?? undefined;
}

function partOf(item: HTMLElement): HTMLElement {
  if (item.tagName === 'SUMMARY') return item.parentElement ?? item;
  return item.closest<HTMLElement>('.tool') ?? item;
}

function fold(item: HTMLElement, open: boolean): boolean {
  const details = item.tagName === 'SUMMARY' ? item.parentElement : undefined;
  if (details instanceof HTMLDetailsElement) {
    details.open = open;
    return true;
  }
  if (item.hasAttribute('aria-expanded')) {
    if ((item.getAttribute('aria-expanded') === 'true') !== open) item.click();
    return true;
  }
  return false;
}
