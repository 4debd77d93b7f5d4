import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterEach, describe } from 'node:test';
import type { Locator } from 'playwright-core';
import { eventually } from '../workbench/eventually';
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
const NOTES = 'docs/notes.md';
/** A shell command of the agent: it takes the first line away and adds one at the end. */
const SHELL = `/run sed -i 1d ${NOTES} && echo "- One more." >> ${NOTES}`;

const before = (name: string): string =>
  readFileSync(`test/workbench/sample-workspace/${name}`, 'utf8');

/** The region with what is pending. */
const changes = (panel: ParleyPanel): Locator =>
  panel.frame.getByRole('region', { name: 'Changes' });

const says = (panel: ParleyPanel, files: string): Promise<void> =>
  changes(panel).getByText(files, { exact: true }).waitFor();

/** Two files through the editor, and one with a command. */
async function work(panel: ParleyPanel): Promise<void> {
  for (const prompt of [`/edit ${GREETING}`, '/edit README.md', SHELL]) {
    await panel.ask(prompt);
    await panel.answer('Allow');
    await panel.waitUntilIdle();
  }
  await says(panel, '3 files');
}

describe('the review', () => {
  afterEach(async () => {
    const { workbench } = await suite();
    await workbench.runCommand('Parley: Keep All Changes');
    await restoreWorkspace();
    await workbench.runCommand('View: Close All Editors');
  });

  userTest(
    'keeps a hunk, undoes another, shows all, survives a reload, undoes the rest',
    async () => {
      const { workbench } = await suite();
      const panel = await newChat();
      await work(panel);

      await workbench.openFile(NOTES);
      await workbench.lens('Keep (−1 line)').click();
      await workbench.lens('Keep (−1 line)').waitFor({ state: 'hidden' });
      await workbench.lens('Undo').click();
      await says(panel, '2 files');
      const [, ...rest] = before(NOTES).split(/(?<=\n)/);
      await eventually(
        'the other hunk is undone',
        async () => (await readWorkspaceFile(NOTES)) === rest.join(''),
      );

      await workbench.runCommand('Parley: Review Agent Changes');
      await workbench.tab('Review Agent Changes (2 files)').waitFor();
      await workbench.lens('Keep').first().waitFor();

      await workbench.reload();
      await says(panel, '2 files');
      await workbench.runCommand('Parley: Review Agent Changes');
      await workbench.tab('Review Agent Changes (2 files)').waitFor();
      await workbench.lens('Keep').first().waitFor({ timeout: 60_000 });
      // It takes the focus when it is there, which closes a palette that is open by then.
      await workbench.focusedEditor.waitFor();

      await workbench.runCommand('Parley: Undo All Changes');
      await workbench.dialog.getByRole('button', { name: 'Undo All' }).click();
      await workbench.tab(/Review Agent Changes/).waitFor({ state: 'hidden' });
      assert.equal(await readWorkspaceFile(GREETING), before(GREETING));
      assert.equal(await readWorkspaceFile('README.md'), before('README.md'));
      assert.equal(await readWorkspaceFile(NOTES), rest.join(''));
    },
  );

  userTest('goes through the changes with commands, and brings an undone one back', async () => {
    const { workbench } = await suite();
    const panel = await newChat();
    await work(panel);
    const changed = await readWorkspaceFile('README.md');

    await workbench.openFile('README.md');
    await workbench.runCommand('Parley: Next Change');
    // The caret goes to the note at the end; until it has, the editor would take the focus from the palette.
    await workbench.page
      .locator('.statusbar')
      .getByText(/^Ln (?!1,)/)
      .first()
      .waitFor();
    await workbench.runCommand('Parley: Undo Change');
    await says(panel, '2 files');
    await eventually(
      'the change is undone',
      async () => (await readWorkspaceFile('README.md')) === before('README.md'),
    );
    await workbench.runCommand('Parley: Bring Back the Last Undone Change');
    await says(panel, '3 files');
    assert.equal(await readWorkspaceFile('README.md'), changed);
  });

  userTest(
    'a write waits when the user is asked before, and is written as they changed it',
    async () => {
      const { workbench } = await suite();
      await withSettings({ 'parley.review.when': 'beforeWriting' }, async () => {
        const panel = await newChat();
        await panel.ask(`/edit ${GREETING}`);
        await panel.permission().getByRole('button', { name: 'Open Diff' }).click();
        await workbench.diff.after.getByText("'stranger'").first().click();
        await workbench.page.keyboard.press('End');
        await workbench.page.keyboard.type(' // mine');
        await workbench.lens('Allow with my changes').first().click();
        await panel.waitUntilIdle();
        assert.match(await readWorkspaceFile(GREETING), /'stranger'; \/\/ mine\n/);
        await panel.part('notice', 'greeting.js has your version of the edit.').waitFor();
        await workbench.tab(/proposed edit/).waitFor({ state: 'hidden' });
        assert.equal(await workbench.dialog.count(), 0);
      });
    },
  );
});
