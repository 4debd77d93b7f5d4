import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowseState } from '../../src/shared/browsePage';
import { axeFindings } from './axe';
import { withPanel, type Panel } from './harness';

const PROBLEM = 'agents.example.com cannot be reached (ENOTFOUND).';
const NOTHING: BrowseState = { state: 'ready', source: 'agents.example.com', agents: [] };
const AGENT: BrowseState['agents'][number] = {
  ...{ id: 'a', name: 'Agent', version: '1.0.0', description: 'Writes code', authors: 'Somebody' },
  ...{ hasWebsite: false, ways: [] },
};
const DAY = 24 * 3_600_000;

const tell = (panel: Panel, state: BrowseState) =>
  panel.page.evaluate(told => window.postMessage({ type: 'state', state: told }, '*'), state);
const button = (panel: Panel, name: string) => panel.page.getByRole('button', { name });
const asked = async (panel: Panel) =>
  (await panel.posts()).map(({ type }: { readonly type: string }) => type);

test('without a list the page says why, what works without it, and tries again', async () => {
  await withPanel({ tab: 'parley-browse', width: 480 }, async panel => {
    const { page } = panel;
    await tell(panel, { ...NOTHING, state: 'loading' });
    await page.getByText('Fetching the list from agents.example.com…').waitFor();
    await tell(panel, { ...NOTHING, problem: PROBLEM });
    await page.getByText(PROBLEM).waitFor();
    await page.getByText('Agents that are installed or found on this machine').waitFor();
    assert.equal(await page.getByRole('searchbox').count(), 0, 'there is nothing to search');
    assert.deepEqual(await axeFindings(panel), []);
    await panel.clearPosts();
    await button(panel, 'Try Again').click();
    assert.deepEqual(await asked(panel), ['refresh']);
    await tell(panel, { ...NOTHING, state: 'loading', problem: PROBLEM });
    await page.getByText('Fetching the list from agents.example.com…').waitFor();
    assert.ok(await button(panel, 'Try Again').isDisabled());
    await tell(panel, { ...NOTHING, agents: [AGENT], fetchedAt: Date.now() });
    await page.getByRole('article', { name: 'Agent' }).waitFor();
    assert.equal(await page.getByText(PROBLEM).count(), 0);
  });
});

test('an earlier list is shown with its age, the reason and a way to try again', async () => {
  await withPanel({ tab: 'parley-browse', width: 480 }, async panel => {
    const { page } = panel;
    const list = { ...NOTHING, agents: [AGENT], fetchedAt: Date.now() - 3 * DAY };
    await tell(panel, { ...list, problem: PROBLEM });
    await page
      .getByText(/cannot be reached.* 1 agents from .*, as of .* \(3 days ago\)\./)
      .waitFor();
    await page.getByRole('article', { name: 'Agent' }).waitFor();
    await button(panel, 'Try Again').waitFor();
    await tell(panel, list);
    await button(panel, 'Refresh').waitFor();
    assert.equal(await page.getByText('days ago').count(), 0);
  });
});
