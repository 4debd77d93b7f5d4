import type { AgentLink } from '../ports';

/** Where a chat works. */
export interface SessionPlace {
  /** Absolute path of the session's working directory. */
  readonly cwd: string;
  /** The user's home, where it is known. */
  readonly home?: string;
  /** Further absolute paths the agent may work in (multi-root workspaces). */
  readonly additionalDirectories: readonly string[];
  /** Where files may be read and written: the folders that are open now, and nothing when none is. */
  readonly roots: readonly string[];
}

/** An open session: what a turn needs. */
export interface OpenSession {
  readonly link: AgentLink;
  readonly sessionId: string;
}
