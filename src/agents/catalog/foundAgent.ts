import type { ClaudeCodeAgent, CodexAgent, StdioAgent } from '../definitions';
import type { Env } from '../process/environmentVariables';

/** An agent of the catalog that is installed here. Plain JSON: it is remembered from window to window. */
export interface FoundAgent {
  readonly id: string;
  readonly name: string;
  /** Absolute path of the program. */
  readonly path: string;
  readonly args: readonly string[];
  /** How it is spoken to; absent for a program that speaks ACP. */
  readonly kind?: 'claude' | 'codex';
  readonly version?: string;
  /** Absent where nothing says whether the user has signed in. */
  readonly signedIn?: boolean;
  /** When the program last changed: it is asked for its version again only if it has. */
  readonly changedAt: number;
}

/** An agent that can be started once the user has agreed to what is run. */
export interface AgentOffer {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Env;
  /** What brings it: `npx` downloads it, or another program's settings name it. */
  readonly from: 'npm' | 'zed' | 'vscode';
  /** The agent's own program is here, and only its adapter is missing. */
  readonly isHalfThere?: boolean;
}

export function foundDefinition({
  name,
  path,
  args,
  kind,
}: FoundAgent): StdioAgent | ClaudeCodeAgent | CodexAgent {
  return { kind: kind ?? 'stdio', name, command: path, args, env: {}, environment: 'loginShell' };
}
