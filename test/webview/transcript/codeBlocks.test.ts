import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { withPanel, type Panel } from '../harness';
import { told, PANEL } from '../states';
import { asked, connected, ended, said } from '../story';

const TEXT = `See [retry.ts](src/http/retry.ts:4) and [backoff](src/backoff.ts).

\`\`\`ts src/http/retry.ts
export const RETRIES = 3;
\`\`\`

\`\`\`console
$ npm test
\`\`\`
`;

async function show(panel: Panel): Promise<{ code: Locator; shell: Locator }> {
  await panel.panelState(PANEL);
  await panel.snapshot(told(...connected(), ...asked(), ...said(TEXT, 'text-1'), ...ended()));
  const block = (name: string) => panel.page.getByRole('figure', { name });
  return { code: block('Code, TypeScript'), shell: block('Code, Shell') };
}

const opacity = (button: Locator) =>
  button.evaluate(element => Number(getComputedStyle(element).opacity));

describe('the buttons of a block of code', () => {
  test('show on the block that is pointed at, in one row, each a target of 24 px', async () => {
    for (const width of [220, 289, 600]) {
      await withPanel({ width }, async panel => {
        const { code, shell } = await show(panel);
        await panel.page.mouse.move(0, 0);
        const copy = code.getByRole('button', { name: 'Copy' });
        assert.equal(await opacity(copy), 0);
        await code.hover();
        assert.equal(await opacity(copy), 1);
        for (const block of [code, shell]) {
          const boxes = await Promise.all(
            (await block.locator('.bar button:visible').all()).map(button => button.boundingBox()),
          );
          const bar = await block.boundingBox();
          assert.ok(bar && boxes.every(box => box && box.x + box.width <= bar.x + bar.width));
          assert.equal(new Set(boxes.map(box => box?.y)).size, 1);
          assert.ok(boxes.every(box => box && box.width >= 24 && box.height >= 24));
        }
        const more = code.getByRole('button', { name: 'More Code Actions' });
        assert.equal(await more.isVisible(), width < 260);
        assert.equal(await code.getByRole('button', { name: 'New File' }).isVisible(), width > 260);
      });
    }
  });

  test('come over the end of one command, which needs no bar; more lines have one', async () => {
    await withPanel({ width: 289 }, async panel => {
      const { shell } = await show(panel);
      const bar = shell.locator('.bar');
      const height = async () => (await shell.boundingBox())?.height ?? 0;
      const isCovered = (node: Element) => getComputedStyle(node).opacity === '0';
      await panel.page.mouse.move(0, 0);
      assert.ok((await height()) <= 36, 'a line, and nothing above it');
      assert.equal(await bar.evaluate(isCovered), true);
      await shell.getByRole('button', { name: 'Run in Terminal' }).focus();
      assert.equal(await bar.evaluate(isCovered), false);
      await panel.actions([
        ...asked('again', 'turn-2'),
        ...said('```sh\nls\n', 'text-2', 'turn-2'),
        ...said('pwd\n', 'text-2', 'turn-2'),
      ]);
      const grown = panel.page.getByRole('figure', { name: 'Code, Shell' }).last();
      await grown.getByText('pwd').waitFor();
      const lines = (await grown.locator('pre').boundingBox())?.height ?? 0;
      assert.ok(((await grown.boundingBox())?.height ?? 0) >= lines + 24, 'the bar is above');
    });
  });

  test('copy each block whole, as it was written', async () => {
    await withPanel({ width: 600 }, async panel => {
      const { page } = panel;
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      const { code, shell } = await show(panel);
      for (const [block, text] of [
        [code, 'export const RETRIES = 3;'],
        [shell, '$ npm test'],
      ] as const) {
        await block.hover();
        await block.getByRole('button', { name: 'Copy' }).click();
        assert.equal(await page.evaluate(() => navigator.clipboard.readText()), text);
      }
    });
  });

  test('say what they are about: the code, what stands beside its fence, the files named before', async () => {
    await withPanel({ width: 600 }, async panel => {
      const { code, shell } = await show(panel);
      await code.hover();
      await code.getByRole('button', { name: 'Apply to File…' }).click();
      assert.deepEqual(await panel.waitForIntent('applyCode'), {
        type: 'applyCode',
        text: 'export const RETRIES = 3;',
        info: 'ts src/http/retry.ts',
        near: ['src/backoff.ts', 'src/http/retry.ts:4'],
      });
      await code.getByRole('button', { name: 'Insert at Cursor' }).click();
      assert.equal((await panel.waitForIntent('insertAtCursor')).text, 'export const RETRIES = 3;');
      await shell.hover();
      await shell.getByRole('button', { name: 'Run in Terminal…' }).click();
      assert.deepEqual(await panel.waitForIntent('runCode'), {
        type: 'runCode',
        text: '$ npm test',
        info: 'console',
      });
      assert.equal(await code.getByRole('button', { name: 'Run in Terminal…' }).count(), 0);
    });
  });

  test('are reached with the keyboard, and their menu too', async () => {
    await withPanel({ width: 220 }, async panel => {
      const { code } = await show(panel);
      const { keyboard } = panel.page;
      await panel.conversation.focus();
      // From the end of the turn to the answer, and into it.
      await keyboard.press('ArrowUp');
      await keyboard.press('ArrowUp');
      const more = code.getByRole('button', { name: 'More Code Actions' });
      const hasFocus = () => more.evaluate(button => button === document.activeElement);
      for (let tabs = 0; tabs < 10 && !(await hasFocus()); tabs += 1) await keyboard.press('Tab');
      assert.equal(await opacity(more), 1);
      await keyboard.press('Enter');
      const menu = panel.page.getByRole('menu', { name: 'More Code Actions' });
      const item = menu.getByRole('menuitem', { name: 'New File' });
      await item.waitFor();
      assert.equal(await more.getAttribute('aria-expanded'), 'true');
      await keyboard.press('Escape');
      await menu.waitFor({ state: 'detached' });
      assert.ok(await more.evaluate(button => button === document.activeElement));
      await keyboard.press('Enter');
      await item.waitFor();
      await keyboard.press('Enter');
      assert.equal((await panel.waitForIntent('newFile')).info, 'ts src/http/retry.ts');
      await menu.waitFor({ state: 'detached' });
    });
  });
});
