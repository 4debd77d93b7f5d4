import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { newChat, restoreWorkspace, suite, userTest } from './suite';

describe('mentions', () => {
  userTest(
    'an @ finds a file; it goes to the agent with the message, and opens from it',
    async () => {
      const { workbench } = await suite();
      await restoreWorkspace();
      const panel = await newChat();
      await panel.message.focus();
      await workbench.page.keyboard.type('What reached you of @gre');
      await panel.frame.getByRole('option', { name: 'greeting.js' }).first().waitFor();
      await workbench.page.keyboard.press('Enter');
      const text = 'What reached you of @src/greeting.js ';
      assert.equal(await panel.message.inputValue(), text);
      await panel.attachment('greeting.js').waitFor();
      await workbench.page.keyboard.press('Enter');
      const turn = panel.turn(text.trim());
      await turn.getByText('Says hello to someone').first().waitFor();
      await panel.waitUntilIdle();
      await turn.getByRole('link', { name: '@src/greeting.js' }).click();
      await workbench.page.getByRole('tab', { name: /greeting\.js/ }).waitFor();
    },
  );
});
