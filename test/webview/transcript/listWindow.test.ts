import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ListWindow } from '../../../webview/transcript/window/listWindow';

const VIEW = 700;
const TALLEST = 3000;

/** A list in a view, laid out as a browser does: what is seen stays where it is when rows above it come or go. */
class View {
  readonly window = new ListWindow(40);
  rows: { readonly key: string; readonly height: number }[] = [];
  /** Where the first row in the document stands, from the top of the view. */
  top = 0;
  private named = 0;

  add(heights: readonly number[], follows: boolean): void {
    this.rows = [
      ...this.rows,
      ...heights.map(height => ({ key: `row ${(this.named += 1)}`, height })),
    ];
    this.draw(follows);
    this.settle(follows);
  }

  scroll(by: number): void {
    this.top -= by;
    this.settle(false);
  }

  /** Rows of other names stand for runs of these. */
  fold(size: number): void {
    const rows = this.rows.filter((_, index) => index % size === 0);
    this.rows = rows.map(({ key, height }) => ({ key, height: Math.min(height, 60) }));
    this.draw(false);
    this.settle(false);
  }

  get shown(): number {
    return this.heightOf(this.window.from, this.window.to);
  }

  private draw(follows: boolean): void {
    const before = this.window.from;
    const keys = this.rows.map(({ key }) => key);
    this.window.place(this.rows, follows);
    const { from } = this.window;
    if (keys.length > 0 && before <= from) this.top += this.heightOf(before, from);
    else this.top -= this.heightOf(from, before);
    if (follows) this.top = VIEW - this.shown;
  }

  /** Until nothing is to be drawn any more, which is soon. */
  private settle(follows: boolean): void {
    for (let round = 0; ; round += 1) {
      assert.ok(round < 30, 'comes to rest');
      this.keepInside();
      const { from } = this.window;
      const tops = this.tops();
      const layout = { tops, bottom: this.top + this.shown, view: VIEW, isHeld: false };
      if (!this.window.look(layout)) return;
      if (this.window.from < from) this.top -= this.heightOf(this.window.from, from);
      else this.top += this.heightOf(from, this.window.from);
      if (follows) this.top = VIEW - this.shown;
    }
  }

  /** Nobody scrolls beyond the ends. */
  private keepInside(): void {
    const { above, below } = this.window;
    const start = this.top - above;
    const end = this.top + this.shown + below;
    if (end < VIEW) this.top += VIEW - end;
    if (start > 0 || end - start < VIEW) this.top = above;
  }

  private tops(): number[] {
    let at = this.top;
    const tops: number[] = [];
    for (let index = this.window.from; index < this.window.to; index += 1) {
      tops.push(at);
      at += this.rows[index]?.height ?? 0;
    }
    return tops;
  }

  private heightOf(from: number, to: number): number {
    return this.rows.slice(from, to).reduce((sum, { height }) => sum + height, 0);
  }
}

const height = fc.oneof(
  fc.constant(24),
  fc.integer({ min: 16, max: 300 }),
  fc.integer({ min: 300, max: TALLEST }),
);

/** Each changes the view. */
const steps = fc.array(
  fc.oneof(
    fc.tuple(fc.array(height, { maxLength: 400 }), fc.boolean()).map(
      ([heights, follows]) =>
        (view: View) =>
          view.add(heights, follows),
    ),
    fc.integer({ min: -20_000, max: 20_000 }).map(by => (view: View) => view.scroll(by)),
    fc.integer({ min: 2, max: 5 }).map(size => (view: View) => view.fold(size)),
  ),
  { maxLength: 12 },
);

describe('the rows of a long list that are in the document', () => {
  test('cover the view, and are no more for a longer list', () => {
    fc.assert(
      fc.property(steps, all => {
        const view = new View();
        for (const step of all) {
          step(view);
          const { from, to, above, below, isWhole } = view.window;
          if (view.rows.length === 0) continue;
          assert.ok(from === 0 || view.top <= 0, 'nothing is missing above');
          assert.ok(to === view.rows.length || view.top + view.shown >= VIEW, 'nor below');
          assert.ok(above >= -0.5 && below >= -0.5);
          assert.ok(from > 0 || Math.abs(above) < 0.5);
          assert.ok(to < view.rows.length || Math.abs(below) < 0.5);
          if (!isWhole) assert.ok(view.shown <= 7 * VIEW + 2 * TALLEST, `${view.shown} px`);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('are those at the end, where the reader is there', () => {
    const view = new View();
    view.add(
      Array.from({ length: 5000 }, () => 30),
      true,
    );
    assert.equal(view.window.to, 5000);
    view.add([30, 30], true);
    assert.equal(view.window.to, 5002);
  });

  test('hold a row that is wanted', () => {
    const view = new View();
    view.add(
      Array.from({ length: 5000 }, () => 30),
      true,
    );
    view.window.place(view.rows, false, 7);
    assert.ok(view.window.from <= 7 && view.window.to > 7);
    assert.equal(view.window.above, 0);
  });
});
