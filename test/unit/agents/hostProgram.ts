/**
 * Stands in for an extension host: starts the agent given as argument, prompts it if asked to, says so, and stays. With
 * `ask` or `keep` the agent is stopped then, its servers are not decided on, or kept, and all begins once more.
 * SIGHUP stops the agent, SIGUSR2 closes the window.
 */
import { AgentSupervisor } from '../../../src/agents/supervisor';
import { ProcessTracker } from '../../../src/agents/process/processTracker';
import { nullLogger } from '../../../src/base/logger';

const [, , agent = '', text, servers] = process.argv;
const processes = new ProcessTracker();
const host = new AgentSupervisor(
  {
    kind: 'stdio',
    name: 'Agent',
    command: process.execPath,
    args: [agent],
    env: {},
    environment: 'editor',
  },
  {
    logger: nullLogger,
    processes,
    environment: { get: () => Promise.resolve({}) },
    settings: () => ({ initializeSeconds: 20, maxLineBytes: 1e6 }),
    workspaceFolder: () => undefined,
    clientVersion: '0.0.1',
    now: Date.now,
  },
);

process.on('SIGHUP', () => void host.stop());
process.on('SIGUSR2', () => processes.killAllNow());

async function work(): Promise<void> {
  const link = await host.connect();
  if (text === undefined) return;
  const { sessionId } = await link.newSession({ cwd: '/', mcpServers: [] });
  await link.prompt({ sessionId, prompt: [{ type: 'text', text }] });
}

async function main(): Promise<void> {
  await work();
  if (servers !== undefined) {
    processes.onDidLeave(left => {
      if (servers === 'keep') processes.keepServers(left);
    });
    await host.stop();
    await work();
  }
  process.stdout.write('ready');
}

void main();
