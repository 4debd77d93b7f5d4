import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { THEMES, withPanel } from './harness';
import { findings } from './measures';
import { STATES } from './states';

/** One page per theme and width shows every state in turn. */
const PLACES = [
  ...THEMES.flatMap(theme => [
    { theme, width: 380, host: 'sidebar' as const },
    { theme, width: 220, host: 'sidebar' as const },
  ]),
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
