/** What a session has used of its context, of money and of the subscription. */
export interface Usage {
  /** Tokens in the context window now. */
  readonly used?: number;
  /** Size of the context window in tokens. */
  readonly size?: number;
  readonly cost?: { readonly amount: number; readonly currency: string };
  /** What is used of the subscription, by window of time. */
  readonly limits?: readonly UsageLimit[];
}

export interface UsageLimit {
  /** As the agent calls it. */
  readonly window: string;
  /** For users: `5 hours`. */
  readonly name: string;
  /** In percent; absent when the agent does not say. */
  readonly used?: number;
  /** When the window ends. */
  readonly resetsAt?: number;
  readonly state: 'allowed' | 'warning' | 'reached';
}

/** From here on the user is warned, in percent. */
export const HIGH_USAGE = 80;
