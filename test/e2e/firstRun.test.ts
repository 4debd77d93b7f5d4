import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { eventually } from '../workbench/eventually';
import { extensionHosts, Workbench } from '../workbench/workbench';
import { ParleyPanel } from './parleyPanel';
import {
  agentProcesses,
  fixtureAgent,
  nothingLeft,
  suite,
  userTest,
  withSettings,
  workspace,
} from './suite';

const KEY = 'key-77aa-of-nobody';

userTest('a first-time user picks an agent, gets an answer, and closes the window', async () => {
  const { browser, server } = await suite();
  // Another window of the suite may have chats of its own.
  const others = extensionHosts(server);
  const running = await agentProcesses();
  const workbench = await Workbench.open(browser, server, await workspace());
  try {
    const panel = await ParleyPanel.open(workbench);
    const agents = panel.frame.getByRole('radiogroup', { name: 'Agent' });
    await agents.getByText('Parley Demo').waitFor();
    // Whoever runs this may have agents of their own, which come first.
    await agents.getByRole('radio', { name: /Parley Demo/ }).check();
    await panel.button('Start chat').click();
    await panel.message.waitFor();
    const turn = await panel.askAndWait('hello');
    await turn.getByText('I am the Parley demo agent').waitFor();
  } finally {
    // Leaves the page as a user does, so that the workbench can say goodbye to its extension host.
    await workbench.page.goto('about:blank');
    await workbench.close();
  }
  // How long the workbench takes to end the window's extension host is its own affair.
  await eventually(
    'the extension host has ended',
    () => extensionHosts(server).every(pid => others.includes(pid)),
    30_000,
  );
  await nothingLeft(({ pid }) => running.every(other => other.pid !== pid));
});

userTest('who has another agent fills in what starts it; its key is in no file', async () => {
  const { browser, server, root } = await suite();
  const folder = path.join(root, 'no chats yet');
  mkdirSync(folder, { recursive: true });
  const script = await fixtureAgent('wantsSignIn');
  await withSettings({}, async () => {
    const workbench = await Workbench.open(browser, server, folder);
    try {
      const panel = await ParleyPanel.open(workbench);
      await panel.frame.getByRole('radio', { name: /Another agent/ }).check();
      const form = panel.frame.getByRole('group', { name: 'Another agent' });
      const field = (name: string | RegExp) => form.getByRole('textbox', { name });
      await field('Name').fill('Filled In');
      await field('Command').fill(process.execPath);
      await field('Arguments').fill(`"${script}" "${path.join(root, 'never signed in')}"`);
      await field(/^Environment variable/).fill('FIXTURE_KEY');
      await form.getByLabel('Key', { exact: true }).fill(KEY);
      await panel.button('Start chat').click();
      await workbench.dialog.getByText('wantsSignIn.mjs').waitFor();
      await workbench.dialog.getByRole('button', { name: 'Add and Start' }).click();
      await panel.waitUntilReady();
      const turn = await panel.askAndWait('hello');
      await turn.getByText(`You said: hello, with the key ${KEY}`).waitFor();
      const settings = server.settingsFiles.map(file => readFileSync(file, 'utf8')).join('\n');
      assert.match(settings, /"Filled In"/);
      assert.ok(!settings.includes(KEY));
    } finally {
      await workbench.page.goto('about:blank');
      await workbench.close();
    }
  });
});
