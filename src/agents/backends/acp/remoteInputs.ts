import * as l10n from '@vscode/l10n';
import { orAborted } from '../../../base/orAborted';
import { AgentError } from '../../../session/ports';
import type { BackendHost } from '../../backend';
import type { RemoteAgent } from '../../definitions';
import { problem } from '../../problems';
import type { Env } from '../../process/environmentVariables';
import { shownHost, shownOrigin } from './partsOfUrl';

/**
 * Values of `${input:…}` in a server's address and headers: asked for once, then kept in the secret storage with what else is
 * kept of the agent there: for this server, so that an agent whose address changes sends nothing of it to another. Signing
 * out forgets them, and so does a server that answers 401.
 * @throws AgentError when the user gives none
 */
export async function remoteInputs(
  { name, url }: RemoteAgent,
  inputs: readonly string[],
  { secrets, signIn }: Pick<BackendHost, 'secrets' | 'signIn'>,
  signal: AbortSignal,
): Promise<Env> {
  if (inputs.length === 0) return {};
  const key = (input: string): string => `${input}@${shownOrigin(url)}`;
  const stored = (await secrets?.get(name)) ?? {};
  const known = Object.fromEntries(
    inputs.flatMap(input => {
      const value = stored[key(input)];
      return value === undefined ? [] : [[input, value] as const];
    }),
  );
  const missing = inputs.filter(input => known[input] === undefined);
  if (missing.length === 0) return known;
  const variables = missing.map(input => ({
    name: input,
    label: input,
    isSecret: true,
    isOptional: false,
  }));
  const method = { type: 'env_var', id: 'inputs', name: shownHost(url), variables } as const;
  const asked = await orAborted(
    Promise.resolve(signIn?.askVariables(name, method, signal)),
    signal,
  );
  if (!asked) throw new AgentError(notGiven(name, missing));
  await secrets?.add(
    name,
    Object.fromEntries(Object.entries(asked).map(([input, value]) => [key(input), value])),
  );
  return { ...known, ...asked };
}

function notGiven(agent: string, missing: readonly string[]) {
  return problem('badConfiguration', {
    title: l10n.t('{0} was not connected', agent),
    detail: [
      l10n.t('Its headers or its address need {0}.', missing.join(', ')),
      l10n.t("Try again to enter it. It is kept in the system's secret storage."),
    ],
    actions: ['retry', 'editAgents'],
  });
}
