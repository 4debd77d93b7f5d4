import * as l10n from '@vscode/l10n';
import type * as schema from '../../../acp/schema/schema';
import type { Account, BackendHost } from '../../backend';
import type { LaunchSpec } from '../../process/agentProcess';
import { signInCommand } from '../../signIn';
import { shownMethod, signInMethods, type SignInMethod } from './authMethods';

/**
 * How users sign in to an agent, by what it answered to `initialize`.
 * @param launch how its program starts; without one, only what the agent carries out itself is offered: a
 *   server has no say in what runs here, and no use for variables of this machine
 */
export function accountOf(
  agentName: string,
  initialized: schema.InitializeResponse,
  host: BackendHost,
  launch?: (signal: AbortSignal) => Promise<LaunchSpec>,
): Account {
  const methods = signInMethods(initialized).filter(({ type }) => launch || type === 'agent');

  async function signInByTerminal(
    method: Extract<SignInMethod, { type: 'terminal' }>,
    start: (signal: AbortSignal) => Promise<LaunchSpec>,
    signal: AbortSignal,
  ): Promise<'restart' | undefined> {
    if (!host.signIn) throw new Error(l10n.t('There is no terminal to sign in with.'));
    const command = await signInCommand(method, await start(signal));
    const code = await host.signIn.runInTerminal(method.name, command, signal);
    if (code === undefined || signal.aborted) return undefined;
    if (code !== 0) {
      throw new Error(
        l10n.t('Sign-in ended with exit code {0}. Try again, or sign in another way.', code),
      );
    }
    return 'restart';
  }

  async function signInByVariables(
    method: Extract<SignInMethod, { type: 'env_var' }>,
    signal: AbortSignal,
  ): Promise<'restart' | undefined> {
    const variables = await host.signIn?.askVariables(agentName, method, signal);
    if (!variables || signal.aborted) return undefined;
    host.onSecrets?.(Object.values(variables));
    await host.secrets?.add(agentName, variables);
    return 'restart';
  }

  return {
    methods: methods.map(shownMethod),
    signsOut: initialized.agentCapabilities?.auth?.logout != null,
    async signIn(methodId, connect, signal) {
      const method = methods.find(({ id }) => id === methodId);
      if (method?.type === 'terminal' && launch) return signInByTerminal(method, launch, signal);
      if (method?.type === 'env_var') return signInByVariables(method, signal);
      const link = await connect();
      await link.authenticate({ methodId }, signal);
      return 'done';
    },
  };
}
