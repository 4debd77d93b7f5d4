import { mkdirSync } from 'node:fs';
import { test } from 'node:test';
import { withPanel } from './harness';
import { STATES, stateNamed } from './states';
test('shots', async () => {
  mkdirSync('/tmp/notice-shots', { recursive: true });
  await withPanel({ theme: 'dark-2026', width: 145, height: 380 }, async panel => {
    for (const name of ['ready', 'streaming', 'permission', 'permission-diff', 'queue-paused', 'queue', 'composer', 'unread', 'first-run']) {
      if (!STATES.some(state => state.name === name)) continue;
      await panel.show(stateNamed(name));
      await panel.screenshot(`/tmp/notice-shots/z-${name}.png`);
      if (stateNamed(name).then) await panel.page.getByRole('button', { name: 'Back to chat' }).click();
    }
  });
  for (const theme of ['dark-2026', 'light-2026', 'hc-dark', 'hc-light'] as const)
    for (const width of [220, 289])
      await withPanel({ theme, width, height: 560 }, async panel => {
        for (const name of ['ready', 'queue-paused', 'streaming', 'unread']) {
          await panel.show(stateNamed(name));
          await panel.screenshot(`/tmp/notice-shots/${name}-${theme}-${width}.png`);
          if (stateNamed(name).then) await panel.page.getByRole('button', { name: 'Back to chat' }).click();
        }
      });
});
