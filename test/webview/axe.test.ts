import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { axeFindings } from './axe';
import { THEMES, withPanel } from './harness';
import { STATES } from './states';

/** The rules that depend on colors; the others need one theme. */
const OF_THEMES = ['color-contrast', 'link-in-text-block'];

describe('axe-core finds nothing', () => {
  for (const [index, theme] of THEMES.entries()) {
    test(theme, async () => {
      await withPanel({ theme, width: 289 }, async panel => {
        const all: string[] = [];
        for (const state of STATES) {
          await panel.show(state);
          if (state.then) await panel.page.getByRole('searchbox').waitFor();
          const found = await axeFindings(panel, index === 0 ? undefined : OF_THEMES);
          all.push(...found.map(finding => `${state.name}: ${finding}`));
          if (state.then) await panel.page.getByRole('button', { name: 'Back to chat' }).click();
        }
        assert.deepEqual(all, []);
      });
    });
  }
});
