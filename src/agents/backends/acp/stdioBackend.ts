/** Agents that are programs on this machine and speak ACP on stdin and stdout. */
import { orAborted } from '../../../base/orAborted';
import { AgentError } from '../../../session/ports';
import type { Backend, BackendHost } from '../../backend';
import type { StdioAgent } from '../../definitions';
import { agentMark } from '../../process/processMark';
import type { LaunchSpec } from '../../process/agentProcess';
import { mergeEnv, withoutEditorVariables } from '../../process/environmentVariables';
import { proxySecrets, usedProxy, withProxy, type UsedProxy } from '../../process/proxyEnvironment';
import { planLaunch } from '../../process/launch';
import { namedSecrets, referencedSecrets } from '../../variables';

export const stdioBackend: Backend<StdioAgent> = {
  async start(definition, start, signal) {
    const { host, isFresh } = start;
    // The wire and what it needs: half of the host's code. It loads while the shell is asked.
    const [{ spec, proxy }, { startProgram }] = await Promise.all([
      launchSpec(definition, host, isFresh, signal),
      import('./startProgram'),
    ]);
    const launch = async (signIn: AbortSignal) =>
      (await launchSpec(definition, host, false, signIn)).spec;
    // Not what signs in, in a terminal of the user's.
    const env = { ...spec.env, ...agentMark(definition.name) };
    return startProgram(definition, { ...spec, env }, launch, start, signal, proxy);
  },
};

/** What to run, and in which environment. @throws AgentError */
async function launchSpec(
  definition: StdioAgent,
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
