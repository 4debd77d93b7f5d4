import * as l10n from '@vscode/l10n';
import type { LaunchSpec } from './process/agentProcess';
import type { SignInMethod } from './backends/acp/authMethods';
import { resolveCommand } from './process/commandResolution';
import { mergeEnv, type Env } from './process/environmentVariables';

/** What signing in needs of the user. */
export interface SignInPrompts {
  /**
   * Runs a command in a terminal that the user sees and types in. Resolves with its exit code when it
   * ends, or with undefined when the user closes the terminal, as aborting `signal` does.
   */
  runInTerminal(
    title: string,
    command: LaunchSpec,
    signal: AbortSignal,
  ): Promise<number | undefined>;
  /** Asks for the method's variables; undefined when the user gives up. Aborting `signal` takes the question back. */
  askVariables(
    agentName: string,
    method: Extract<SignInMethod, { type: 'env_var' }>,
    signal: AbortSignal,
  ): Promise<Env | undefined>;
}

/** Credentials that users typed in, by agent; kept where the system keeps secrets. */
export interface AgentSecrets {
  /** Environment variables for the agent's process. */
  get(agentName: string): Promise<Env>;
  add(agentName: string, variables: Env): Promise<void>;
  forget(agentName: string): Promise<void>;
}

/**
 * The command of a `terminal` method: the agent's own with the method's arguments added, or the one that
 * the method names, found as the agent's own would be.
 * @param agent how the agent is started
 * @throws Error in the user's words when there is no such command.
 */
export async function signInCommand(
  method: Extract<SignInMethod, { type: 'terminal' }>,
  agent: LaunchSpec,
): Promise<LaunchSpec> {
  const env = mergeEnv(agent.env, method.env);
  if (method.command === undefined) return { ...agent, args: [...agent.args, ...method.args], env };
  const found = await resolveCommand(method.command, env, agent.cwd);
  if (found.kind !== 'found') {
    throw new Error(
      l10n.t(
        'The sign-in command "{0}" was not found. Install it, then try again.',
        method.command,
      ),
    );
  }
  return { command: found.path, args: method.args, env, cwd: agent.cwd };
}
