import { chosenAgents } from './chosenAgents';
import { installAgent } from './installAgent';

/** Installs the agents that the tests will need, one after the other. */
export async function installAgents(): Promise<void> {
  for (const key of chosenAgents()) await installAgent(key);
}
