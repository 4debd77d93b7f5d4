import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { THEMES, withPanel } from './harness';
import { findings } from './measures';
import { STATES } from './states';

/** A window of 1400 × 900 at 200 % zoom, in CSS pixels: VS Code's side bar as narrow as it gets, and as it opens. */
const ZOOMED = [
  { width: 170, height: 380 },
  { width: 289, height: 400 },
] as const;

/** One page per theme and width shows every state in turn. */
const PLACES = [
  ...THEMES.flatMap(theme => [
    { theme, width: 380, host: 'sidebar' as const },
    { theme, width: 220, host: 'sidebar' as const },
  ]),
  { theme: 'dark-2026' as const, width: 289, host: 'sidebar' as const },
  { theme: 'light-modern' as const, width: 900, host: 'editor' as const },
  // German is longer.
  { theme: 'dark-2026' as const, width: 289, host: 'sidebar' as const, language: 'de' },
  { theme: 'light-2026' as const, width: 220, host: 'sidebar' as const, language: 'de' },
];

describe('every state can be read, fits and has names', () => {
  for (const place of PLACES) {
    test(`${place.theme}, ${place.width} px, ${place.host}${'language' in place ? `, ${place.language}` : ''}`, async () => {
      await withPanel(place, async panel => {
        const all: string[] = [];
        for (const state of STATES) {
          await panel.show({ ...state, panel: { ...state.panel, host: place.host } });
          if (state.then) await panel.page.getByRole('searchbox').waitFor();
          const found = await panel.page.evaluate(findings);
          all.push(...found.map(finding => `${state.name}: ${finding}`));
          if (state.then)
            await panel.page.getByRole('button', { name: panel.named('Back to chat') }).click();
        }
        assert.deepEqual(all, []);
      });
    });
  }
});

describe('at 200 % zoom every state fits, and the conversation keeps half the height', () => {
  for (const size of ZOOMED) {
    test(`${size.width} × ${size.height}`, async () => {
      await withPanel({ theme: 'dark-2026', ...size }, async panel => {
        const all: string[] = [];
        for (const state of STATES) {
          await panel.show(state);
          if (state.then) await panel.page.getByRole('searchbox').waitFor();
          const found = [
            ...(await panel.page.evaluate(findings)),
            ...(await panel.page.evaluate(cutControls)),
          ];
          all.push(...found.map(finding => `${state.name}: ${finding}`));
          if (state.then) await panel.page.getByRole('button', { name: 'Back to chat' }).click();
        }
        assert.deepEqual(all, []);
      });
    });
  }
});

/** What cannot be pressed where it stands, and a conversation that is less than half. Runs inside the page. */
function cutControls(): string[] {
  const found: string[] = [];
  const scrolls = (element: Element): boolean => {
    for (let at = element.parentElement; at; at = at.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(at);
      const isScroller = [overflowX, overflowY].includes('auto');
      if (isScroller && (at.scrollHeight > at.clientHeight || at.scrollWidth > at.clientWidth)) {
        return true;
      }
    }
    return false;
  };
  for (const control of document.querySelectorAll('.panel :is(button, input, textarea, select)')) {
    const { left, right, top, bottom, width } = control.getBoundingClientRect();
    if (width === 0 || control.closest('.vh, [hidden]') || !control.checkVisibility()) continue;
    const name = control.getAttribute('aria-label') ?? control.textContent?.trim() ?? '';
    const isIn =
      left >= -0.5 && right <= innerWidth + 0.5 && top >= -0.5 && bottom <= innerHeight + 0.5;
    if (!isIn && !scrolls(control)) found.push(`out of reach: ${name}`);
    const isCut = control.matches('.btn') && control.scrollWidth > control.clientWidth + 1;
    if (isCut) found.push(`a cut button: ${name}`);
  }
  const log = document.querySelector('parley-transcript > .log');
  const height = log?.getBoundingClientRect().height ?? innerHeight;
  if (height < innerHeight / 2 - 1) found.push(`the conversation has ${Math.round(height)} px`);
  return found;
}
