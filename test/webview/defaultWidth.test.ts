import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withPanel } from './harness';
import { STATES } from './states';

/** As wide as VS Code opens the secondary side bar, in pixels. */
const WIDTH = 289;

describe('at the default width', () => {
  for (const language of ['en', 'de']) {
    test(`what Parley itself says is whole, and little takes a second row: ${language}`, async () => {
      await withPanel({ theme: 'dark-2026', width: WIDTH, language }, async panel => {
        const all: string[] = [];
        for (const state of STATES) {
          await panel.show(state);
          if (state.then) await panel.page.getByRole('searchbox').waitFor();
          const found = await panel.page.evaluate(narrowFindings, language);
          all.push(...found.map(finding => `${state.name}: ${finding}`));
          if (state.then)
            await panel.page.getByRole('button', { name: panel.named('Back to chat') }).click();
        }
        assert.deepEqual(all, []);
      });
    });
  }
});

/** Runs inside the page. */
function narrowFindings(language: string): string[] {
  const found: string[] = [];
  const box = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
  const own =
    '.head .sub .is, .head .sub .cut, .composer .hint, .endhint > span:first-child, .work-fold > summary > .cut, .endline > .cut';
  const line = box('.head .sub');
  for (const words of document.querySelectorAll(own)) {
    const { top, bottom } = words.getBoundingClientRect();
    // A name that does not fit is away as a whole.
    const isAway = words.closest('.who') && line && top >= line.bottom - 1;
    // Where it runs may be long: it is cut in the middle.
    if (isAway || words.closest('.at')) continue;
    const isCut = words.scrollWidth > words.clientWidth + 1;
    const isOut = words.closest('.sub') && line && bottom > line.bottom + 1;
    if (isCut || isOut) found.push(`cut: ${words.textContent?.trim() ?? ''}`);
  }
  const changes = box('.changes > .rowh');
  // "Rückgängig" is a long word.
  if (language === 'en' && changes && changes.height > 40) found.push('the changes take two rows');
  const hint = box('.endhint');
  if (hint && hint.height > 32) found.push('the hint of the list takes two rows');
  const choices = document.querySelectorAll('.choices > parley-choice').length;
  if (document.querySelector('.choices > .more') && choices === 0) found.push('no mode, no model');
  const over = (box('.pinbar') ?? box('.head'))?.bottom ?? 0;
  for (const ask of document.querySelectorAll('.ask')) {
    const [card, top] = [ask, ask.querySelector(':scope > .top')].map(
      element => element?.getBoundingClientRect().top ?? 0,
    ) as [number, number];
    const isStuck = top > card + 2;
    if (isStuck && top > over + 1)
      found.push(`a slit of ${Math.round(top - over)} px above a question`);
  }
  const tail = document.querySelector('.turn:not(.live) + :is(.ask.error, .notice)');
  const last = tail?.previousElementSibling?.querySelector(
    ':scope > :not(.reply):nth-last-child(-n + 2)',
  );
  if (tail && last) {
    const gap = tail.getBoundingClientRect().top - last.getBoundingClientRect().bottom;
    if (gap > 32) found.push(`${Math.round(gap)} px of nothing above ${tail.className}`);
  }
  return found;
}
