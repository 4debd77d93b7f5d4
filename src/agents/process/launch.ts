/** From what the user configured to what can be started. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Problem } from '../../session/state/state';
import type { LaunchSpec } from './agentProcess';
import { isFolder, resolveCommand } from './commandResolution';
import type { ProgramAgent } from '../definitions';
import { mergeEnv, type Env } from './environmentVariables';
import { badConfiguration } from '../problems';
import { commandNotFound, notExecutable } from '../startProblems';
import { expandVariables, VariableError, type VariableScope } from '../variables';

export type LaunchPlan =
  | { readonly kind: 'spec'; readonly spec: LaunchSpec }
  | { readonly kind: 'problem'; readonly problem: Problem; readonly searched?: readonly string[] };

/**
 * Expands the variables of `definition` and finds its command.
 * @param env what the agent's environment is based on.
 * @param workspaceFolder absolute; undefined when no folder is open.
 */
export async function planLaunch(
  definition: ProgramAgent,
  env: Env,
  workspaceFolder: string | undefined,
): Promise<LaunchPlan> {
  const { name } = definition;
  const home = homedir();
  const scope: VariableScope = { home, env, ...(workspaceFolder ? { workspaceFolder } : {}) };
  let expanded: Pick<ProgramAgent, 'command' | 'args' | 'env' | 'cwd'>;
  try {
    expanded = expand(definition, scope);
  } catch (error) {
    if (!(error instanceof VariableError)) throw error;
    return { kind: 'problem', problem: badConfiguration(name, error.message) };
  }
  const cwd = resolve(workspaceFolder ?? home, expanded.cwd ?? '');
  // Checked here because `spawn` reports a missing folder as a missing command.
  if (!isFolder(cwd)) {
    const problem = badConfiguration(name, l10n.t('The folder {0} does not exist.', cwd));
    return { kind: 'problem', problem };
  }
  const fullEnv = mergeEnv(env, expanded.env);
  const found = await resolveCommand(expanded.command, fullEnv, cwd);
  switch (found.kind) {
    case 'found':
      return {
        kind: 'spec',
        spec: { command: found.path, args: expanded.args, env: fullEnv, cwd },
      };
    case 'notExecutable':
      return { kind: 'problem', problem: notExecutable(name, found.path) };
    case 'notFound':
      return {
        kind: 'problem',
        problem: commandNotFound(name, expanded.command, found.searched, found.isPath),
        searched: found.searched,
      };
  }
}

function expand(definition: ProgramAgent, scope: VariableScope) {
  const { command, args, env, cwd } = definition;
  const one = (text: string) => expandVariables(text, scope);
  return {
    command: one(command),
    args: args.map(one),
    env: Object.fromEntries(Object.entries(env).map(([key, text]) => [key, one(text)])),
    ...(cwd === undefined ? {} : { cwd: one(cwd) }),
  };
}
