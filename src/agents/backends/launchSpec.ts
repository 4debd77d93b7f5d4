import { orAborted } from '../../base/orAborted';
import { AgentError } from '../../session/ports';
import type { BackendHost } from '../backend';
import type { ProgramAgent } from '../definitions';
import type { LaunchSpec } from '../process/agentProcess';
import { mergeEnv, withoutEditorVariables } from '../process/environmentVariables';
import { planLaunch } from '../process/launch';
import { proxySecrets, usedProxy, withProxy, type UsedProxy } from '../process/proxyEnvironment';
import { namedSecrets, referencedSecrets } from '../variables';

/** What to run, and in which environment. @throws AgentError */
export async function launchSpec(
  definition: ProgramAgent,
  { environment, workspaceFolder, secrets, onSecrets, logger, proxy }: BackendHost,
  isFresh: boolean,
  signal: AbortSignal,
): Promise<{ readonly spec: LaunchSpec; readonly proxy: UsedProxy | undefined }> {
  const { name, command, args, env: configured } = definition;
  const own =
    definition.environment === 'editor'
      ? withoutEditorVariables(process.env)
      : await orAborted(environment.get(isFresh), signal);
  const env = proxy ? withProxy(own, proxy()) : own;
  onSecrets?.([
    ...referencedSecrets([command, ...args, ...Object.values(configured)], env),
    ...namedSecrets(env),
    ...proxySecrets(env),
  ]);
  const plan = await orAborted(planLaunch(definition, env, workspaceFolder()), signal);
  if (plan.kind === 'problem') {
    if (plan.searched) logger.info(`"${command}" is not in any of:\n${plan.searched.join('\n')}`);
    throw new AgentError(plan.problem);
  }
  const stored = (await secrets?.get(name)) ?? {};
  onSecrets?.([...Object.values(stored), ...proxySecrets(plan.spec.env)]);
  const spec = { ...plan.spec, env: mergeEnv(plan.spec.env, stored) };
  return { spec, proxy: usedProxy(spec.env, { ...configured, ...stored }, own) };
}
