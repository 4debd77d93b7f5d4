import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { ListWindow, type Row } from './listWindow';

/** Each row of a list is one of these, beside what belongs to it. */
const ROW = '[data-part], .work-fold, .reads, .turn';

/** The lists of a conversation, and what of them is in the document. */
export class Windows {
  private readonly lists = new Map<string, ListWindow>();
  private readonly wanted = new Map<string, (row: Row) => boolean>();
  private changes = 0;

  /** @param follows whether the reader is at the end of the conversation and stays there */
  constructor(private readonly follows: () => boolean) {}

  /** Grows when other rows are to be in the document: a reason to draw again. */
  get version(): number {
    return this.changes;
  }

  clear(): void {
    this.lists.clear();
    this.wanted.clear();
  }

  /** Has the first row that fits in the document at the next drawing. */
  want<T extends Row>(list: string, fits: (row: T) => boolean): void {
    this.wanted.set(list, fits as (row: Row) => boolean);
    this.changes += 1;
  }

  /**
   * The rows of a list that are near the view.
   * @param guess the height of a row that was never seen, in pixels
   * @param tail begins at the end while the reader is there
   */
  draw<T extends Row>(
    list: string,
    rows: readonly T[],
    { guess, tail }: { readonly guess: number; readonly tail: boolean },
    draw: (row: T, index: number) => unknown,
  ): unknown {
    const window = this.lists.get(list) ?? new ListWindow(guess);
    this.lists.set(list, window);
    const fits = this.wanted.get(list);
    this.wanted.delete(list);
    window.place(rows, tail && this.follows(), fits ? rows.findIndex(fits) : -1);
    const { from, to, isWhole } = window;
    const shown = isWhole ? rows : rows.slice(from, to);
    return html`${isWhole ? nothing : gap(list, window.above)}${repeat(
      shown,
      row => row.key,
      (row, index) => draw(row, from + index),
    )}${isWhole ? nothing : gap(undefined, window.below)}`;
  }

  /** Looks where the rows stand in `log`. @returns whether others are to be drawn */
  look(log: HTMLElement): boolean {
    const gaps = log.querySelectorAll<HTMLElement>('.gap[data-list]');
    if (gaps.length === 0) return false;
    const { top, height: view } = log.getBoundingClientRect();
    const isHeld = isSelecting(log);
    let isOther = false;
    for (const gap of gaps) {
      const window = this.lists.get(gap.dataset['list'] ?? '');
      const tops: number[] = [];
      let next = gap.nextElementSibling;
      for (; next && !next.matches('.gap'); next = next.nextElementSibling) {
        if (next.matches(ROW)) tops.push(next.getBoundingClientRect().top - top);
      }
      if (!window || !next) continue;
      const bottom = next.getBoundingClientRect().top - top;
      if (window.look({ tops, bottom, view, isHeld })) isOther = true;
    }
    if (isOther) this.changes += 1;
    return isOther;
  }
}

function gap(list: string | undefined, height: number): TemplateResult {
  return html`<div
    class="gap"
    aria-hidden="true"
    data-list=${list ?? nothing}
    .style=${`height: ${Math.round(height)}px`}
  ></div>`;
}

function isSelecting(log: HTMLElement): boolean {
  const selection = document.getSelection();
  return selection !== null && !selection.isCollapsed && log.contains(selection.anchorNode);
}
