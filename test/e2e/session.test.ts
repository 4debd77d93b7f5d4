import assert from 'node:assert/strict';
import { afterEach, describe } from 'node:test';
import { ParleyPanel } from './parleyPanel';
import {
  newChat,
  readWorkspaceFile,
  restoreWorkspace,
  suite,
  userTest,
  withSettings,
} from './suite';

const FILE = 'src/greeting.js';
const FIXED = /name\.trim\(\) \|\| 'stranger'/;

describe('composer and settings', () => {
  afterEach(restoreWorkspace);

  userTest('slash commands complete', async () => {
    const panel = await newChat();
    await panel.message.pressSequentially('/mark');
    const row = panel.frame.getByRole('option', { name: 'markdown' });
    await row.waitFor();
    assert.equal(await panel.frame.getByRole('option', { name: 'tour' }).count(), 0);
    await panel.message.press('Tab');
    assert.match(await panel.message.inputValue(), /^\/markdown\b/);
    await panel.message.fill('');
  });

  userTest('in the mode Auto-edit nothing is asked', async () => {
    const panel = await newChat();
    await panel.choose('Mode', 'Auto-edit');
    await panel.askAndWait(`/edit ${FILE}`);
    assert.match(await readWorkspaceFile(FILE), FIXED);
    assert.equal(await panel.permission().count(), 0);
  });

  userTest('mode and model can be set by command', async () => {
    const { workbench } = await suite();
    const panel = await newChat();
    await workbench.runCommand('Parley: Set Mode…');
    await workbench.pick('Plan only');
    await panel.config('Mode').filter({ hasText: 'Plan only' }).waitFor();
    await workbench.runCommand('Parley: Set Model…');
    await workbench.pick('Demo Large');
    await panel.config('Model').filter({ hasText: 'Demo Large' }).waitFor();
    await panel.askAndWait(`/edit ${FILE}`);
    assert.doesNotMatch(await readWorkspaceFile(FILE), FIXED);
  });

  userTest('context use is shown', async () => {
    const panel = await newChat();
    await panel.askAndWait('/fill 85');
    await panel.frame.getByRole('meter', { name: 'Context' }).waitFor();
  });
});

