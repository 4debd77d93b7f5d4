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
    test(`is in the header, cut in the middle where there is no room: ${width} px`, async () => {
      await withPanel({ theme: 'dark-2026', width }, async panel => {
        await panel.show(stateNamed('remote'));
        const { page } = panel;
        await page
          .getByRole('button', { name: `Agent: Claude Code on ${PLACE}. Change agent` })
          .waitFor();
        const at = page.getByTitle(`Runs on ${PLACE}`, { exact: true });
        await at.waitFor();
        const { head, tail, line } = await at.evaluate(element => {
          const [, start, end] = element.children;
          const bottom = element.closest('.sub')?.getBoundingClientRect().bottom ?? 0;
          return {
            head: start ? start.scrollWidth - start.clientWidth : 0,
            tail: end ? end.scrollWidth - end.clientWidth : -1,
            line: bottom - element.getBoundingClientRect().bottom,
          };
        });
        assert.equal(head > 0, isCut);
        assert.equal(tail, 0);
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
