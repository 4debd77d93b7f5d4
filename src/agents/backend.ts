/** What the supervisor needs of whatever runs agents: the port that backends implement. */
import type { TrafficTap } from '../acp/transport/transport';
import type { Logger } from '../base/logger';
import type { AgentError, AgentLink } from '../session/ports';
import type { AuthMethod, Problem } from '../session/state/state';
import type { AgentLimitSettings } from './backends/acp/agentLimits';
import type { AgentSecrets, SignInPrompts } from './signIn';
import type { Env } from './process/environmentVariables';
import type { ProxySettings } from './process/proxyEnvironment';
import type { ProcessTracker } from './process/processTracker';

/** What Parley has to give to backends. */
export interface BackendHost {
  readonly logger: Logger;
  readonly processes: ProcessTracker;
  /** The login shell's environment; `fresh` asks the shell again. */
  readonly environment: { get(fresh?: boolean): Promise<Env> };
  /** How programs reach the network, as far as the shell does not say it. Read at each start. */
  readonly proxy?: () => ProxySettings;
  /** Read whenever one is needed: what the user changes counts at once. */
  readonly settings: () => AgentLimitSettings;
  /** Absolute path of the first workspace folder, if one is open. Read at each start. */
  readonly workspaceFolder: () => string | undefined;
  /** Parley's own version. */
  readonly clientVersion: string;
  /** Sees the traffic with the agent, unmasked. */
  readonly tap?: TrafficTap;
  /** Gets the values of variables at each start, for the logs to mask. */
  readonly onSecrets?: (values: readonly string[]) => void;
  /** Takes secrets out of what users see, or may hand on. */
  readonly mask?: (text: string) => string;
  /** Without them only methods that the agent carries out itself work. */
  readonly signIn?: SignInPrompts;
  readonly secrets?: AgentSecrets;
  /** Sees each line of the agent's stderr. By default they go to the logger. */
  readonly onStderr?: (line: string) => void;
}

/** One start of an agent. */
export interface Start {
  readonly host: BackendHost;
  /** What the last start lacked may be there now: nothing that was read before may be used again. */
  readonly isFresh: boolean;
  /** The agent runs, or is connected, and is asked to get ready. @param command one line for the user */
  onInitialize(command: string, timeoutSeconds: number): void;
  /** A start that fails says when nothing is left of it. @param stopped never rejects */
  onStopping(stopped: Promise<void>): void;
}

/** An agent that is ready. */
export interface RunningAgent {
  readonly link: AgentLink;
  readonly account: Account;
  /** Resolves with the cause when the agent is gone by itself, after all it sent. Never rejects. */
  readonly closed: Promise<Problem>;
  /**
   * Ends the agent. Open and later requests of the link reject with `reason`. Resolves when nothing is left;
   * never rejects.
   */
  stop(reason: AgentError): Promise<void>;
}

/** How users sign in to an agent. It can be asked also after the agent has stopped. */
export interface Account {
  readonly methods: readonly AuthMethod[];
  /** The agent wants to know when the user signs out. */
  readonly signsOut: boolean;
  /**
   * @param connect gets the link of the agent, started if need be
   * @returns `restart` when the user has signed in for the next start, undefined when they gave up
   * @throws Error in the user's words
   */
  signIn(
    methodId: string,
    connect: () => Promise<AgentLink>,
    signal: AbortSignal,
  ): Promise<'done' | 'restart' | undefined>;
}

/** Runs agents of one kind. */
export interface Backend<Definition> {
  /** @throws AgentError with what the user should know; the signal's reason when aborted. */
  start(definition: Definition, start: Start, signal: AbortSignal): Promise<RunningAgent>;
}
