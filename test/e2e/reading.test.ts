import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe } from 'node:test';
import type { Locator } from 'playwright-core';
import { eventually } from '../workbench/eventually';
import { before as sampleText } from './agentWork';
import type { ParleyPanel } from './parleyPanel';
import {
  fixtureAgent,
  newChatWith,
  readWorkspaceFile,
  restoreWorkspace,
  suite,
  userTest,
  withSettings,
} from './suite';

const GREETING = 'src/greeting.js';
const before = sampleText(GREETING);

const ANSWER = `Trim the names.

\`\`\`js src/greeting.js
export function greet(name) {
  return \`Hello, \${name.trim()}!\`;
}

/**
 * Says goodbye to someone.
 * @param {string} name
 */
export function farewell(name) {
  return \`See you soon, \${name.trim()}.\`;
}
\`\`\`

And say so:

\`\`\`sh
echo "it was $((6 * 7))"
\`\`\`
`;

/** A chat with an answer that has code. */
async function answered(): Promise<ParleyPanel> {
  const { root } = await suite();
  const file = path.join(root, 'answer.md');
  writeFileSync(file, ANSWER);
  const agent = { command: process.execPath, args: [await fixtureAgent('says'), file] };
  let panel: ParleyPanel | undefined;
  await withSettings({ 'parley.agents': { Says: agent } }, async () => {
    panel = await newChatWith('Says');
    await panel.waitUntilReady();
    await panel.askAndWait('hello');
  });
  assert.ok(panel);
  return panel;
}

/** Presses a button of a block of code, which shows with the pointer there. */
async function press(panel: ParleyPanel, language: string, button: string): Promise<void> {
  const block = panel.frame.getByRole('figure', { name: `Code, ${language}` });
  await block.hover();
  await block.getByRole('button', { name: button }).click();
}

const codeTab = async (): Promise<Locator> =>
  (await suite()).workbench.tab('greeting.js (Parley: code from the chat)');

describe('code in an answer', () => {
  afterEach(async () => {
    const { workbench } = await suite();
    await workbench.runCommand('View: Close All Editors');
    await restoreWorkspace();
  });

  userTest('is applied to its file hunk by hunk, in the diff editor', async () => {
    const { workbench } = await suite();
    const panel = await answered();
    await press(panel, 'JavaScript', 'Apply to File…');
    await (await codeTab()).waitFor();
    await workbench.lens('Apply All 2').waitFor();
    // Nothing is written before it is applied.
    assert.equal(await readWorkspaceFile(GREETING), before);

    await workbench.lens('Discard').first().click();
    await workbench.lens('Apply All 2').waitFor({ state: 'hidden' });
    await workbench.lens('Apply').first().click();
    await (await codeTab()).waitFor({ state: 'hidden' });
    assert.equal(await workbench.dialog.count(), 0);
    const after = before.replace('See you soon, ${name}.', 'See you soon, ${name.trim()}.');
    await eventually(
      'the file is saved',
      async () => (await readWorkspaceFile(GREETING)) === after,
    );
    // The user did this: there is nothing of an agent to review.
    assert.equal(await panel.frame.getByRole('region', { name: 'Changes' }).count(), 0);
  });

  userTest('is applied as a whole from the title of the editor', async () => {
    const { workbench } = await suite();
    const panel = await answered();
    await press(panel, 'JavaScript', 'Apply to File…');
    await (await codeTab()).waitFor();
    await workbench.editorAction(/^Apply Code/).click();
    await (await codeTab()).waitFor({ state: 'hidden' });
    const after = before.replaceAll('${name}', '${name.trim()}');
    await eventually(
      'the file is saved',
      async () => (await readWorkspaceFile(GREETING)) === after,
    );
  });

  userTest('is run in the terminal after the whole command was shown', async () => {
    const { workbench } = await suite();
    const panel = await answered();
    await press(panel, 'Shell', 'Run in Terminal…');
    await workbench.dialog.getByText('echo "it was $((6 * 7))"').waitFor();
    await workbench.dialog.getByRole('button', { name: 'Cancel' }).click();
    await workbench.dialog.waitFor({ state: 'hidden' });
    await press(panel, 'Shell', 'Run in Terminal…');
    await workbench.dialog.getByRole('button', { name: 'Run' }).click();
    await workbench.terminal.getByText('it was 42').first().waitFor();
  });

  userTest('goes into an editor of its own, which is not saved', async () => {
    const { workbench } = await suite();
    const panel = await answered();
    // One line has a few buttons, and the rest in their menu.
    await press(panel, 'Shell', 'More Code Actions');
    await panel.frame.getByRole('menuitem', { name: 'New File' }).click();
    await workbench.tab(/Untitled|echo/).waitFor();
    await workbench.editor.getByText('it was').waitFor();
    // Closed otherwise it asks whether to save.
    await workbench.runCommand('View: Revert and Close Editor');
    await workbench.tab(/Untitled|echo/).waitFor({ state: 'detached' });
  });
});

describe('a chat to read', () => {
  userTest('is searched with Ctrl+F in the panel, and read as a text document', async () => {
    const { workbench } = await suite();
    await workbench.openFile(GREETING);
    const panel = await answered();
    await panel.message.press('ControlOrMeta+F');
    const search = panel.frame.getByRole('search');
    await search.getByRole('textbox', { name: 'Find in Chat' }).fill('trim');
    await search.getByText('1 of 3').waitFor();
    // The editor's own search has the same key.
    assert.equal(await workbench.page.locator('.find-widget.visible').count(), 0);
    await panel.frame.locator('.find input').press('Escape');
    await search.waitFor({ state: 'detached' });

    await workbench.runCommand('Parley: Open Chat as Text');
    await workbench.editor.getByText('Trim the names.').waitFor();
    await workbench.editor.getByText('You:').waitFor();
    await workbench.runCommand('View: Close All Editors');
  });
});
