/** Agents that run elsewhere and speak ACP over a network. No process of theirs is ours. */
import { homedir } from 'node:os';
import { orAborted } from '../../../base/orAborted';
import { AgentError } from '../../../session/ports';
import type { Backend, BackendHost } from '../../backend';
import type { RemoteAgent } from '../../definitions';
import { badConfiguration } from '../../problems';
import { remoteUrlProblem } from '../../remoteUrl';
import { expandVariables, referencedValues, VariableError } from '../../variables';

/** Where to connect to; all variables expanded. */
export interface RemoteAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
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
  { name, url, headers }: RemoteAgent,
  { environment, workspaceFolder: folder, onSecrets }: BackendHost,
  isFresh: boolean,
  signal: AbortSignal,
): Promise<RemoteAddress> {
  const texts = [url, ...Object.values(headers)];
  const needsVariables = texts.some(text => text.includes('${'));
  const env = needsVariables ? await orAborted(environment.get(isFresh), signal) : {};
  const workspaceFolder = folder();
  const scope = { home: homedir(), env, ...(workspaceFolder !== undefined && { workspaceFolder }) };
  try {
    const expanded = Object.entries(headers).map(
      ([key, text]) => [key, expandVariables(text, scope)] as const,
    );
    // What goes into headers and addresses from outside is there to let the user in.
    onSecrets?.([...referencedValues(texts, env), ...expanded.map(([, text]) => text)]);
    const address = { url: expandVariables(url, scope), headers: Object.fromEntries(expanded) };
    const problem = remoteUrlProblem(address.url);
    if (problem !== undefined) throw new AgentError(badConfiguration(name, problem));
    return address;
  } catch (error) {
    if (!(error instanceof VariableError)) throw error;
    throw new AgentError(badConfiguration(name, error.message), { cause: error });
  }
}
