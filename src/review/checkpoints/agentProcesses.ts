/** What runs below an agent's process. */
export interface AgentProcesses {
  /**
   * Names for its living children and what they started, each the same as long as it lives. Empty where nobody can
   * say, as on Windows: there a checkpoint closes with its turn.
   */
  children(agent: string): ReadonlySet<string>;
}
