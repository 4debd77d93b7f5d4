/** A request of the agent as one of the schema's. */
export interface IncomingRequest {
  readonly method: string;
  readonly params: unknown;
  /** `session/update` notifications that the agent says with it: they come first. */
  readonly updates?: readonly unknown[];
  /** Puts the schema's answer into the agent's shape. */
  readonly answer?: (response: never) => object;
}

/** A request that needs nothing but these updates to be answered. */
export interface AnsweredRequest {
  readonly updates: readonly unknown[];
  readonly answered: object;
}
