/** What is asked is what is shown, and what is answered is what was asked: in the installed extension. */
import assert from 'node:assert/strict';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe } from 'node:test';
import { eventually } from '../workbench/eventually';
import { isThere } from './agentWork';
import { ChangesBar } from './changesBar';
import type { ParleyPanel } from './parleyPanel';
import {
  fixtureAgent,
  newChat,
  newChatWith,
  suite,
  userTest,
  withSettings,
  workspace,
} from './suite';

const AGENT = 'Permission fixture';
/** Longer than what `AnswerCommands` takes for one press, in milliseconds. */
const BURST_MS = 1000;

async function withAgent(
  settings: Record<string, unknown>,
  body: (panel: ParleyPanel) => Promise<void>,
): Promise<void> {
  const agent = { command: process.execPath, args: [await fixtureAgent('asksAndChanges')] };
  await withSettings({ 'parley.agents': { [AGENT]: agent }, ...settings }, async () => {
    await body(await newChatWith(AGENT));
  });
}

describe('a request for permission', () => {
  userTest(
    'that its agent changes is allowed neither by a click, a key nor the command',
    async () => {
      const { workbench } = await suite();
      await withAgent({}, async panel => {
        await panel.ask('swap');
        const request = panel.permission();
        await request.getByText('Changed by the agent').waitFor();
        assert.equal(await request.locator('pre.cmd').textContent(), 'ls -la');
        assert.ok(await request.getByRole('button', { name: 'Allow', exact: true }).isDisabled());
        await workbench.runCommand('Parley: Allow the Pending Request');
        await workbench.notification('Parts of this request are cut off').waitFor();
        assert.equal(await request.count(), 1);

        await request.getByRole('button', { name: 'Review Again' }).click();
        await request.getByText('Original request').waitFor();
        assert.equal(await request.locator('pre.cmd').first().textContent(), 'rm -rf ~/important');
        await request.getByText('deletes files').waitFor();
        await panel.answer('Allow');
        await panel.waitUntilIdle();
        await panel.part('text', '"optionId":"allow"').waitFor();
      });
    },
  );

  userTest(
    'that is rejected lets nothing be written, whatever its options are called',
    async () => {
      const file = path.join(await workspace(), 'rejected.txt');
      await withAgent({ 'parley.review.when': 'beforeWriting' }, async panel => {
        await panel.ask(`same ${file}`);
        await panel.answer('Reject', 'Edit a file');
        await panel.part('text', '"outcome":"cancelled"').waitFor();
        // The write has a request of its own, which shows what would be written.
        await panel.permission('Create rejected.txt').waitFor();
        assert.ok(!existsSync(file));
        await panel.answer('Reject', 'Create rejected.txt');
        await panel.waitUntilIdle();
        assert.ok(!existsSync(file));
      });
    },
  );

  userTest('is made for a file outside the workspace, which is read when allowed', async () => {
    const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-outside-')));
    const file = path.join(folder, 'notes.txt');
    writeFileSync(file, 'of-the-user\n');
    const panel = await newChat();
    const words = panel.conversation.getByText('of-the-user');
    for (const answer of ['Reject', 'Allow']) {
      await panel.ask(`/read ${file}`);
      const request = panel.permission('Read notes.txt');
      await request.getByText('outside the workspace').waitFor();
      await request.getByText(file).first().waitFor();
      assert.equal(await words.count(), 0);
      await panel.answer(answer, 'Read notes.txt');
      await panel.waitUntilIdle();
    }
    await panel.part('text', 'of-the-user').waitFor();
    rmSync(folder, { recursive: true });
  });

  userTest('is no link in a notification, whatever its title is', async () => {
    const { workbench } = await suite();
    await withAgent({ 'parley.notifications': 'always' }, async panel => {
      await panel.ask('title Shall I? [Read it first](command:parley.allow)');
      const toast = workbench.notification('Read it first');
      await toast.waitFor();
      assert.equal(await toast.locator('.notification-list-item-message a').count(), 0);
      await panel.answer('Reject');
      await panel.waitUntilIdle();
    });
  });

  userTest('is answered in its notification where that shows all of it', async () => {
    const { workbench } = await suite();
    await withSettings({ 'parley.notifications': 'always' }, async () => {
      const panel = await newChat();
      await panel.ask('/run echo noticed');
      const toast = workbench.notification('wants to run: echo noticed');
      await toast.waitFor();
      // What comes up under the pointer is not answered at once: no event ends that, only time.
      await workbench.page.waitForTimeout(BURST_MS);
      await toast.getByRole('button', { name: 'Allow', exact: true }).click();
      await panel.tool('echo noticed', 'completed').last().waitFor();
      await panel.waitUntilIdle();

      await panel.ask('/run echo noticed && rm -rf dist');
      const risky = workbench.notification('echo noticed && rm -rf dist');
      await risky.waitFor();
      assert.equal(await risky.getByRole('button', { name: 'Allow', exact: true }).count(), 0);
      await risky.getByRole('button', { name: 'Reject', exact: true }).click();
      await panel.waitUntilIdle();
      assert.equal(await panel.permission().count(), 0);
    });
  });

  userTest('is in the inbox, from every chat, and is answered or opened there', async () => {
    const { workbench } = await suite();
    const panel = await newChat();
    await panel.ask('/run echo inbox');
    await panel.permission().waitFor();
    const first = await panel.chatId();
    await newChat();
    const status = workbench.page.locator('.statusbar-item').filter({ hasText: 'Parley: ' });
    const rows = workbench.quickInput.locator('.monaco-list-row');
    const waiting = status.filter({ hasText: /waiting/ });
    await waiting.locator('a').click();
    const row = rows.filter({ hasText: 'echo inbox' });
    await row.waitFor();
    await row.hover();
    await row.getByRole('button', { name: 'Allow' }).click();
    // It goes on out of sight, and is marked when it is done.
    await waiting.waitFor({ state: 'detached' });
    await workbench.pickerInput.press('Escape');
    await status.filter({ hasText: /done/ }).locator('a').click();
    // The agent may have given it a title; what is done stands above what was read.
    await rows
      .filter({ hasText: /Running a command|run echo inbox/ })
      .first()
      .click();
    await eventually('the chat is shown', async () => (await panel.chatId()) === first);
    await panel.tool('echo inbox', 'completed').last().waitFor();
  });

  userTest('waits for its user where the chat is out of sight, and is answered there', async () => {
    const { workbench } = await suite();
    await withAgent({}, async panel => {
      await panel.ask('title ls');
      await panel.permission().waitFor();
      await workbench.runCommand('View: Toggle Secondary Side Bar Visibility');
      await panel.app.waitFor({ state: 'hidden' });
      await workbench.runCommand('Parley: Allow the Pending Request');
      await workbench.notification('The request waits in this chat').waitFor();
      await panel.permission().waitFor();
      // A palette that is opened before closes as the panel takes the focus.
      await panel.waitUntilFocused();
      assert.equal(await panel.part('text', '"optionId"').count(), 0);
      // Presses that follow each other fast are one: no event ends that, only time.
      await workbench.page.waitForTimeout(BURST_MS);
      await workbench.runCommand('Parley: Allow the Pending Request');
      await panel.part('text', '"optionId":"allow"').waitFor();
      await panel.waitUntilIdle();
    });
  });
});

