import assert from 'node:assert/strict';
import { afterEach, describe } from 'node:test';
import type { Locator } from 'playwright-core';
import { before as sampleText } from './agentWork';
import type { ParleyPanel } from './parleyPanel';
import {
  newChat,
  readWorkspaceFile,
  restoreWorkspace,
  suite,
  userTest,
  withSettings,
} from './suite';

const GREETING = 'src/greeting.js';
const before = sampleText(GREETING);

const proposalTab = async (): Promise<Locator> =>
  (await suite()).workbench.tab('greeting.js (Parley: proposed edit)');

/** An edit that waits, in the diff editor. */
async function propose(): Promise<ParleyPanel> {
  const { workbench } = await suite();
  const panel = await newChat();
  await panel.ask(`/edit ${GREETING}`);
  await panel.permission().getByRole('button', { name: 'Open Diff' }).click();
  await (await proposalTab()).waitFor();
  await workbench.lens('Allow').first().waitFor();
  return panel;
}

/** Types at the end of the changed line: closing the tab would ask what to do with it. */
async function change(): Promise<void> {
  const { workbench } = await suite();
  await workbench.diff.after.getByText("'stranger'").first().click();
  await workbench.page.keyboard.press('End');
  await workbench.page.keyboard.insertText(' // mine');
  await workbench.lens('Allow with my changes').first().waitFor();
}

/** The diff is gone, and nothing was asked. */
async function closed(): Promise<void> {
  const { workbench } = await suite();
  await (await proposalTab()).waitFor({ state: 'hidden' });
  assert.equal(await workbench.dialog.count(), 0);
}

describe('a proposal in the diff editor', () => {
  afterEach(async () => {
    const { workbench } = await suite();
    await workbench.runCommand('Parley: Keep All Changes');
    await restoreWorkspace();
    await workbench.runCommand('View: Close All Editors');
  });

  userTest('is rejected there: the request in the chat goes, and nothing is written', async () => {
    const { workbench } = await suite();
    const panel = await propose();
    await workbench.editorAction(/^Reject/).click();
    await panel.permission().waitFor({ state: 'hidden' });
    await closed();
    await panel.waitUntilIdle();
    assert.equal(await readWorkspaceFile(GREETING), before);
  });

  userTest('closes when it is answered in the chat, changed or not', async () => {
    const panel = await propose();
    await panel.answer('Allow');
    await closed();
    await panel.waitUntilIdle();

    await (await suite()).workbench.runCommand('Parley: Undo All Changes in File');
    await restoreWorkspace();
    const again = await propose();
    await change();
    await again.answer('Reject');
    await closed();
    await again.waitUntilIdle();
    assert.equal(await readWorkspaceFile(GREETING), before);
  });

  userTest('opens beside a locked group, and closes when the turn is stopped', async () => {
    const { workbench } = await suite();
    await workbench.openFile('README.md');
    await workbench.withLockedGroup(async names => {
      const panel = await propose();
      assert.deepEqual(await names(), ['README.md']);
      await change();
      await panel.stop.click();
      await closed();
      await panel.waitUntilIdle();
    });
    assert.equal(await readWorkspaceFile(GREETING), before);
  });

  userTest('is written as the user changed it, and the agent hears of it', async () => {
    const { workbench } = await suite();
    await withSettings({ 'parley.review.when': 'beforeWriting' }, async () => {
      const panel = await propose();
      await change();
      await workbench.lens('Allow with my changes').first().click();
      await closed();
      await panel.waitUntilIdle();
      assert.match(await readWorkspaceFile(GREETING), /'stranger'; \/\/ mine\n/);
      await panel.part('notice', 'Your version of the edit was written to greeting.js.').waitFor();
      // A command stays one: what there is to tell waits for words.
      await panel.ask('/run echo hello');
      await panel.answer('Allow');
      await panel.waitUntilIdle();
      assert.equal(await panel.part('text', 'You changed my edit').count(), 0);
      const turn = await panel.askAndWait('hello');
      await turn.getByText('You changed my edit before you allowed it').waitFor();
      await turn.getByText("'stranger'; // mine").waitFor();
    });
  });
});
