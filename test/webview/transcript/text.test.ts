import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withPanel, type Panel } from '../harness';
import { PANEL, told } from '../states';
import { asked, connected, ended, said } from '../story';

async function show(panel: Panel, text: string, isLive = false): Promise<void> {
  await panel.panelState(PANEL);
  const end = isLive ? [] : ended();
  await panel.snapshot(told(...connected(), ...asked(), ...said(text, 'text-1'), ...end));
}

describe('footnotes', () => {
  test('lead to their text and are plain where there is none', async () => {
    await withPanel({}, async panel => {
      await show(panel, 'A claim[^1], and [^none].\n\n[^1]: Its `source`.\n[^b]: Not used.');
      const { page } = panel;
      assert.equal(
        await page.locator('parley-markdown p').first().textContent(),
        'A claim1, and [^none].',
      );
      await page.getByRole('link', { name: 'Footnote 1' }).click();
      await page.waitForFunction(() => document.activeElement?.matches('[data-note="1"]'));
      assert.equal(await page.locator('[data-note="1"]').textContent(), '1 Its source.');
      assert.equal(await page.locator('[data-note]').count(), 2);
    });
  });
});

describe('details', () => {
  test('fold, keep their Markdown, and stay open while they grow', async () => {
    await withPanel({}, async panel => {
      const { page } = panel;
      await show(panel, '<details>\n<summary>The **why**</summary>\n\n- one\n', true);
      const details = page.locator('parley-markdown details');
      const inside = details.getByRole('listitem').first();
      assert.equal(await inside.isVisible(), false);
      await details.getByText('The why').click();
      assert.ok(await inside.isVisible());
      await panel.actions(said('- two\n\n</details>\n\nAfter.', 'text-1'));
      await details.getByText('two').waitFor();
      assert.ok(await inside.isVisible());
      assert.equal(await details.getByText('After.').count(), 0);
    });
  });

  test('in a sentence the tag is a word', async () => {
    await withPanel({}, async panel => {
      await show(panel, 'Use it:\n\n<details> is a tag.\n\nMore.');
      assert.equal(await panel.page.getByText('More.').isVisible(), true);
    });
  });
});

describe('formulas', () => {
  test('are drawn as such, by a script that nothing else loads', async () => {
    await withPanel({}, async panel => {
      const { page } = panel;
      const loaded: string[] = [];
      page.on('request', request => loaded.push(new URL(request.url()).pathname));
      await show(panel, 'It costs $5, $HOME/a is set, and $A/$B stay.');
      assert.equal(await page.locator('[data-math]').count(), 0);
      assert.ok(!loaded.includes('/dist/math.css'));
      await show(
        panel,
        'So $x^2$ and \\(y\\):\n\n$$\n\\frac{a}{b}\n$$\n\nNot $\\nosuch{x}$, nor $\\href{javascript:alert(1)}{y}$.',
      );
      await page.locator('[data-math="block"] .katex-display').waitFor();
      assert.equal(await page.locator('[data-math="inline"] .katex').count(), 3);
      assert.ok(await page.getByText('$\\nosuch{x}$').isVisible());
      await page.waitForFunction(() =>
        [...document.fonts].some(font => font.family === 'KaTeX_Math' && font.status === 'loaded'),
      );
      assert.ok(loaded.includes('/dist/math.css'));
      assert.equal(await page.locator('[data-math] :is([href], [src])').count(), 0);
    });
  });
});

describe('a diff in an answer', () => {
  test('has the colors of one in a card, and its text stays', async () => {
    await withPanel({}, async panel => {
      const text = '@@ -1 +1 @@\n-old\n+new\n same';
      await show(panel, `\`\`\`diff\n${text}\n\`\`\``);
      const code = panel.page.locator('figure code');
      await code.locator('.inserted').waitFor();
      assert.equal(await code.textContent(), text);
      const colors = await code.evaluate(element =>
        ['.inserted', '.deleted'].map(name => {
          const line = element.querySelector(name);
          return line && getComputedStyle(line).backgroundColor;
        }),
      );
      assert.equal(new Set(colors).size, 2);
      assert.ok(!colors.includes('rgba(0, 0, 0, 0)'));
    });
  });
});

describe('what is wider than the panel', () => {
  const wide = 'a very long cell '.repeat(6);
  const TEXT = `| A | B |\n|---|---|\n| ${wide} | ${wide.replaceAll(' ', '')} |\n\n\`\`\`\n${wide.repeat(2)}\n\`\`\``;
  for (const [what, selector] of [
    ['a table', '.tablewrap'],
    ['code', 'figure.block > pre'],
  ] as const) {
    test(`${what} has a scroll bar to be seen, and scrolls with the keyboard`, async () => {
      await withPanel({ width: 289 }, async panel => {
        const { keyboard } = panel.page;
        await show(panel, TEXT);
        const box = panel.page.locator(selector);
        // A browser without a window hides the bars themselves.
        const bar = await box.evaluate(element => ({
          isWider: element.scrollWidth > element.clientWidth,
          height: parseFloat(getComputedStyle(element, '::-webkit-scrollbar').height),
          color: getComputedStyle(element, '::-webkit-scrollbar-thumb').backgroundColor,
        }));
        assert.ok(bar.isWider && bar.height >= 8, JSON.stringify(bar));
        assert.notEqual(bar.color, 'rgba(0, 0, 0, 0)');
        await panel.conversation.focus();
        // From the end of the turn to the answer, and into it.
        await keyboard.press('ArrowUp');
        await keyboard.press('ArrowUp');
        const hasFocus = () => box.evaluate(element => element === document.activeElement);
        for (let tabs = 0; tabs < 10 && !(await hasFocus()); tabs += 1) await keyboard.press('Tab');
        assert.ok(await hasFocus());
        await keyboard.press('ArrowRight');
        await panel.page.waitForFunction(
          found => (document.querySelector(found)?.scrollLeft ?? 0) > 0,
          selector,
        );
      });
    });
  }
});
