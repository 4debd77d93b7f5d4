/** What agents are held to, by the user's settings. */
export interface AgentLimits {
  /** Seconds until `initialize` must be answered. */
  readonly initializeSeconds: number;
  /** Until authentication by the agent itself must have ended: a person may have to do something. */
  readonly signInSeconds: number;
  /** Until other requests must be answered; prompts have no limit, and opening a session one of its own. */
  readonly requestSeconds: number;
  /** Longest line that is read. */
  readonly maxLineBytes: number;
  /** Beyond it the agent is read more slowly; 0 for as many as it likes. */
  readonly updatesPerMinute: number;
}

/** What has to be said; the rest has defaults. */
export type AgentLimitSettings = Pick<AgentLimits, 'initializeSeconds' | 'maxLineBytes'> &
  Partial<AgentLimits>;

export const DEFAULT_LIMITS = { signInSeconds: 600, requestSeconds: 30, updatesPerMinute: 0 };

export function limitsOf(settings: AgentLimitSettings): AgentLimits {
  return { ...DEFAULT_LIMITS, ...settings };
}
