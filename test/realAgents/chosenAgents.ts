import { AGENTS, isAgentKey, type AgentKey } from './manifest';

/** The agents that this run is about: those named in PARLEY_AGENTS, or all. */
export function chosenAgents(): AgentKey[] {
  const named = (process.env['PARLEY_AGENTS'] ?? '').split(',').filter(isAgentKey);
  return named.length > 0 ? named : (Object.keys(AGENTS) as AgentKey[]);
}
