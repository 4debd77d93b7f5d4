import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { eventually } from '../workbench/eventually';
import type { Workbench } from '../workbench/workbench';
import { ParleyPanel } from './parleyPanel';
import { agentProcesses, newChat, suite, userTest } from './suite';

userTest(
  'what was said with an agent is exported, shown, and played again without it',
  async () => {
    const { workbench, root } = await suite();
    const file = path.join(root, 'traffic.ndjson');
    const panel = await newChat();
    const turn = await panel.askAndWait('/markdown');
    await turn.getByRole('heading', { name: 'A table' }).waitFor();

    await workbench.runCommand('Parley: Export Protocol Traffic…');
    await answerWithFile(workbench, file);
    await workbench.notification(/Exported \d+ messages/).waitFor();
    await eventually('the file is there', () => Promise.resolve(existsSync(file)));
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    assert.ok(lines.map(line => JSON.parse(line) as object).length > 5);

    await workbench.runCommand('Parley: Show Protocol Traffic');
    const page = workbench.page
      .locator('iframe.webview[src*="extensionId=parley.parley-acp"]')
      .last()
      .contentFrame()
      .frameLocator('iframe#active-frame');
    await page
      .getByRole('cell', { name: /session\/prompt.*answer/ })
      .first()
      .waitFor();
    await page.getByText(/From Parley Demo: \d+ messages/).waitFor();
    await workbench.closeActiveTab();

    const before = (await agentProcesses()).length;
    await workbench.runCommand('Parley: Replay Protocol Traffic…');
    await answerWithFile(workbench, file);
    await workbench.pick('Full speed');
    const replay = new ParleyPanel(workbench);
    await replay.app.getByText('Replay of Parley Demo').first().waitFor();
    await replay.turns.getByRole('heading', { name: 'A table' }).waitFor();
    await replay.waitUntilIdle();
    assert.equal((await agentProcesses()).length, before);
  },
);

/** Types a path into the dialog that asks for a file, once it has listed the folder that it begins with. */
async function answerWithFile({ quickInput, pickerInput }: Workbench, file: string): Promise<void> {
  await quickInput.locator('.monaco-list-row').first().waitFor();
  await pickerInput.fill(file);
  // It lists the folder that was typed.
  await quickInput.locator('.monaco-list-row').filter({ hasText: 'extensions' }).waitFor();
  await pickerInput.press('Enter');
}
