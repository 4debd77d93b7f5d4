import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { eventually } from '../workbench/eventually';
import { isListening } from '../workbench/isListening';
import type { RunningProcess } from '../workbench/processes';
import type { ParleyPanel } from './parleyPanel';
import {
  agentProcesses,
  fixtureAgent,
  newChatWith,
  nothingLeft,
  suite,
  userTest,
  withSettings,
} from './suite';

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

describe('a command that still runs when its turn was stopped', () => {
  userTest('is told of, and is ended or left until the agent ends', async () => {
    const { workbench } = await suite();
    await withFixture('keepsCommands', async panel => {
      for (const [seconds, answer] of [
        [601, 'End It'],
        [602, 'Leave It'],
      ] as const) {
        const sleeps = async () =>
          (await agentProcesses()).some(({ command }) => command === `sleep ${seconds}`);
        await panel.ask(`echo up; sleep ${seconds}`);
        await eventually('it runs', sleeps);
        await panel.turn(`sleep ${seconds}`).getByText('up', { exact: true }).waitFor();
        await panel.stop.click();
        await panel.waitUntilIdle();
        const told = workbench.notification(`sleep ${seconds}`);
        await told.getByRole('button', { name: answer }).click();
        await told.waitFor({ state: 'hidden' });
        if (answer === 'End It') await eventually('it has ended', async () => !(await sleeps()));
        else assert.ok(await sleeps());
        await panel.askAndWait('leave echo up');
      }
      await workbench.reload();
      await nothingLeft(ofFixtures);
    });
  });
});

/** It leaves programs of its own that are deaf, and whose parents are gone. */
describe('nothing is left two seconds after', () => {
  userTest('a reload', async () => {
    const { workbench } = await suite();
    await withFixture('leavesDaemons', async panel => {
      await panel.askAndWait('leave');
      assert.ok((await agentProcesses()).filter(ofFixtures).length >= 3);
      await workbench.reload();
      await nothingLeft(ofFixtures);
    });
  });
});

/** A ready chat with an agent of test/agents. */
async function withFixture(name: string, body: (panel: ParleyPanel) => Promise<void>) {
  const agent = `The fixture ${name}`;
  const entry = { command: process.execPath, args: [await fixtureAgent(name)] };
  await withSettings({ 'parley.agents': { [agent]: entry } }, async () => {
    const panel = await newChatWith(agent);
    await panel.waitUntilReady();
    await body(panel);
  });
}

function ofFixtures({ command }: RunningProcess): boolean {
  return /\/agents\/|DEAF|sleep 60/.test(command) || command.includes("process.on('SIGTERM'");
}
