/** Stands in for an extension host: starts the agent given as argument, says so, and stays. */
import { AgentSupervisor } from '../../../src/agents/supervisor';
import { ProcessTracker } from '../../../src/agents/process/processTracker';
import { nullLogger } from '../../../src/base/logger';

const [, , agent = ''] = process.argv;
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
    processes: new ProcessTracker(),
    environment: { get: () => Promise.resolve({}) },
    settings: () => ({ initializeSeconds: 20, maxLineBytes: 1e6 }),
    workspaceFolder: () => undefined,
    clientVersion: '0.0.1',
    now: Date.now,
  },
);
void host.connect().then(() => process.stdout.write('ready'));
