/** Agents that run elsewhere and speak ACP over a network. No process of theirs is ours. */
import { homedir } from 'node:os';
import { orAborted } from '../../../base/orAborted';
import { AgentError } from '../../../session/ports';
import type { Backend, BackendHost } from '../../backend';
import type { RemoteAgent } from '../../definitions';
import { badConfiguration } from '../../problems';
import { remoteUrlProblem } from '../../remoteUrl';
import { expandVariables, inputNames, referencedValues, VariableError } from '../../variables';
import { secretsOfUrl } from './partsOfUrl';
import { remoteInputs } from './remoteInputs';

/** Where to connect to; all variables expanded. */
export interface RemoteAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Names of the values in it that the user was asked for. */
  readonly inputs: readonly string[];
}

export const remoteBackend: Backend<RemoteAgent> = {
  async start(definition, start, signal) {
    const [address, { startRemote }] = await Promise.all([
      addressOf(definition, start.host, start.isFresh, signal),
      import('./startRemote'),
    ]);
    return startRemote(definition, address, start, signal);
  },
};

/** @throws AgentError */
async function addressOf(
  definition: RemoteAgent,
  host: BackendHost,
  isFresh: boolean,
  signal: AbortSignal,
): Promise<RemoteAddress> {
  const { name, url, headers } = definition;
  const texts = [url, ...Object.values(headers)];
  const needsVariables = texts.some(text => text.includes('${'));
  const env = needsVariables ? await orAborted(host.environment.get(isFresh), signal) : {};
  const inputs = inputNames(texts);
  const workspaceFolder = host.workspaceFolder();
  try {
    const scope = {
      home: homedir(),
      env,
      ...(workspaceFolder !== undefined && { workspaceFolder }),
      inputs: await remoteInputs(definition, inputs, host, signal),
    };
    const expanded = Object.entries(headers).map(
      ([key, text]) => [key, expandVariables(text, scope)] as const,
    );
    const address = { url: expandVariables(url, scope), headers: Object.fromEntries(expanded) };
    // What goes into headers and addresses from outside is there to let the user in.
    host.onSecrets?.([
      ...referencedValues(texts, env),
      ...Object.values(scope.inputs),
      ...Object.values(address.headers),
      ...secretsOfUrl(address.url),
    ]);
    const problem = remoteUrlProblem(address.url, url);
    if (problem !== undefined) throw new AgentError(badConfiguration(name, problem));
    return { ...address, inputs };
  } catch (error) {
    if (!(error instanceof VariableError)) throw error;
    throw new AgentError(badConfiguration(name, error.message), { cause: error });
  }
}
