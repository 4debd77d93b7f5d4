import { behaviourOf } from './behaviour';
import { AGENTS, isAgentKey, type AgentKey } from './manifest';

/** The agents that this run is about: those named in PARLEY_AGENTS, or all. */
export function chosenAgents(): AgentKey[] {
  const named = (process.env['PARLEY_AGENTS'] ?? '').split(',').filter(isAgentKey);
  return named.length > 0 ? named : (Object.keys(AGENTS) as AgentKey[]);
}

/** Those of them in this program's window: every second one where PARLEY_WINDOW is 0 or 1. */
export function agentsInWindow(): AgentKey[] {
  const window = process.env['PARLEY_WINDOW'];
  const shown = chosenAgents().filter(key => !behaviourOf(key).isWireOnly);
  return shown.filter((_, index) => window === undefined || index % 2 === Number(window));
}
