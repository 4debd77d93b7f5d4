import assert from 'node:assert/strict';
import { afterEach, describe } from 'node:test';
import type { Locator } from 'playwright-core';
import { eventually } from '../workbench/eventually';
import { allowed, before } from './agentWork';
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

/** The region with what is pending. */
const changes = (panel: ParleyPanel): Locator =>
  panel.frame.getByRole('region', { name: 'Changes' });

const says = (panel: ParleyPanel, files: string): Promise<void> =>
  changes(panel).getByText(files, { exact: true }).waitFor();

/** Resolves when the file has this text on disk: an open one is saved a moment after it changed. */
async function reads(name: string, text: string): Promise<void> {
  const hasText = async () => (await readWorkspaceFile(name)) === text;
  await eventually(`${name} has the expected text`, hasText);
}

/** Two files through the editor, and one with a command. */
async function work(panel: ParleyPanel): Promise<void> {
  for (const prompt of [`/edit ${GREETING}`, '/edit README.md', SHELL]) {
    await allowed(panel, prompt);
  }
  await says(panel, '3 files');
}

/** Writes a comment on the change of the line that says `line`, in the editor in front. */
async function comment(line: string, text: string): Promise<void> {
  const { workbench } = await suite();
  const thread = workbench.page.locator('.editor-group-container.active .review-widget').last();
  await workbench.editor.getByText(line).first().click();
  await workbench.runCommand('Parley: Comment on Change');
  await thread.locator('.edit-container .monaco-editor.focused').waitFor();
  await workbench.page.keyboard.insertText(text);
  await thread.getByRole('button', { name: 'Save' }).click();
  // VS Code puts the focus on it once it is saved, which closes a picker that is open by then.
  await thread.locator('.review-comment:focus').filter({ hasText: text }).waitFor();
}

