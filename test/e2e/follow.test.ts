import assert from 'node:assert/strict';
import { afterEach, describe } from 'node:test';
import { eventually } from '../workbench/eventually';
import type { ParleyPanel } from './parleyPanel';
import { newChat, suite, userTest, withSettings } from './suite';

/** Types a part of a message and looks whether all of it has arrived in the composer. */
async function typesOn(panel: ParleyPanel, text: string): Promise<void> {
  const { workbench } = await suite();
  await workbench.page.keyboard.type(text);
  await eventually('the composer has it', async () => (await panel.message.inputValue()) === text);
}

describe('following the agent', () => {
  afterEach(async () => {
    const { workbench } = await suite();
    await workbench.runCommand('View: Close All Editors');
  });

  userTest('is off unless asked for: no file opens by itself', async () => {
    const { workbench } = await suite();
    const panel = await newChat();
    await panel.askAndWait('/read src/greeting.js');
    assert.equal(await workbench.tab('greeting.js').count(), 0);
  });

  userTest('shows the files, while the focus stays in the message', async () => {
    const { workbench } = await suite();
    await withSettings({ 'parley.followAgent': true }, async () => {
      const panel = await newChat();
      await panel.ask('/read src/greeting.js');
      await workbench.tab('greeting.js').waitFor();
      await typesOn(panel, 'while it works');
      await panel.waitUntilIdle();
      await panel.message.fill('');

      await panel.ask('/read docs/notes.md');
      await workbench.tab('notes.md').waitFor();
      await typesOn(panel, 'and on');
      // A preview: the one takes the place of the other.
      await workbench.tab('greeting.js').waitFor({ state: 'hidden' });
      await panel.waitUntilIdle();
      await panel.message.fill('');
    });
  });

  userTest('leaves a locked group alone', async () => {
    const { workbench } = await suite();
    await withSettings({ 'parley.followAgent': true }, async () => {
      const panel = await newChat();
      await workbench.openFile('README.md');
      await workbench.withLockedGroup(async names => {
        await panel.message.click();
        await panel.ask('/read src/greeting.js');
        await workbench.tab('greeting.js').waitFor();
        await typesOn(panel, 'while it works');
        await panel.waitUntilIdle();
        assert.deepEqual(await names(), ['README.md']);
        await panel.message.fill('');
      });
    });
  });
});
