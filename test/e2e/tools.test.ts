import assert from 'node:assert/strict';
import { afterEach, describe } from 'node:test';
import { eventually } from '../workbench/eventually';
import {
  agentProcesses,
  newChat,
  readWorkspaceFile,
  restoreWorkspace,
  suite,
  userTest,
} from './suite';

const FILE = 'src/greeting.js';
const FIXED = /name\.trim\(\) \|\| 'stranger'/;

describe('edits', () => {
  afterEach(restoreWorkspace);

  userTest('a read is a quiet row', async () => {
    const panel = await newChat();
    await panel.askAndWait('/read README.md');
    await panel.tool(undefined, 'completed').first().waitFor();
    assert.equal(await panel.permission().count(), 0);
  });

  userTest('nothing is written before it is allowed; Allow writes the file', async () => {
    const panel = await newChat();
    await panel.ask(`/edit ${FILE}`);
    const request = panel.permission();
    await request.getByText("'stranger'").first().waitFor();
    await panel.tool(undefined, 'awaiting').waitFor();
    assert.doesNotMatch(await readWorkspaceFile(FILE), FIXED);
    await panel.answer('Allow');
    await panel.waitUntilIdle();
    assert.match(await readWorkspaceFile(FILE), FIXED);
    assert.equal(await panel.tool(undefined, 'awaiting').count(), 0);
  });

  userTest('Reject leaves the file alone', async () => {
    const panel = await newChat();
    const before = await readWorkspaceFile(FILE);
    await panel.ask(`/edit ${FILE}`);
    await panel.answer('Reject');
    await panel.waitUntilIdle();
    await panel.tool(undefined, 'rejected').waitFor();
    assert.equal(await readWorkspaceFile(FILE), before);
  });

  userTest('commands answer the request from anywhere', async () => {
    const { workbench } = await suite();
    const panel = await newChat();
    await panel.ask(`/edit ${FILE}`);
    await panel.permission().waitFor();
    await workbench.runCommand('Parley: Reject the Pending Request');
    await panel.waitUntilIdle();
    await panel.tool(undefined, 'rejected').waitFor();

    await panel.ask(`/edit ./${FILE}`);
    await panel.waitUntilAnswerable();
    await workbench.runCommand('Parley: Allow the Pending Request');
    await panel.waitUntilIdle();
    assert.match(await readWorkspaceFile(FILE), FIXED);
  });

  userTest('in a request, a number chooses the option', async () => {
    const panel = await newChat();
    await panel.ask(`/edit ${FILE}`);
    const request = panel.permission();
    await request.getByRole('button', { name: 'Allow' }).first().focus();
    await panel.workbench.page.keyboard.press('1');
    await request.waitFor({ state: 'hidden' });
    await panel.waitUntilIdle();
    assert.match(await readWorkspaceFile(FILE), FIXED);
  });

  userTest('a key pressed in the composer answers nothing', async () => {
    const panel = await newChat();
    await panel.ask(`/edit ${FILE}`);
    await panel.permission().waitFor();
    await panel.message.fill('');
    await panel.message.press('1');
    assert.equal(await panel.message.inputValue(), '1');
    assert.ok(await panel.permission().isVisible());
    await panel.message.fill('');
    await panel.answer('Reject');
    await panel.waitUntilIdle();
  });

  userTest('the proposal opens in the diff editor, where it can be allowed', async () => {
    const { workbench } = await suite();
    const panel = await newChat();
    await panel.ask(`/edit ${FILE}`);
    await panel.permission().getByRole('button', { name: 'Open Diff' }).click();
    await workbench.tab('greeting.js').waitFor();
    await workbench.diff.after.getByText("'stranger'").first().waitFor();
    await workbench.editorAction(/Allow/).click();
    await panel.waitUntilIdle();
    assert.match(await readWorkspaceFile(FILE), FIXED);
    await workbench.tab(/greeting\.js.*Parley/).waitFor({ state: 'hidden' });
  });
});

describe('commands', () => {
  afterEach(restoreWorkspace);

  userTest('a command is shown in full, and its output comes into its card', async () => {
    const panel = await newChat();
    await panel.ask('/run npm test');
    await panel.permission('npm test').getByText('npm test').first().waitFor();
    await panel.answer('Allow');
    await panel.waitUntilIdle();
    const card = panel.tool('npm test', 'failed');
    await card.getByText('greets by name').first().waitFor();
    await card
      .getByText(/Exit 1/)
      .first()
      .waitFor();
  });

  userTest('output is live, Kill ends the command and all it started', async () => {
    const panel = await newChat();
    await panel.ask('/run echo first; sleep 987; echo never');
    await panel.answer('Allow');
    const card = panel.tool('sleep 987', 'running');
    await card.getByText('first', { exact: true }).waitFor();
    const sleeping = async (): Promise<boolean> =>
      (await agentProcesses()).some(({ command }) => command === 'sleep 987');
    await eventually('the command runs', sleeping);
    await card.getByRole('button', { name: 'Kill' }).click();
    await panel.waitUntilIdle();
    await eventually('the command is gone', async () => !(await sleeping()), 2_000);
    assert.equal(await panel.conversation.getByText('never', { exact: true }).count(), 0);
  });

  userTest('a command can be watched in the terminal panel', async () => {
    const { workbench } = await suite();
    const panel = await newChat();
    await panel.ask('/run echo to the terminal; sleep 986');
    await panel.answer('Allow');
    const card = panel.tool('sleep 986', 'running');
    await card.getByText('to the terminal', { exact: true }).waitFor();
    await card.getByRole('button', { name: 'Open Terminal' }).click();
    await workbench.terminal.getByText('to the terminal').first().waitFor();
    await panel.stop.click();
    await panel.waitUntilIdle();
    await panel.tool('sleep 986', 'cancelled').waitFor();
    await eventually(
      'the command is gone',
      async () => !(await agentProcesses()).some(({ command }) => command === 'sleep 986'),
      2_000,
    );
    await workbench.runCommand('View: Toggle Panel Visibility');
  });
});