describe('the review', () => {
  afterEach(async () => {
    const { workbench } = await suite();
    await workbench.runCommand('Parley: Keep All Changes');
    await restoreWorkspace();
    await workbench.runCommand('View: Close All Editors');
  });

  userTest(
    'keeps a hunk, undoes another, shows all, survives a reload with its comments, undoes the rest',
    async () => {
      const { workbench } = await suite();
      const { page } = workbench;
      const panel = await newChat();
      await work(panel);

      await workbench.openFile(NOTES);
      await workbench.lens('Keep (−1 line)').click();
      await workbench.lens('Keep (−1 line)').waitFor({ state: 'hidden' });
      await workbench.lens('Undo').click();
      await says(panel, '2 files');
      const [, ...rest] = before(NOTES).split(/(?<=\n)/);
      await reads(NOTES, rest.join(''));

      await workbench.openFile(GREETING);
      await comment('stranger', 'Say "friend".');
      // VS Code moves the focus about after the first comment, which closes a picker.
      await workbench.openInExplorer('README.md');
      await comment('added this line', 'Who asked for this?');

      await changes(panel).getByRole('button', { name: 'Review', exact: true }).click();
      await workbench.tab('Review Agent Changes (2 files)').waitFor();
      await workbench.lens('Keep').first().waitFor();

      await workbench.reload();
      await says(panel, '2 files');
      // By itself, with what can be decided in it.
      await workbench.tab('Review Agent Changes (2 files)').waitFor();
      await workbench.lens('Keep').first().waitFor({ timeout: 60_000 });
      const draft = 'what I was about to say';
      await panel.message.fill(draft);
      await page.getByRole('button', { name: /2 comments · Send to Agent/ }).click();
      const sent = panel.turn('I have comments on your changes');
      await sent.getByRole('button', { name: 'Show all' }).click();
      await sent.getByText('Say "friend".').first().waitFor();
      await sent.getByText('Who asked for this?').first().waitFor();
      await page.getByRole('button', { name: /Send to Agent/ }).waitFor({ state: 'hidden' });
      await panel.stop.click();
      await panel.waitUntilIdle();
      assert.equal(await panel.turns.count(), 4, 'one prompt');
      assert.equal(await panel.message.inputValue(), draft);
      await panel.message.fill('');

      await workbench.runCommand('Parley: Undo All Changes');
      await workbench.dialog.getByRole('button', { name: 'Undo All' }).click();
      await workbench.tab(/Review Agent Changes/).waitFor({ state: 'hidden' });
      await reads(GREETING, before(GREETING));
      await reads('README.md', before('README.md'));
      await reads(NOTES, rest.join(''));
    },
  );

  userTest('goes through the changes with commands, and brings an undone one back', async () => {
    const { workbench } = await suite();
    const panel = await newChat();
    await work(panel);
    const changed = await readWorkspaceFile('README.md');

    await workbench.openFile('README.md');
    const caret = (line: RegExp) => workbench.page.locator('.statusbar').getByText(line).first();
    // VS Code remembers where it was.
    await workbench.focusedEditor.waitFor();
    await workbench.page.keyboard.press('ControlOrMeta+Home');
    await caret(/^Ln 1,/).waitFor();
    await workbench.runCommand('Parley: Next Change');
    // The caret goes to the note at the end; until it has, the editor would take the focus from the palette.
    await caret(/^Ln (?!1,)/).waitFor();
    await workbench.runCommand('Parley: Undo Change');
    await says(panel, '2 files');
    await reads('README.md', before('README.md'));
    await workbench.runCommand('Parley: Redo Undone Change');
    await says(panel, '3 files');
    await reads('README.md', changed);

    // The editor's own undo brings it back as well.
    await workbench.editor.getByText('added this line').first().click();
    await workbench.runCommand('Parley: Undo Change');
    await says(panel, '2 files');
    await workbench.editor.getByText('added this line').waitFor({ state: 'detached' });
    await workbench.focusedEditor.waitFor();
    await workbench.page.keyboard.press('ControlOrMeta+Z');
    await says(panel, '3 files');
    await workbench.lens('Keep').first().waitFor();
    // Once.
    await reads('README.md', changed);
  });

  userTest('in Source Control for those who ask for it: kept and undone in the peek', async () => {
    const { workbench } = await suite();
    const { page } = workbench;
    await withSettings({ 'parley.review.sourceControl': true }, async () => {
      const panel = await newChat();
      await allowed(panel, SHELL);
      await workbench.runCommand('Source Control: Focus on Changes View');
      const entry = page.locator('.scm-view').getByRole('treeitem', { name: /notes\.md/ });
      await entry.waitFor();

      await workbench.openFile(NOTES);
      const undo = workbench.lens('Undo');
      await undo.nth(1).waitFor();
      const glyphs = workbench.editor.locator('.dirty-diff-glyph');
      await glyphs.nth(1).waitFor();
      await workbench.editor.click();
      // VS Code hides the peek from screen readers. A button's name ends with its key.
      const inPeek = (name: RegExp) =>
        page.locator('.peekview-widget').getByRole('button', { name, includeHidden: true });
      await page.keyboard.press('Alt+F3');
      await inPeek(/^Keep Change/).click();
      await undo.nth(1).waitFor({ state: 'hidden' });
      // VS Code compares anew a moment later; until then its peek shows what was just kept.
      await glyphs.nth(1).waitFor({ state: 'hidden' });

      await page.keyboard.press('Escape');
      await workbench.editor.click();
      await page.keyboard.press('Alt+F3');
      await inPeek(/^Undo Change/).click();
      // With nothing left to decide, the entry goes, and the peek, which gives the focus back.
      await entry.waitFor({ state: 'hidden' });
      await page.locator('.peekview-widget').waitFor({ state: 'hidden' });
      await workbench.focusedEditor.waitFor();
      await eventually('the file has the change that was kept', async () => {
        const text = await readWorkspaceFile(NOTES);
        return text.startsWith('# Notes') === text.includes('- One more.');
      });
    });
  });
});
