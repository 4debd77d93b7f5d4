import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withPanel } from './harness';
import { stateNamed } from './states';

const PLACE = 'agents.eu-west.example.com:8443';

describe('where an agent runs', () => {
  for (const [width, isCut] of [
    [289, true],
    [600, false],
  ] as const) {
    test(`is in the header, cut at its start where there is no room: ${width} px`, async () => {
      await withPanel({ theme: 'dark-2026', width }, async panel => {
        await panel.show(stateNamed('remote'));
        const { page } = panel;
        await page
          .getByRole('button', { name: `Agent: Claude Code on ${PLACE}. Change agent` })
          .waitFor();
        const at = page.getByTitle(`Runs on ${PLACE}`, { exact: true });
        await at.waitFor();
        const { start, end, line } = await at.evaluate(element => {
          const bottom = element.closest('.sub')?.getBoundingClientRect().bottom ?? 0;
          const box = element.querySelector('.cut')?.getBoundingClientRect() ?? new DOMRect();
          const text = element.querySelector('bdo')?.getBoundingClientRect() ?? new DOMRect();
          return {
            start: box.left - text.left,
            end: Math.abs(box.right - text.right),
            line: bottom - element.getBoundingClientRect().bottom,
          };
        });
        assert.equal(start > 1, isCut);
        assert.ok(end < 1, 'its end is seen');
        assert.ok(line >= 0, 'it is in the line that is seen');
        await page.getByText('Ready', { exact: true }).waitFor();
      });
    });
  }

  test('is not said of an agent on this machine', async () => {
    await withPanel({ theme: 'dark-2026', width: 289 }, async panel => {
      await panel.show(stateNamed('ready'));
      await panel.page.getByRole('button', { name: 'Agent: Claude Code. Change agent' }).waitFor();
      assert.equal(await panel.page.getByTitle(/^Runs on/).count(), 0);
    });
  });
});
