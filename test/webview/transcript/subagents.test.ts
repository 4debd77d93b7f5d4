import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withPanel, type Panel } from '../harness';
import { stateNamed, told } from '../states';
import { asked, connected, ended, said } from '../story';
import { ALLOWED, subagentAllowed, subagentAsks, subagents } from '../subagentStory';

const tool = (panel: Panel, id: string) => panel.page.locator(`[data-tool-call-id="${id}"]`);

/** The line that opens what the subagent did. */
const line = (panel: Panel, id: string) => tool(panel, id).locator('> .th > [aria-expanded]');

describe('subagents', () => {
  test('are folded under the call that began them, with a count', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('subagents'));
      const explore = tool(panel, 'explore');
      assert.match(await line(panel, 'explore').innerText(), /3 tools/);
      assert.match(await line(panel, 'tests').innerText(), /1 tool/);
      assert.equal(await tool(panel, 'grep').count(), 0, 'folded');
      assert.equal(await panel.conversation.getByText('Two places').count(), 0);
      await line(panel, 'explore').click();
      await explore.getByText('Two places read it.').waitFor();
      await explore.locator('[data-tool-call-id="grep"]').waitFor();
      // Neighbouring reads are one line there too.
      await explore.getByRole('group', { name: 'Read 2 files' }).waitFor();
      await explore.getByText('client.ts and retry.ts.').waitFor();
      assert.equal(
        await explore.getByText('I add a case').count(),
        0,
        'what another says is not here',
      );
    });
  });

  test('cannot be folded away while they wait for the user', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('subagents'));
      await panel.actions(subagentAsks());
      const request = tool(panel, 'tests').getByRole('group', { name: 'Permission: npm test' });
      await request.waitFor();
      await panel.clearPosts();
      await request.getByRole('button', { name: 'Allow' }).click();
      assert.deepEqual(await panel.waitForIntent('answerPermission'), ALLOWED);
      await panel.actions(subagentAllowed());
      await request.waitFor({ state: 'detached' });
    });
  });

  test('grow while they are open, and their words are not the reply', async () => {
    await withPanel({}, async panel => {
      await panel.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await panel.show(stateNamed('subagents'));
      await line(panel, 'tests').click();
      await panel.actions([
        {
          type: 'chunkReceived',
          stream: 'text',
          turnId: 'turn-1',
          partId: 'more',
          parentToolCallId: 'tests',
          text: 'It passes.',
          at: 1,
        },
      ]);
      await tool(panel, 'tests').getByText('It passes.').waitFor();
      await panel.snapshot(
        told(...connected(), ...asked(), ...subagents(), ...said('Done.', 'reply'), ...ended()),
      );
      await panel.page.getByRole('button', { name: 'Copy Answer' }).click();
      assert.equal(await panel.page.evaluate(() => navigator.clipboard.readText()), 'Done.');
    });
  });
});
