import { describe } from 'node:test';
import { eventually } from '../workbench/eventually';
import { isListening } from '../workbench/isListening';
import { fixtureAgent, newChatWith, suite, userTest, withSettings } from './suite';

describe('a server that an agent has left running', () => {
  userTest('is told of when the agent ends, and can be ended', async () => {
    const { workbench } = await suite();
    const agent = 'Server fixture';
    const args = [await fixtureAgent('leavesServers')];
    await withSettings(
      { 'parley.agents': { [agent]: { command: process.execPath, args } } },
      async () => {
        const panel = await newChatWith(agent);
        await panel.waitUntilReady();
        await panel.askAndWait('serve');
        const said = panel.turn('serve').getByText(/^\d+$/);
        const port = Number(await said.first().textContent());
        await eventually('it is there', () => isListening(port));
        await workbench.runCommand('Parley: Restart Agent');
        const told = workbench.notification(`port ${port}`);
        await told.getByRole('button', { name: 'Leave It' }).waitFor();
        await told.getByRole('button', { name: 'End It' }).click();
        await eventually('it is gone', async () => !(await isListening(port)));
        await panel.waitUntilReady();
      },
    );
    // Until the review knows that the server is gone, what tests write may be the agent's. A new window waits for nothing.
    await workbench.reload();
  });
});
