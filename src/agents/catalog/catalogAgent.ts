/** An agent that Parley knows by name: how it is found, and what makes it speak ACP. */
export interface CatalogAgent {
  /** That of the public registry. */
  readonly id: string;
  readonly name: string;
  /** The program that speaks ACP, as it stands on the PATH. */
  readonly command: string;
  readonly args: readonly string[];
  /** Prints the program's version and does nothing else; absent where nothing is known to. */
  readonly versionArgs?: readonly string[];
  /** The agent's own program, where `command` is an adapter between it and ACP. */
  readonly adapts?: string;
  /** The kind as which that program is hosted without the adapter, where Parley can. */
  readonly kind?: 'claude' | 'codex';
  /** The npm package that brings `command`, for `npx` where it is not installed. */
  readonly npm?: string;
  readonly website: string;
  readonly signIn?: SignInTraces;
}

/** What can be looked at without starting the agent. */
export interface SignInTraces {
  /** Below the home folder: one of them is there once the user has signed in. */
  readonly files: readonly string[];
  /** Environment variables, one of which is as good as a sign-in. */
  readonly variables: readonly string[];
  /** Where a sign-in leaves no other trace, so that none of these means none. Elsewhere nothing is known then. */
  readonly completeOn?: readonly NodeJS.Platform[];
}
