import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import { registryPlatform } from '../../src/agents/registry/registryList';
import { publishPackage } from '../unit/agents/registry/npmPackage';
import { registryServer, type RegistryServer } from '../unit/agents/registry/registryServer';
import { eventually } from '../workbench/eventually';
import { ParleyPanel } from './parleyPanel';
import { fixtureAgent, newChat, suite, userTest, withSettings } from './suite';

/** How an agent is installed, and its versions in the list. */
interface Installed {
  readonly id: string;
  readonly name: string;
  readonly way: string;
  readonly old: string;
  readonly next: string;
}

const BINARY: Installed = {
  id: 'single',
  name: 'Single File',
  way: 'Program',
  old: '1.0.0',
  next: '2.0.0',
};
const NPM: Installed = { id: 'cline', name: 'Cline', way: 'npm', old: '3.0.55', next: '3.0.56' };

describe('Browse Agents', () => {
  let server: RegistryServer;
  before(async () => {
    server = await registryServer();
    const agent = path.resolve(await fixtureAgent('good'));
    const program = `#!${process.execPath}\nimport(${JSON.stringify(agent)});\n`;
    server.files.set(`single-${registryPlatform()}.bin`, Buffer.from(program));
    await publishPackage(server, 'cline', [NPM.old, NPM.next], program);
    const { root } = await suite();
    writeFileSync(path.join(root, 'npmrc'), `registry=${server.origin}/\n`);
  });
  after(() => server.close());

  const publish = ({ id, old, next }: Installed) => {
    const entry = server.agents.find(agent => agent['id'] === id);
    assert.ok(entry);
    const { distribution } = entry;
    entry['distribution'] = JSON.parse(
      JSON.stringify(distribution).replaceAll(`@${old}`, `@${next}`),
    );
    entry['version'] = next;
  };

  async function browse(): Promise<FrameLocator> {
    const { workbench } = await suite();
    await workbench.runCommand('Parley: Browse Agents');
    const page = workbench.page
      .locator('iframe.webview[src*="extensionId=parley.parley-acp"]')
      .last()
      .contentFrame()
      .frameLocator('iframe#active-frame');
    // A page that is open still has its last search.
    await page.getByRole('searchbox', { name: 'Search agents' }).fill('', { timeout: 60_000 });
    await page.getByRole('article', { name: 'Gemini CLI' }).waitFor({ timeout: 60_000 });
    return page;
  }

  /** Through all that can be done with it, with the buttons of the page. */
  async function installed(page: FrameLocator, agent: Installed): Promise<void> {
    const { workbench } = await suite();
    const { name, way, old, next } = agent;
    const entry = page.getByRole('article', { name, exact: true });
    await entry.getByRole('button', { name: `Install ${name} with ${way}` }).click();
    await entry.getByText('Installed.', { exact: true }).waitFor({ timeout: 60_000 });
    await entry.getByRole('button', { name: `Start chat with ${name}` }).click();
    const panel = new ParleyPanel(workbench);
    await panel.frame.getByText(name).first().waitFor();
    await panel.askAndWait('hello');

    publish(agent);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await entry.getByText(`Version ${next} is available`).waitFor();
    await entry.getByText('What is installed').click();
    await entry.getByRole('button', { name: `Install ${name} with ${way}` }).click();
    const version = entry.getByRole('combobox', { name: `Version of ${name}` });
    const isUsed = (wanted: string) =>
      eventually(`${wanted} is used`, async () => (await version.inputValue()) === wanted, 60_000);
    await isUsed(next);
    await version.selectOption(old);
    await isUsed(old);
    await entry.getByRole('checkbox', { name: `Keep the version of ${name}` }).check();
    await entry.getByRole('button', { name: `Uninstall ${name}` }).click();
    await version.waitFor({ state: 'hidden' });
  }

  userTest('a program is installed, used, updated, rolled back and removed', async () => {
    const { workbench } = await suite();
    await newChat();
    await withSettings({ 'parley.registry.url': server.listAddress }, async () => {
      assert.deepEqual(server.requests, [], 'nothing is fetched before the page is opened');
      const page = await browse();
      const search = page.getByRole('searchbox', { name: 'Search agents' });
      await search.fill('no archive');
      await page.getByRole('article', { name: 'Gemini CLI' }).waitFor({ state: 'hidden' });
      await page.getByRole('article', { name: 'Single File' }).waitFor();
      const entry = page.getByRole('article', { name: 'Single File' });
      await entry.getByText(`${server.origin}/files/single-${registryPlatform()}.bin`).waitFor();
      await entry.getByText('has no checksum').waitFor();
      await installed(page, BINARY);
      await workbench.closeActiveTab();
    });
  });

  userTest('a package of npm is, too', async () => {
    const { workbench } = await suite();
    await newChat();
    await withSettings({ 'parley.registry.url': server.listAddress }, async () => {
      const page = await browse();
      await installed(page, NPM);
      assert.ok(server.requests.includes('/cline'), 'from the server that npm is set up for');
      await workbench.closeActiveTab();
    });
  });

  userTest('a Python package is, where uv is; else that is said', async () => {
    const { workbench } = await suite();
    await newChat();
    await withSettings({ 'parley.registry.url': server.listAddress }, async () => {
      const page = await browse();
      const name = 'fast-agent';
      const entry = page.getByRole('article', { name, exact: true });
      await entry.getByRole('button', { name: `Install ${name} with uvx` }).click();
      if (spawnSync('uvx', ['--version']).error) {
        await page.getByText('uvx was not found. Install uv, then try again.').waitFor();
      } else {
        // uvx downloads it with its first start, from where it is set up for.
        await entry.getByText('Installed.', { exact: true }).waitFor();
        await entry.getByRole('button', { name: `Uninstall ${name}` }).click();
        await entry.getByRole('combobox').waitFor({ state: 'hidden' });
      }
      await workbench.closeActiveTab();
    });
  });

  userTest('without its server the last list is shown, with its age', async () => {
    const { workbench } = await suite();
    await newChat();
    await withSettings({ 'parley.registry.url': server.listAddress }, async () => {
      const page = await browse();
      await server.close();
      await page.getByRole('button', { name: 'Refresh' }).click();
      await page.getByText(/cannot be reached.*agents from.*as of/).waitFor();
      await workbench.closeActiveTab();
    });
  });
});
