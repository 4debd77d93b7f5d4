/** What is asked is what is shown, and what is answered is what was asked: in the installed extension. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe } from 'node:test';
import type { ParleyPanel } from './parleyPanel';
import { fixtureAgent, newChatWith, suite, userTest, withSettings, workspace } from './suite';

const AGENT = 'Permission fixture';

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
        await workbench.notification('There is more to see').waitFor();
        assert.equal(await request.count(), 1);

        await request.getByRole('button', { name: 'Review Again' }).click();
        await request.getByText('What it asked before').waitFor();
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
});
