import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { eventually } from '../workbench/eventually';
import {
  agentProcesses,
  fixtureAgent,
  newChat,
  newChatWith,
  nothingLeft,
  suite,
  timesLogged,
  withSettings,
  userTest,
} from './suite';

interface BadAgent {
  readonly what: string;
  /** A file of test/agents, or a command that does not exist. */
  readonly fixture?: string;
  readonly command?: string;
  /** What the panel says. */
  readonly says: RegExp;
  /** What the agent itself said last, if anything. */
  readonly quotes?: string;
}

const BAD_AGENTS: readonly BadAgent[] = [
  { what: 'a missing command', command: 'no-such-agent-anywhere', says: /was not found/ },
  { what: 'one that exits at once', fixture: 'exitsAtOnce', says: /exit code 3/ },
  {
    what: 'one that explains itself on stderr',
    fixture: 'exitsWithStderr',
    says: /exit code 2/,
    quotes: 'the API key is missing',
  },
  {
    what: 'a program that is no agent',
    fixture: 'junkOnly',
    says: /does not speak the Agent Client Protocol|did not answer/,
    quotes: 'Fixture shell 1.0',
  },
  { what: 'another protocol version', fixture: 'wrongVersion', says: /version 99/ },
  {
    what: 'one that never answers',
    fixture: 'neverInitializes',
    says: /did not answer within 2 s/,
  },
  { what: 'one that never opens a session', fixture: 'neverNewSession', says: /did not/ },
];

describe('an agent that does not work is explained, and nothing is left running', () => {
  for (const { what, fixture, command, says, quotes } of BAD_AGENTS) {
    userTest(what, async () => {
      const entry = fixture
        ? { command: process.execPath, args: [await fixtureAgent(fixture)] }
        : { command };
      const settings = {
        'parley.agents': { [what]: entry },
        'parley.timeouts': { initialize: 2, newSession: 2 },
      };
      await withSettings(settings, async () => {
        const panel = await newChatWith(what);
        const problem = panel.problem(says);
        await problem.waitFor();
        if (quotes) await problem.getByText(quotes).first().waitFor();
        await problem.getByRole('button', { name: 'Show Log' }).waitFor();

        // The second failure may follow so soon that the first never goes from the screen.
        const failures = () => timesLogged(' [error] ');
        const before = await failures();
        await problem.getByRole('button', { name: 'Try Again' }).click();
        await eventually(`${what} has failed again`, async () => (await failures()) > before);
        await problem.waitFor();
        await nothingLeft(({ command }) => command.includes('/agents/'));
      });
    });
  }

  userTest('Show Log shows the log', async () => {
    const { workbench } = await suite();
    const settings = { 'parley.agents': { 'Lost agent': { command: 'no-such-agent' } } };
    await withSettings(settings, async () => {
      const panel = await newChatWith('Lost agent');
      const problem = panel.problem(/was not found/);
      await problem.getByRole('button', { name: 'Show Log' }).click();
      await workbench.output.getByText('Searched in:').first().waitFor();
      await workbench.runCommand('View: Toggle Panel Visibility');
    });
  });

  userTest('a crash in the middle of a turn: cause, Restart, and no word is lost', async () => {
    const panel = await newChat();
    await panel.ask('/crash');
    const problem = panel.problem(/crashed/);
    await problem.getByText('asked to crash').first().waitFor();
    const draft = () => panel.message.inputValue();
    await eventually('the prompt is back', async () => (await draft()) === '/crash');
    await panel.message.fill('what I was about to say');
    await problem.getByRole('button', { name: 'Restart' }).click();
    await problem.waitFor({ state: 'hidden' });
    assert.equal(await draft(), 'what I was about to say');
    await panel.message.fill('');
    await panel.askAndWait('/think');
  });

  userTest('an agent that ends while nothing is asked comes back by itself', async () => {
    const panel = await newChat();
    await panel.askAndWait('/think');
    const agents = (await agentProcesses()).filter(({ command }) => /demoAgent/.test(command));
    assert.ok(agents.length > 0);
    for (const { pid } of agents) process.kill(pid, 'SIGKILL');
    await panel.frame.getByText('quit and was restarted.').first().waitFor();
    await panel.waitUntilReady();
    await panel.askAndWait('/plan');
  });
});
