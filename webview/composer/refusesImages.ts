import type { SessionState } from '../../src/session/state/state';

/** Whether the agent is known to take no images: while it starts, nothing is known. */
export function refusesImages({ connection, agent }: SessionState): boolean {
  return connection.kind === 'ready' && !agent.capabilities.image;
}
