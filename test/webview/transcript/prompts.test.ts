import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SessionAction } from '../../../src/session/state/actions';
import { withPanel, type Panel } from '../harness';
import { PANEL, told } from '../states';
import { T0, asked, connected, ended, said } from '../story';

const story: readonly SessionAction[] = ['One', 'Two', 'Three', 'Four'].flatMap((word, index) => [
  ...asked(`Prompt ${word}`, `turn-${index}`, T0 + index),
  ...said(`Reply ${word}. ${'More of it. '.repeat(150)}`, `text-${index}`, `turn-${index}`),
  ...ended('end_turn', T0 + index),
]);

async function show(panel: Panel): Promise<void> {
  await panel.panelState(PANEL);
  await panel.snapshot(told(...connected(), ...story));
}

/** The prompt that has the focus, and how far it is from the top of the view. */
const focused = (panel: Panel) =>
  panel.page.evaluate(() => {
    const prompt = document.activeElement?.closest('.prompt');
    const log = prompt?.closest('.log');
    if (!prompt || !log) return undefined;
    const offset = prompt.getBoundingClientRect().top - log.getBoundingClientRect().top;
    return { text: prompt.querySelector('p')?.textContent, isAtTop: Math.abs(offset) < 40 };
  });

describe('from prompt to prompt', () => {
  test('back from the end, forth again, and not beyond the first and the last', async () => {
    await withPanel({ width: 289, height: 500 }, async panel => {
      await show(panel);
      const seen: unknown[] = [];
      const step = async (type: 'previousPrompt' | 'nextPrompt'): Promise<void> => {
        await panel.post({ type });
        const place = await focused(panel);
        seen.push(place?.text);
        assert.ok(place?.isAtTop || place?.text === 'Prompt Four');
      };
      for (let steps = 0; steps < 5; steps += 1) await step('previousPrompt');
      await step('nextPrompt');
      assert.deepEqual(seen, [
        'Prompt Four',
        'Prompt Three',
        'Prompt Two',
        'Prompt One',
        'Prompt One',
        'Prompt Two',
      ]);
    });
  });
});

describe('copy', () => {
  test('each prompt and each reply, whole under the pointer', async () => {
    await withPanel({ width: 289, height: 500 }, async panel => {
      await panel.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await show(panel);
      const copied = () => panel.page.evaluate(() => navigator.clipboard.readText());
      for (const word of ['Two', 'Four']) {
        const turn = panel.page.getByRole('article', { name: `Prompt ${word}` });
        await turn.locator('.prompt').hover();
        const button = turn.getByRole('button', { name: 'Copy Prompt' });
        // Nothing cuts it: each of its corners is what is under the pointer there.
        const isWhole = await button.evaluate(element => {
          const { left, top, right, bottom } = element.getBoundingClientRect();
          const corners = [
            [left + 2, top + 2],
            [right - 2, bottom - 2],
          ] as const;
          return corners.every(([x, y]) => element.contains(document.elementFromPoint(x, y)));
        });
        assert.ok(isWhole, word);
        await button.click();
        assert.equal(await copied(), `Prompt ${word}`);
        await turn.getByRole('button', { name: 'Copy Answer' }).click();
        assert.ok((await copied()).startsWith(`Reply ${word}.`));
      }
    });
  });
});

describe('the title of the chat', () => {
  test('is changed in the header, by the menu or a double click', async () => {
    await withPanel({ width: 289 }, async panel => {
      await show(panel);
      const { page } = panel;
      await page.getByRole('button', { name: 'More Actions' }).click();
      await page.getByRole('menuitem', { name: 'Rename Chat' }).click();
      const field = page.getByRole('textbox', { name: 'Title of the chat' });
      await field.fill('  Waiting  ');
      await page.keyboard.press('Enter');
      assert.deepEqual(await panel.waitForIntent('renameChat'), {
        type: 'renameChat',
        chatId: 'chat-1',
        title: 'Waiting',
      });
      await field.waitFor({ state: 'detached' });
      await panel.clearPosts();
      await page.getByRole('heading', { level: 1 }).dblclick();
      await field.fill('Never mind');
      await page.keyboard.press('Escape');
      await field.waitFor({ state: 'detached' });
      assert.deepEqual(await panel.intents(), []);
    });
  });
});