describe('a chat stays what it was', () => {
  afterEach(restoreWorkspace);

  userTest('a budget that is used up asks, wherever the user is', async () => {
    const { workbench } = await suite();
    const settings = {
      'parley.notifications': 'always',
      'parley.budget': { chat: { minutes: 0.01 } },
    };
    await withSettings(settings, async () => {
      const panel = await newChat();
      await panel.ask('/slow 600');
      const toast = workbench.notification('The budget of this chat is used up');
      await toast.waitFor();
      await workbench.runCommand('View: Toggle Secondary Side Bar Visibility');
      await panel.app.waitFor({ state: 'hidden' });
      await toast.getByRole('button', { name: 'Show' }).click();
      await panel.conversation.getByRole('button', { name: 'Continue' }).waitFor();
      await panel.frame.getByRole('meter', { name: 'Budget' }).getByText('0% left').waitFor();
      const stop = panel.conversation.getByRole('button', { name: 'Stop' });
      await stop.click();
      await stop.waitFor({ state: 'hidden' });
      await panel.waitUntilIdle();
    });
  });

  userTest('hidden and shown again, with its draft', async () => {
    const { workbench } = await suite();
    const panel = await newChat();
    await panel.askAndWait('/think');
    await panel.message.fill('half a thought');
    await workbench.runCommand('View: Toggle Secondary Side Bar Visibility');
    await panel.app.waitFor({ state: 'hidden' });
    await workbench.runCommand('View: Toggle Secondary Side Bar Visibility');
    await panel.turn('/think').waitFor();
    assert.equal(await panel.message.inputValue(), 'half a thought');
    await panel.message.fill('');
  });

  userTest('what happened while it was hidden is there', async () => {
    const { workbench } = await suite();
    const panel = await newChat();
    await panel.ask('/slow 4');
    await workbench.runCommand('View: Toggle Secondary Side Bar Visibility');
    await panel.app.waitFor({ state: 'hidden' });
    await workbench.runCommand('View: Toggle Secondary Side Bar Visibility');
    await panel.waitUntilIdle();
    await panel.turn('/slow 4').getByText('You let me finish').waitFor();
  });

  userTest('as an editor tab, the same chat', async () => {
    const { workbench } = await suite();
    const panel = await newChat();
    await panel.askAndWait('/think');
    await workbench.runCommand('Parley: Open Chat in Editor');
    const inEditor = new ParleyPanel(workbench, 'editor');
    await inEditor.turn('/think').waitFor({ timeout: 30_000 });
    await inEditor.askAndWait('/read README.md');
    await panel.turn('/read README.md').waitFor();
    await workbench.closeActiveTab();
  });

  userTest(
    'after the window was reloaded in the middle of a turn: in each of its views',
    async () => {
      const { workbench } = await suite();
      const first = await newChat();
      await first.askAndWait('/think');
      await workbench.openFile('package.json');
      await workbench.runCommand('Parley: Add File to Chat');
      await first.attachment('package.json').waitFor();
      await first.waitUntilFocused();
      await first.message.fill('not sent yet');
      await first.message.blur();
      await workbench.runCommand('Parley: Open Chat in Editor');
      const second = new ParleyPanel(workbench, 'editor');
      await second.turn('/think').waitFor();
      await second.button('New Chat').click();
      await second.turn('/think').waitFor({ state: 'detached' });
      await second.waitUntilReady();
      await second.ask('/slow 60');
      await second.message.fill('/read README.md');
      await second.message.press('Enter');
      await second.queue.getByText('/read README.md').waitFor();
      await second.message.fill('a thought for later');
      await second.message.blur();

      await workbench.reload();
      // By themselves, and in whichever order.
      const [here, there] = await ParleyPanel.both(workbench, '/slow 60');
      await there.turn('/think').waitFor();
      await there.attachment('package.json').waitFor();
      assert.equal(await there.message.inputValue(), 'not sent yet');
      assert.equal(await here.message.inputValue(), 'a thought for later');
      await here.queue.getByText('/read README.md').waitFor();
      assert.equal(await here.stop.count(), 0, 'nothing was sent by itself');

      await there.message.press('Enter');
      await there.turn('not sent yet').waitFor();
      await there.waitUntilIdle();
      await workbench.closeActiveTab();
    },
  );

  userTest('New Chat starts empty, and the earlier chat is in the list', async () => {
    const { workbench } = await suite();
    const panel = await newChat();
    await panel.askAndWait('/think about chats');
    await workbench.runCommand('Parley: New Chat');
    await panel.turn('/think about chats').waitFor({ state: 'hidden' });
    await panel.waitUntilReady();
    await workbench.runCommand('Parley: Show Chats…');
    // Not among the recent ones of the empty chat, which the list covers a moment later.
    await panel.frame.locator('parley-history').getByText('Thinking aloud').first().click();
    await panel.turn('/think about chats').waitFor();
  });

  userTest('what is sent while another chat arrives is sent in its own', async () => {
    const { workbench } = await suite();
    const panel = await newChat();
    await panel.message.fill('/think in passing');
    // The host has changed to the new chat by then, and the page still shows the one before.
    await panel.message.evaluate(
      area =>
        new Promise<void>(resolve => {
          const arrived = ({ data }: MessageEvent<{ type: string }>) => {
            if (data.type !== 'snapshot') return;
            window.removeEventListener('message', arrived);
            area.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
            resolve();
          };
          window.addEventListener('message', arrived);
          document.querySelector<HTMLElement>('button[aria-label="New Chat"]')?.click();
        }),
    );
    await panel.waitUntilReady();
    assert.equal(await panel.turns.count(), 0);
    assert.equal(await panel.message.inputValue(), '');
    await panel.waitUntilFocused();
    await workbench.runCommand('Parley: Show Chats…');
    await panel.frame.locator('parley-history').getByText('Thinking aloud').first().click();
    await panel.turn('/think in passing').waitFor();
  });
});
