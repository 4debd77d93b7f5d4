import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe } from 'node:test';
import { eventually } from '../workbench/eventually';
import { untouched, CREATED, DELETED, EDITED, RENAMED_TO, workOnAll } from './agentWork';
import { ChangesBar } from './changesBar';
import { extensionHosts } from '../workbench/workbench';
import { ParleyPanel } from './parleyPanel';
import {
  agentProcesses,
  fixtureAgent,
  newChat,
  newChatWith,
  nothingLeft,
  restoreWorkspace,
  suite,
  userTest,
  withSettings,
  workspace,
} from './suite';

/** Resolves when what is pending stands on disk, as it does a moment after each change. */
async function stored(): Promise<void> {
  const { root } = await suite();
  const files = [EDITED, CREATED, DELETED, RENAMED_TO];
  await eventually('what is pending is stored', () =>
    readdirSync(path.join(root, 'user'), { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith(path.join('review', 'review.json')))
      .map(name => readFileSync(path.join(root, 'user', name), 'utf8'))
      .some(text => files.every(file => text.includes(file))),
  );
}

/** Undoes everything by command, and fails unless all is what it was before the agent. */
async function undoAll(bar: ChangesBar): Promise<void> {
  const { workbench } = await suite();
  await workbench.runCommand('Parley: Undo All Changes');
  await workbench.dialog.getByRole('button', { name: 'Undo All' }).click();
  await bar.gone();
  await untouched();
}

describe('what is pending survives', () => {
  afterEach(async () => {
    const { workbench } = await suite();
    await workbench.runCommand('Parley: Keep All Changes');
    for (const name of [CREATED, RENAMED_TO]) {
      rmSync(path.join(await workspace(), name), { force: true });
    }
    await restoreWorkspace();
  });

  userTest('moving the chat to the editor, deleting it, and a crash of the agent', async () => {
    const { workbench } = await suite();
    const panel = await newChat();
    const bar = await workOnAll(panel);
    const pending = await bar.list();

    await workbench.runCommand('Parley: Open Chat in Editor');
    const moved = new ChangesBar(new ParleyPanel(workbench, 'editor'));
    await moved.files(4);
    assert.deepEqual(await moved.list(), pending);
    await workbench.closeActiveTab();

    await workbench.runCommand('Parley: Show Chats…');
    // Seen when it is pointed at, or has the focus.
    await panel
      .button(/^More actions for /)
      .first()
      .press('Enter');
    await panel.frame.getByRole('menuitem', { name: 'Delete' }).press('Enter');
    await panel.frame.getByRole('button', { name: 'Delete', exact: true }).click();
    await newChat();
    await bar.files(4);
    assert.deepEqual(await bar.list(), pending);

    await panel.ask('/crash');
    await panel.problem(/crashed/).waitFor();
    assert.deepEqual(await bar.list(), pending);
    await undoAll(bar);
  });

  userTest(
    'a reload, also with an agent that loads no sessions: its diffs still open',
    async () => {
      const { workbench } = await suite();
      const agent = 'Forgetful fixture';
      const fixture = await fixtureAgent('appendsToFiles');
      const settings = {
        'parley.agents': { [agent]: { command: process.execPath, args: [fixture] } },
      };
      await withSettings(settings, async () => {
        const panel = await newChatWith(agent);
        await panel.waitUntilReady();
        await panel.askAndWait(EDITED);
        await workbench.reload();

        const openDiff = panel.turn(EDITED).getByRole('button', { name: 'Open Diff' });
        await openDiff.click({ timeout: 60_000 });
        await workbench.lens('Keep').click();
        await workbench.tab(EDITED).waitFor({ state: 'hidden' });

        await openDiff.click();
        const told = workbench.notification('no longer available');
        await told.getByRole('button', { name: 'Open File' }).click();
        await workbench.tab(EDITED).waitFor();
        await workbench.closeActiveTab();
      });
    },
  );

  userTest(
    'unsaved text: a write of the agent beneath it is told, and can be compared',
    async () => {
      const { workbench } = await suite();
      const agent = 'Quick fixture';
      const settings = {
        'files.autoSave': 'off',
        'parley.agents': {
          [agent]: { command: process.execPath, args: [await fixtureAgent('appendsToFiles')] },
        },
      };
      await withSettings(settings, async () => {
        const panel = await newChatWith(agent);
        await panel.waitUntilReady();
        await panel.waitUntilFocused();
        await workbench.openFile(EDITED);
        await workbench.page.keyboard.insertText('mine ');
        await workbench.editor.getByText('mine ').first().waitFor();
        await panel.askAndWait(EDITED);
        const told = workbench.notification('unsaved edits');
        await told.getByRole('button', { name: 'Compare' }).click();
        await workbench.diff.before.getByText('One line more.').waitFor();
        await workbench.diff.after.getByText('mine ').first().waitFor();
        await workbench.closeActiveTab();
        await workbench.focusedEditor.waitFor();
        await workbench.runCommand('File: Revert File');
        await workbench.lens('Keep').waitFor();
        await workbench.closeActiveTab();
      });
    },
  );

  userTest('a crash of the extension host in the middle of a turn', async () => {
    const { workbench } = await suite();
    const panel = await newChat();
    const bar = await workOnAll(panel);
    const pending = await bar.list();
    await panel.ask('/run sleep 300');
    await panel.answer('Allow');
    const sleeps = () =>
      agentProcesses().then(all => all.some(one => /sleep 300/.test(one.command)));
    await eventually('the command runs', sleeps);
    await stored();
    const { server } = await suite();
    const [host] = extensionHosts(server);
    assert.ok(host);
    process.kill(host, 'SIGKILL');
    await nothingLeft();
    await eventually(
      'VS Code has started another',
      () => extensionHosts(server).some(pid => pid !== host),
      60_000,
    );
    const again = new ChangesBar(await ParleyPanel.open(workbench));
    await again.files(4, 60_000);
    assert.deepEqual(await again.list(), pending);
    await undoAll(again);
  });
});
