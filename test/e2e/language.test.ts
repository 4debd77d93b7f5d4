import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { Workbench } from '../workbench/workbench';
import { suite, userTest } from './suite';

userTest('a window in German has commands and the panel in German', async () => {
  const { browser, server, root } = await suite();
  const folder = path.join(root, 'in German');
  mkdirSync(folder, { recursive: true });
  const workbench = await Workbench.open(browser, server, folder, 'de');
  try {
    await workbench.runCommand('Parley: Chat öffnen');
    const panel = workbench.parleyFrame('sidebar');
    await panel.locator('html[lang="de"]').waitFor({ timeout: 60_000 });
    await panel.getByRole('radio', { name: /Parley Demo/ }).check();
    await panel.getByRole('button', { name: 'Chat beginnen' }).click();
    await panel.getByRole('textbox', { name: 'Nachricht' }).waitFor();
  } finally {
    await workbench.page.goto('about:blank');
    await workbench.close();
  }
});
