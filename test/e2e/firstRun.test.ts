import { eventually } from '../workbench/eventually';
import { extensionHosts, Workbench } from '../workbench/workbench';
import { ParleyPanel } from './parleyPanel';
import { agentProcesses, nothingLeft, suite, workspace, userTest } from './suite';

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
