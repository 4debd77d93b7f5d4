import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe } from 'node:test';
import { eventually } from '../workbench/eventually';
import type { Workbench } from '../workbench/workbench';
import {
  allowed,
  untouched,
  before,
  CREATED,
  DELETED,
  EDIT,
  EDITED,
  isThere,
  RENAMED,
  RENAMED_TO,
  workOnAll,
} from './agentWork';
import { ChangesBar } from './changesBar';
import {
  fixtureAgent,
  newChat,
  readWorkspaceFile,
  restoreWorkspace,
  suite,
  userTest,
  withSettings,
  workspace,
} from './suite';

const IS_RESTORED = 'The files are as they were before the prompt.';

/** From the palette: to before `prompt`, `what` of it. */
async function restore(workbench: Workbench, prompt: string, what: string): Promise<void> {
  await workbench.runCommand('Parley: Restore to Before This Prompt');
  await workbench.pick(prompt);
  await workbench.quickInput.getByText(`Restore to Before "${prompt}"`).waitFor();
  await workbench.pick(what);
}

describe('Restore to Before This Prompt', () => {
  afterEach(async () => {
    const { workbench } = await suite();
    await workbench.runCommand('Parley: Keep All Changes');
    for (const name of [CREATED, RENAMED_TO]) {
      rmSync(path.join(await workspace(), name), { force: true });
    }
    await restoreWorkspace();
    await workbench.runCommand('Notifications: Clear All Notifications');
    await workbench.runCommand('View: Close All Editors');
  });

  userTest('files only: created, deleted and renamed ones, and back again', async () => {
    const { workbench } = await suite();
    const panel = await newChat();
    const bar = await workOnAll(panel);
    const edited = await readWorkspaceFile(EDITED);
    const renamed = await readWorkspaceFile(RENAMED_TO);
    const pending = await bar.list();

    await restore(workbench, EDIT, 'Files');
    // A toast goes after ten seconds, but not from under the mouse.
    await workbench.notification(IS_RESTORED).hover();
    await bar.gone();
    await untouched();
    assert.equal(await panel.turns.count(), 3, 'the conversation stays');

    await workbench.notification(IS_RESTORED).getByRole('button', { name: 'Undo Restore' }).click();
    await bar.files(4);
    assert.deepEqual(await bar.list(), pending);
    assert.equal(await readWorkspaceFile(EDITED), edited);
    assert.equal(await readWorkspaceFile(RENAMED_TO), renamed);
    assert.ok(await isThere(CREATED));
    assert.ok(!(await isThere(DELETED)) && !(await isThere(RENAMED)));
    await workbench.runCommand('Parley: Undo All Changes');
    await workbench.dialog.getByRole('button', { name: 'Undo All' }).click();
    await bar.gone();
    await untouched();
  });

  userTest("warns of the user's later edits by name, and can bring them back", async () => {
    const { workbench } = await suite();
    const panel = await newChat();
    await allowed(panel, EDIT);
    await allowed(panel, `/new ${CREATED}`);
    const bar = new ChangesBar(panel);
    await bar.files(2);
    const mine = `${await readWorkspaceFile(EDITED)}\nMine.\n`;
    writeFileSync(path.join(await workspace(), EDITED), mine);

    await restore(workbench, EDIT, 'Files');
    await workbench.dialog
      .getByText('One of the files was edited after the agent changed it.')
      .waitFor();
    await workbench.dialog.filter({ hasText: EDITED }).waitFor();
    assert.equal(await workbench.dialog.filter({ hasText: CREATED }).count(), 0);
    await workbench.dialog.getByRole('button', { name: 'Cancel' }).click();
    await workbench.dialog.waitFor({ state: 'hidden' });
    assert.equal(await readWorkspaceFile(EDITED), mine, 'nothing happened');

    await restore(workbench, EDIT, 'Files');
    await workbench.dialog.getByRole('button', { name: 'Restore' }).click();
    await workbench.notification(IS_RESTORED).waitFor();
    await bar.gone();
    assert.equal(await readWorkspaceFile(EDITED), before(EDITED));
    assert.equal(await isThere(CREATED), false);

    // Also when the message is gone.
    await workbench.runCommand('Notifications: Clear All Notifications');
    await workbench.runCommand('Parley: Undo Restore');
    await eventually('the edits are back', async () => (await readWorkspaceFile(EDITED)) === mine);
    await eventually('so is the created file', () => isThere(CREATED));
  });

  userTest('the conversation only, or both', async () => {
    const { workbench } = await suite();
    const panel = await newChat();
    const made = `/new ${CREATED}`;
    await allowed(panel, EDIT);
    const edited = await readWorkspaceFile(EDITED);
    await allowed(panel, made);

    await restore(workbench, made, 'Conversation');
    await panel.part('notice', 'The conversation was restored to this point.').waitFor();
    assert.equal(await panel.turn(made).count(), 0);
    assert.equal(await panel.turn(EDIT).count(), 1);
    assert.equal(await panel.message.inputValue(), made, 'to be said otherwise');
    assert.ok(await isThere(CREATED));
    const bar = new ChangesBar(panel);
    await bar.files(2);

    await panel.message.fill('');
    await restore(workbench, EDIT, 'Files and Conversation');
    await panel.turn(EDIT).waitFor({ state: 'hidden' });
    assert.equal(await panel.turns.count(), 0);
    assert.equal(await panel.message.inputValue(), EDIT);
    await workbench.notification(IS_RESTORED).waitFor();
    assert.notEqual(edited, before(EDITED));
    assert.equal(await readWorkspaceFile(EDITED), before(EDITED));
    // What came of a turn that is not part of the conversation any more stays, and can still be decided on.
    await bar.files(1);
    assert.ok(await isThere(CREATED));
    await panel.message.fill('');
  });
});

