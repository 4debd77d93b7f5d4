import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe } from 'node:test';
import { eventually } from '../workbench/eventually';
import type { Workbench } from '../workbench/workbench';
import { allowed } from './agentWork';
import { ChangesBar } from './changesBar';
import { newChat, suite, timesLogged, userTest, withSettings, workspace } from './suite';

const QUESTION = 'This workspace wants to change how agents start';

describe("a workspace's settings", () => {
  let file: string;

  before(async () => {
    file = path.join(await workspace(), '.vscode', 'settings.json');
    mkdirSync(path.dirname(file), { recursive: true });
  });

  after(() => rmSync(path.dirname(file), { recursive: true, force: true }));

  const write = (mode: string) =>
    writeFileSync(file, JSON.stringify({ 'parley.defaults': { 'Parley Demo': { mode } } }));

  /** Answers the question about this mode. */
  const answer = async (workbench: Workbench, mode: string, button: string) => {
    const change = `"Parley Demo": "mode" = "${mode}" instead of "plan"`;
    const question = workbench.notification(`${QUESTION}: ${change}`);
    await question.getByRole('button', { name: button }).click();
    await question.waitFor({ state: 'hidden' });
  };

  // The agent itself begins with Ask: any other mode was set by Parley.
  const modeOfNewChat = async (name: string) =>
    (await newChat()).config('Mode').filter({ hasText: name }).waitFor();

  userTest('change how agents start only when the user says so, to what was shown', async () => {
    const { workbench } = await suite();
    await withSettings({ 'parley.defaults': { 'Parley Demo': { mode: 'plan' } } }, async () => {
      await modeOfNewChat('Plan only');
      write('auto');
      await workbench.notification(QUESTION).waitFor();
      // Nobody waits for the answer, and the user's own counts until then.
      await modeOfNewChat('Plan only');
      await answer(workbench, 'auto', 'Use');
      await modeOfNewChat('Auto-edit');
      write('ask');
      await workbench.notification(QUESTION).waitFor();
      await modeOfNewChat('Plan only');
      await answer(workbench, 'ask', 'Ignore');
      await modeOfNewChat('Plan only');
      write('auto');
      await eventually("the workspace's mode counts again", async () => {
        const mode = (await newChat()).config('Mode');
        await mode.filter({ hasText: /Plan only|Auto-edit/ }).waitFor();
        return (await mode.innerText()).includes('Auto-edit');
      });
    });
  });

  userTest(
    "are not even asked about while an agent's change of the file waits for review",
    async () => {
      const { workbench } = await suite();
      rmSync(file);
      await withSettings({ 'parley.defaults': { 'Parley Demo': { mode: 'plan' } } }, async () => {
        const panel = await newChat();
        await panel.choose('Mode', 'Ask');
        const left = () => timesLogged('settings.json waits for review');
        const before = await left();
        // Not agreed to before: that would be used as soon as it is reviewed.
        const wanted = { 'parley.defaults': { 'Parley Demo': { mode: 'auto', thoughts: 'off' } } };
        await allowed(panel, `/run echo '${JSON.stringify(wanted)}' > .vscode/settings.json`);
        const bar = new ChangesBar(panel);
        await bar.files(1);
        await eventually(
          'the question is left for the review',
          async () => (await left()) > before,
        );
        assert.equal(await workbench.notification(QUESTION).count(), 0);
        await modeOfNewChat('Plan only');
        await workbench.runCommand('Parley: Keep All Changes');
        await bar.gone();
        const question = workbench.notification(QUESTION);
        await question.filter({ hasText: '"thoughts" = "off"' }).waitFor();
        await question.getByRole('button', { name: 'Ignore' }).click();
        await modeOfNewChat('Plan only');
      });
    },
  );

  userTest('are named when they would loosen what protects the user', async () => {
    const { workbench } = await suite();
    await withSettings({ 'parley.review.when': 'beforeWriting' }, async () => {
      writeFileSync(file, JSON.stringify({ 'parley.review.when': 'afterwards' }));
      await workbench
        .notification('parley.review.when in this workspace is ignored: afterwards is less strict')
        .waitFor();
    });
  });
});
