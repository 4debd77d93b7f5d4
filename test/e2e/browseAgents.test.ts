import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe } from 'node:test';
import { registryPlatform } from '../../src/agents/registry/registryList';
import { registryServer, type RegistryServer } from '../unit/agents/registry/registryServer';
import { eventually } from '../workbench/eventually';
import { ParleyPanel } from './parleyPanel';
import { fixtureAgent, newChat, suite, userTest, withSettings } from './suite';

describe('Browse Agents', () => {
  let server: RegistryServer;
  before(async () => {
    server = await registryServer();
    const agent = await fixtureAgent('good');
    const program = `#!${process.execPath}\nimport(${JSON.stringify(path.resolve(agent))});\n`;
    server.files.set(`single-${registryPlatform()}.bin`, Buffer.from(program));
  });
  after(() => server.close());

  const publish = (version: string) => {
    const single = server.agents.find(({ id }) => id === 'single');
    assert.ok(single);
    single['version'] = version;
  };

  userTest('an agent is installed, used, updated, rolled back and removed', async () => {
    const { workbench } = await suite();
    await newChat();
    await withSettings({ 'parley.registry.url': server.listAddress }, async () => {
      assert.deepEqual(server.requests, [], 'nothing is fetched before the page is opened');
      await workbench.runCommand('Parley: Browse Agents');
      const page = workbench.page
        .locator('iframe.webview[src*="extensionId=parley.parley-acp"]')
        .last()
        .contentFrame()
        .frameLocator('iframe#active-frame');
      await page.getByRole('article', { name: 'Gemini CLI' }).waitFor({ timeout: 60_000 });
      const search = page.getByRole('searchbox', { name: 'Search agents' });
      await search.fill('no archive');
      await page.getByRole('article', { name: 'Gemini CLI' }).waitFor({ state: 'hidden' });
      const entry = page.getByRole('article', { name: 'Single File' });
      await entry.getByText(`${server.origin}/files/single-${registryPlatform()}.bin`).waitFor();
      await entry.getByText('has no checksum').waitFor();

      await entry.getByRole('button', { name: 'Install Single File with Program' }).click();
      await entry.getByText('Installed.', { exact: true }).waitFor({ timeout: 60_000 });
      await entry.getByRole('button', { name: 'Start chat with Single File' }).click();
      const panel = new ParleyPanel(workbench);
      await panel.frame.getByText('Single File').first().waitFor();
      await panel.askAndWait('hello');

      publish('2.0.0');
      await page.getByRole('button', { name: 'Refresh' }).click();
      await entry.getByText('Version 2.0.0 is available').waitFor();
      await entry.getByText('What is installed').click();
      await entry.getByRole('button', { name: 'Install Single File with Program' }).click();
      const version = entry.getByRole('combobox', { name: 'Version of Single File' });
      await eventually(
        'the new version is used',
        async () => (await version.inputValue()) === '2.0.0',
      );
      await version.selectOption('1.0.0');
      await entry.getByRole('checkbox', { name: 'Keep the version of Single File' }).check();
      await entry.getByRole('button', { name: 'Uninstall Single File' }).click();
      await version.waitFor({ state: 'hidden' });

      await server.close();
      await page.getByRole('button', { name: 'Refresh' }).click();
      await page.getByText(/cannot be reached.*agents from.*as of/).waitFor();
      await workbench.closeActiveTab();
    });
  });
});