describe('Edit and Resend', () => {
  afterEach(async () => {
    const { workbench } = await suite();
    await workbench.runCommand('Parley: Keep All Changes');
    rmSync(path.join(await workspace(), CREATED), { force: true });
    await restoreWorkspace();
    await workbench.runCommand('Notifications: Clear All Notifications');
    await workbench.runCommand('View: Close All Editors');
  });

  userTest('files and conversation go back, and the changed prompt is answered', async () => {
    const { workbench } = await suite();
    const panel = await newChat();
    const made = `/new ${CREATED}`;
    await panel.askAndWait('/help');
    await allowed(panel, EDIT);
    await allowed(panel, made);
    const bar = new ChangesBar(panel);
    await bar.files(2);

    await panel.turn(EDIT).locator('.prompt').hover();
    await panel.turn(EDIT).getByRole('button', { name: 'Edit and Resend' }).click();
    const prompt = panel.frame.getByRole('textbox', { name: 'Prompt' });
    await prompt.fill('/read README.md');
    await prompt.press('Enter');
    await workbench.quickInput.getByText(`Send Again From "${EDIT}"`).waitFor();
    // The text is not lost when the user thinks better of it.
    await workbench.pickerInput.press('Escape');
    await workbench.quickInput.waitFor({ state: 'hidden' });
    assert.equal(await prompt.inputValue(), '/read README.md');
    assert.equal(await panel.turns.count(), 3);
    await bar.files(2);

    await prompt.press('Enter');
    await workbench.pick('Files and Conversation');
    await panel.turn('/read README.md').waitFor();
    await panel.waitUntilIdle();
    await untouched();
    await bar.gone();
    assert.equal(await panel.turns.count(), 2);
    assert.equal(await panel.turn('/help').count(), 1);
    assert.equal(await panel.turn(made).count(), 0);
    await panel.tool(/README\.md/, 'completed').waitFor();

    // No file changed since: nothing is asked.
    const turnId = () => panel.turn('/read README.md').getAttribute('data-turn-id');
    const first = await turnId();
    await workbench.runCommand('Parley: Try Again');
    await eventually('there is another answer', async () => (await turnId()) !== first);
    await panel.waitUntilIdle();
    assert.equal(await panel.turns.count(), 2);
  });
});

describe('Try Again With…', () => {
  userTest('another agent answers in a chat of its own, and knows what was said', async () => {
    const { workbench } = await suite();
    const agent = { command: process.execPath, args: [await fixtureAgent('good')] };
    await withSettings({ 'parley.agents': { Echo: agent } }, async () => {
      const panel = await newChat();
      await panel.askAndWait('/help');
      await panel.askAndWait('/read README.md');
      const chatId = await panel.chatId();
      const again = panel.conversation.getByRole('button', { name: 'Try Again With…' }).last();
      await again.click();
      await workbench.pick('Echo');
      await eventually(
        'the other chat is shown',
        async () => ![undefined, chatId].includes(await panel.chatId()),
      );
      await panel.part('text', 'You said: /read README.md').waitFor();
      await panel.part('text', 'Conversation with Parley Demo').waitFor();
      await panel
        .turn('/read README.md')
        .getByText('Conversation with Parley Demo')
        .first()
        .waitFor();
      assert.equal(await panel.turns.count(), 1);
    });
  });
});

describe('the Changes bar', () => {
  afterEach(restoreWorkspace);

  userTest('opens, keeps and undoes single files, and reviews and keeps all', async () => {
    const { workbench } = await suite();
    const panel = await newChat();
    const bar = await workOnAll(panel);

    await bar.button(`Undo All Changes in File: ${path.basename(DELETED)}`).click();
    await bar.files(3);
    assert.equal(await readWorkspaceFile(DELETED), before(DELETED));
    await bar.button(`Undo All Changes in File: ${path.basename(RENAMED_TO)}`).click();
    await bar.files(2);
    assert.equal(await readWorkspaceFile(RENAMED), before(RENAMED));
    assert.equal(await isThere(RENAMED_TO), false);

    await bar.rows.filter({ hasText: EDITED }).locator('.name').click();
    await workbench.tab(EDITED).waitFor();
    await workbench.lens('Keep').first().waitFor();
    await bar.button('Review').click();
    await workbench.tab('Review Agent Changes (2 files)').waitFor();

    await bar.button(`Keep All Changes in File: ${CREATED}`).click();
    await bar.files(1);
    assert.ok(await isThere(CREATED));
    const edited = await readWorkspaceFile(EDITED);
    await bar.button('Keep all').click();
    await bar.gone();
    assert.equal(await readWorkspaceFile(EDITED), edited);
    rmSync(path.join(await workspace(), CREATED));
    await workbench.runCommand('View: Close All Editors');
  });
});
