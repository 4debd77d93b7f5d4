import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withPanel, type Panel } from '../harness';
import { PANEL, told } from '../states';
import { T0, asked, connected, ended, said } from '../story';

async function show(panel: Panel, prompts: number): Promise<void> {
  const turns = Array.from({ length: prompts }, (_, n) => [
    ...asked(`Prompt ${n}`, `turn-${n}`, T0 + n),
    ...said(`Answer ${n}. ${'More of it. '.repeat(60)}`, `text-${n}`, `turn-${n}`),
    ...ended('end_turn', T0 + n),
  ]);
  await panel.panelState(PANEL);
  await panel.snapshot(told(...connected(), ...turns.flat()));
}

const rail = (panel: Panel) =>
  panel.page.getByRole('button', { name: 'Go to Prompt', exact: true });

const isAtTop = (panel: Panel, name: string): Promise<void> =>
  panel.page
    .waitForFunction(wanted => {
      const prompt = document.activeElement?.closest('.prompt');
      const log = prompt?.closest('.log');
      if (!prompt || !log || prompt.querySelector('p')?.textContent !== wanted) return false;
      return Math.abs(prompt.getBoundingClientRect().top - log.getBoundingClientRect().top) < 40;
    }, name)
    .then(() => undefined);

describe('the rail of prompts', () => {
  test('is there from three prompts on, and in no panel too narrow for it', async () => {
    await withPanel({ width: 289 }, async panel => {
      await show(panel, 2);
      assert.equal(await rail(panel).count(), 0);
      await show(panel, 3);
      await rail(panel).waitFor();
      assert.equal(await panel.page.locator('.rail > .tick').count(), 3);
      await panel.page.setViewportSize({ width: 240, height: 700 });
      await rail(panel).waitFor({ state: 'hidden' });
    });
  });

  test('leads to the prompt of a tick, and shows which one is read', async () => {
    await withPanel({ width: 289 }, async panel => {
      await show(panel, 12);
      const here = panel.page.locator('.rail > .tick.here');
      await panel.page.locator('.rail > .tick').nth(3).click();
      await isAtTop(panel, 'Prompt 3');
      assert.equal(await here.getAttribute('title'), 'Prompt 3');
      await panel.conversation.evaluate(log => log.scrollTo(0, 0));
      await panel.page.waitForFunction(
        () => document.querySelector('.tick.here')?.getAttribute('title') === 'Prompt 0',
      );
    });
  });

  test('stays as small in a conversation of thousands, and leads anywhere in it', async () => {
    await withPanel({ width: 289 }, async panel => {
      await show(panel, 2000);
      assert.equal(await panel.page.locator('.rail > .tick').count(), 24);
      await panel.page.locator('.rail > .tick').nth(12).click();
      await isAtTop(panel, 'Prompt 1000');
    });
  });

  test('is a list for the keyboard', async () => {
    await withPanel({ width: 289 }, async panel => {
      await show(panel, 12);
      const { keyboard } = panel.page;
      await rail(panel).focus();
      await keyboard.press('Enter');
      const menu = panel.page.getByRole('menu', { name: 'Go to Prompt' });
      await menu.waitFor();
      assert.equal(await menu.getByRole('menuitem').count(), 12);
      await keyboard.press('Home');
      await keyboard.press('ArrowDown');
      await keyboard.press('Enter');
      await isAtTop(panel, 'Prompt 1');
      assert.equal(await menu.isVisible(), false);
      await rail(panel).focus();
      await keyboard.press('Enter');
      await menu.waitFor();
      await keyboard.press('Escape');
      await menu.waitFor({ state: 'hidden' });
      assert.ok(await rail(panel).evaluate(button => button === document.activeElement));
    });
  });
});
