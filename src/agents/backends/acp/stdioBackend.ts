/** Agents that are programs on this machine and speak ACP on stdin and stdout. */
import { orAborted } from '../../../base/orAborted';
import { AgentError } from '../../../session/ports';
import type { Backend, BackendHost } from '../../backend';
import type { StdioAgent } from '../../definitions';
import { agentMark } from '../../process/agentChildren';
import type { LaunchSpec } from '../../process/agentProcess';
import { mergeEnv, withoutEditorVariables } from '../../process/environmentVariables';
import { planLaunch } from '../../process/launch';
import { referencedSecrets } from '../../variables';

export const stdioBackend: Backend<StdioAgent> = {
  async start(definition, start, signal) {
    const { host, isFresh } = start;
    // The wire and what it needs: half of the host's code. It loads while the shell is asked.
    const [spec, { startProgram }] = await Promise.all([
      launchSpec(definition, host, isFresh, signal),
      import('./startProgram'),
    ]);
    const launch = (signIn: AbortSignal) => launchSpec(definition, host, false, signIn);
    return startProgram(definition.name, spec, launch, start, signal);
  },
};

/** What to run, and in which environment. @throws AgentError */
async function launchSpec(
  definition: StdioAgent,
  { environment, workspaceFolder, secrets, onSecrets, logger }: BackendHost,
  isFresh: boolean,
  signal: AbortSignal,
): Promise<LaunchSpec> {
  const { name, command, args, env: configured } = definition;
  const env =
    definition.environment === 'editor'
      ? withoutEditorVariables(process.env)
      : await orAborted(environment.get(isFresh), signal);
  onSecrets?.(referencedSecrets([command, ...args, ...Object.values(configured)], env));
  const plan = await orAborted(planLaunch(definition, env, workspaceFolder()), signal);
  if (plan.kind === 'problem') {
    if (plan.searched) logger.info(`"${command}" is not in any of:\n${plan.searched.join('\n')}`);
    throw new AgentError(plan.problem);
  }
  const stored = (await secrets?.get(name)) ?? {};
  onSecrets?.(Object.values(stored));
  return { ...plan.spec, env: { ...mergeEnv(plan.spec.env, stored), ...agentMark(name) } };
}
