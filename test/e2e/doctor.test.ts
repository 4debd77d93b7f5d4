import { ParleyPanel } from './parleyPanel';
import { newChatWith, suite, userTest, withSettings } from './suite';

userTest(
  'an agent that is not there: its card leads to the doctor, which says what is',
  async () => {
    const { workbench } = await suite();
    const missing = { command: 'parley-no-such-command', args: ['--acp'] };
    await withSettings({ 'parley.agents': { Missing: missing } }, async () => {
      await newChatWith('Missing');
      const panel = new ParleyPanel(workbench);
      const problem = panel.problem(/Missing was not found/);
      await problem.getByRole('button', { name: 'Run Doctor' }).click();
      const page = workbench.page
        .locator('iframe.webview[src*="extensionId=parley.parley-acp"]')
        .last()
        .contentFrame()
        .frameLocator('iframe#active-frame');
      const section = (name: string) => page.getByRole('region', { name, exact: true });
      await section('Missing').getByText('was not found').first().waitFor({ timeout: 60_000 });
      await section('Missing').getByRole('button', { name: 'Edit Agents' }).waitFor();
      await section('This machine')
        .getByText(/folders on its PATH/)
        .waitFor();
      await section('This machine')
        .getByText(/^node v\d+/)
        .waitFor();
      const demo = section('Parley Demo');
      await demo.getByText('It speaks version 1 of the protocol.').waitFor({ timeout: 60_000 });
      await page.getByText(/Problems found: [1-9]/).waitFor({ timeout: 60_000 });
      await page.getByRole('button', { name: 'Copy Report' }).click();
      await workbench.notification('The report is copied').waitFor();
      await workbench.closeActiveTab();
    });
  },
);