describe('rules for permissions', () => {
  userTest('answer requests, refuse reads, and say so at the call', async () => {
    const rules = [
      { command: 'echo ruled', decision: 'allow' },
      { command: 'rm', decision: 'reject' },
      { path: 'notes.md', decision: 'reject' },
    ];
    await withSettings({ 'parley.permissions.rules': rules }, async () => {
      const panel = await newChat();
      await panel.askAndWait('/run echo ruled');
      await panel.conversation.getByText('Allowed by your rule `echo ruled`').waitFor();
      await panel.tool('echo ruled', 'completed').last().waitFor();
      await panel.askAndWait('/run echo ruled && rm docs/notes.md');
      await panel.conversation.getByText('Rejected by the rule `rm`').waitFor();
      await panel.askAndWait('/read docs/notes.md');
      await panel.conversation.getByText('Rejected by the rule `notes.md`').first().waitFor();
      assert.equal(await panel.conversation.getByText('greet a stranger').count(), 0);
      assert.ok(await isThere('docs/notes.md'));
    });
  });

  userTest('leave a file that runs code to its user, and the review names it', async () => {
    const rules = [
      { command: '*', decision: 'allow' },
      { path: '**', decision: 'allow' },
    ];
    await withSettings({ 'parley.permissions.rules': rules }, async () => {
      const panel = await newChat();
      await panel.ask('/run echo {} > extra.code-workspace');
      await panel.permission().getByText('can make the editor run programs').waitFor();
      await panel.answer('Allow');
      await panel.waitUntilIdle();
      const bar = new ChangesBar(panel);
      await bar.files(1);
      const warned = bar.rows.filter({ hasText: 'can make the editor run programs' });
      await warned.getByText('extra.code-workspace').waitFor();
      await bar.button('Undo all').click();
      await bar.gone();
    });
  });

  userTest(
    'are made of a request, shown before they are written, and answer it; the log has it all',
    async () => {
      const { workbench, server } = await suite();
      const { quickInput, page } = workbench;
      await withSettings({}, async () => {
        const panel = await newChat();
        await panel.ask('/run echo asked');
        const request = panel.permission();
        await request.getByRole('button', { name: 'Add Rule…' }).click();
        await quickInput.getByText('Always allow echo asked in this folder').click();
        const rule = { command: 'echo asked', path: `${await workspace()}/**`, decision: 'allow' };
        const input = workbench.pickerInput;
        await eventually(
          'the rule is shown as it will be written',
          async () => (await input.inputValue()) === JSON.stringify(rule),
        );
        await input.fill('{"command":"echo asked"}');
        await quickInput.getByText('This is not a rule').waitFor();
        await input.fill(JSON.stringify(rule));
        await input.press('Enter');
        await panel.conversation.getByText('Allowed by your rule `echo asked').waitFor();
        await panel.waitUntilIdle();
        const written = server.settingsFiles.some(file =>
          readFileSync(file, 'utf8').includes('"command": "echo asked"'),
        );
        assert.ok(written, 'the rule is in the user settings');
        await workbench.runCommand('Parley: Show Permission Log');
        await page.getByRole('tab', { name: 'permissions.jsonl' }).waitFor();
      });
    },
  );
});
