/** Agents that are programs on this machine and speak ACP on stdin and stdout. */
import type { Backend } from '../../backend';
import type { StdioAgent } from '../../definitions';
import { agentMark } from '../../process/processMark';
import { launchSpec } from '../launchSpec';

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
