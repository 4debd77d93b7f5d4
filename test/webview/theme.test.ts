import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { THEMES, withPanel, type Panel, type ThemeName } from './harness';
import { stateNamed } from './states';

/** As VS Code changes a theme: other variables, then the class of the body. */
async function change(panel: Panel, theme: ThemeName, bodyClass: string): Promise<void> {
  await panel.page.evaluate(
    ([href, name]) =>
      new Promise<void>(resolve => {
        const link = document.getElementById('theme') as HTMLLinkElement;
        link.onload = () => {
          document.body.className = name ?? '';
          resolve();
        };
        link.href = href ?? '';
      }),
    [`/themes/${theme}.css`, bodyClass],
  );
  await panel.painted();
}

const quiet = (panel: Panel) =>
  panel.page.evaluate(() => ({
    flat: document.body.hasAttribute('data-flat-description'),
    hint: getComputedStyle(document.querySelector('.hint') as Element).color,
    text: getComputedStyle(document.body).color,
  }));

describe('quiet text', () => {
  test('is mixed where the theme has none, and follows each change of theme', async () => {
    await withPanel({ theme: 'light-modern' }, async panel => {
      await panel.show(stateNamed('ready'));
      const light = await quiet(panel);
      assert.equal(light.flat, true, 'Light Modern gives descriptions the colour of text');
      assert.notEqual(light.hint, light.text);

      await change(panel, 'dark-modern', 'vscode-dark');
      const dark = await quiet(panel);
      assert.equal(dark.flat, false);
      assert.notEqual(dark.hint, light.hint);

      await change(panel, 'light-modern', 'vscode-light');
      assert.deepEqual(await quiet(panel), light);
      await change(panel, 'hc-light', 'vscode-high-contrast vscode-high-contrast-light');
      assert.equal((await quiet(panel)).flat, false, 'high contrast stays as it is');
    });
  });
});

describe('text buttons', () => {
  test('have the sizes of the panel, not those of a browser', async () => {
    await withPanel({}, async panel => {
      const sizes = (name: string) =>
        panel.page.getByRole('button', { name, exact: true }).evaluate(control => {
          const style = getComputedStyle(control);
          const { height } = control.getBoundingClientRect();
          return { font: style.fontSize, line: style.lineHeight, height };
        });
      await panel.show(stateNamed('first-run'));
      assert.deepEqual(await sizes('Start chat'), { font: '12px', line: '20px', height: 24 });
      await panel.show(stateNamed('crashed'));
      assert.deepEqual(await sizes('Restart'), { font: '12px', line: '20px', height: 24 });
    });
  });
});

describe('what waits for the user', () => {
  for (const theme of THEMES) {
    test(`has a warning's color, no other, in ${theme}`, async () => {
      await withPanel({ theme, width: 289 }, async panel => {
        await panel.show(stateNamed('permission'));
        const color = await panel.page
          .locator('.ask .codicon.warn')
          .first()
          .evaluate(icon => {
            const context = document.createElement('canvas').getContext('2d');
            if (!context) return [];
            context.fillStyle = getComputedStyle(icon).color;
            context.fillRect(0, 0, 1, 1);
            return [...context.getImageData(0, 0, 1, 1).data];
          });
        const [red = 0, green = 0, blue = 0] = color;
        // Yellow to brown: green is never ahead, and blue never near.
        assert.ok(red > green && green > blue, color.join(' '));
      });
    });
  }
});
