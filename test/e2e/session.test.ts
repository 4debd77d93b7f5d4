import assert from 'node:assert/strict';
import { afterEach, describe } from 'node:test';
import { ParleyPanel } from './parleyPanel';
import { newChat, readWorkspaceFile, restoreWorkspace, suite, userTest } from './suite';

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

  userTest('context use and cost are shown', async () => {
    const panel = await newChat();
    await panel.askAndWait('/fill 85');
    await panel.frame.getByRole('meter', { name: 'Context' }).waitFor();
  });
});

describe('a chat stays what it was', () => {
  afterEach(restoreWorkspace);

  userTest('hidden and shown again, with its draft', async () => {
    const { workbench } = await suite();
    const panel = await newChat();
    await panel.askAndWait('/think');
    await panel.message.fill('half a thought');
    await workbench.runCommand('View: Toggle Secondary Side Bar Visibility');
    await panel.app.waitFor({ state: 'detached' });
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
    await panel.app.waitFor({ state: 'detached' });
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

  userTest('after the window was reloaded, with its draft', async () => {
    const { workbench } = await suite();
    const panel = await newChat();
    await panel.askAndWait('/think');
    await panel.message.fill('not sent yet');
    await panel.message.blur();
    await workbench.reload();
    // By itself: what was open comes back. (A palette opened before would lose the focus to it.)
    await panel.turn('/think').waitFor({ timeout: 60_000 });
    assert.equal(await panel.message.inputValue(), 'not sent yet');
    await panel.message.fill('');
    await panel.askAndWait('/markdown');
    assert.equal(await panel.turns.count(), 2);
  });

  userTest('New Chat starts empty, and the earlier chat is in the list', async () => {
    const { workbench } = await suite();
    const panel = await newChat();
    await panel.askAndWait('/think about chats');
    await workbench.runCommand('Parley: New Chat');
    await panel.turn('/think about chats').waitFor({ state: 'hidden' });
    await panel.waitUntilReady();
    await workbench.runCommand('Parley: Show Chats…');
    await panel.frame
      .getByText(/about chats|Thinking aloud/)
      .first()
      .click();
    await panel.turn('/think about chats').waitFor();
  });
});
