import type * as schema from '../../acp/schema/schema';
import type { Env } from '../process/environmentVariables';
import { withNetworkOf } from '../process/proxyEnvironment';
import { referencedSecrets, VariableError, type VariableScope } from '../variables';
import { readEnvFile, type EnvFile } from './envFile';
import type { McpServerConfig } from './mcpConfig';
import { expandMcpVariables } from './mcpVariables';

/** Where the values of `${…}` come from. */
export interface McpVariables {
  readonly scope: VariableScope;
  /** The value of `${input:id}`; undefined when the user gave none. @throws VariableError for an unknown id. */
  readonly input: (id: string) => Promise<string | undefined>;
  /** What agents are given, for servers to reach the network as they do. */
  readonly network?: Env;
}

/** A server that waits for an input which the user did not give: it is left out, without complaint. */
export class MissingInputError extends Error {}

/**
 * The server with its variables resolved, as ACP has it, and its values that logs must not show.
 * @param confirmed what the user has agreed to of its `envFile`, which is not read again
 * @throws VariableError with a sentence for the user; MissingInputError.
 */
export async function resolveMcpServer(
  config: McpServerConfig,
  variables: McpVariables,
  confirmed?: EnvFile,
): Promise<{ readonly server: schema.McpServer; readonly secrets: readonly string[] }> {
  const one = (text: string) => expand(text, variables);
  // One after the other: once an input is not given, nothing more is asked for.
  const pairs = async (record: Readonly<Record<string, string>>) => {
    const resolved: { name: string; value: string }[] = [];
    for (const [name, text] of Object.entries(record)) {
      resolved.push({ name, value: await one(text) });
    }
    return resolved;
  };
  const { name } = config;
  const { env: environment } = variables.scope;
  if (config.type !== 'stdio') {
    const headers = await pairs(config.headers);
    const server = { type: config.type, name, url: await one(config.url), headers };
    const inUrl = referencedSecrets([config.url, ...Object.values(config.headers)], environment);
    return { server, secrets: [...inUrl, ...headers.map(({ value }) => value)] };
  }
  const { envFile } = config;
  const file =
    envFile === undefined
      ? { variables: [] }
      : (confirmed ?? (await readEnvFile(await one(envFile), variables.scope)));
  if ('problem' in file) throw new VariableError(file.problem);
  const own = await pairs(config.env);
  const env = [
    ...file.variables.filter(({ name }) => own.every(pair => pair.name !== name)),
    ...own,
  ];
  const said = Object.fromEntries(env.map(pair => [pair.name, pair.value]));
  const network = Object.entries(withNetworkOf(variables.network ?? {}, said))
    .filter(([variable]) => !(variable in said))
    .map(([variable, value]) => ({ name: variable, value }));
  const args: string[] = [];
  for (const arg of config.args) args.push(await one(arg));
  const secret = env.filter(pair => /key|token|secret|passw|auth|credential/i.test(pair.name));
  return {
    server: { name, command: await one(config.command), args, env: [...network, ...env] },
    secrets: [
      ...referencedSecrets([...config.args, ...Object.values(config.env)], environment),
      ...secret.map(({ value }) => value),
    ],
  };
}

/** The servers that an agent with these capabilities can use; every agent can use stdio. */
export function usableBy(
  capabilities: schema.McpCapabilities,
  servers: readonly McpServerConfig[],
): readonly McpServerConfig[] {
  return servers.filter(({ type }) => type === 'stdio' || capabilities[type] === true);
}

async function expand(text: string, { scope, input }: McpVariables): Promise<string> {
  const ids = new Set([...text.matchAll(/\$\{input:([^}]*)\}/g)].map(match => match[1] ?? ''));
  const values = new Map<string, string>();
  for (const id of ids) {
    const value = await input(id);
    if (value === undefined) throw new MissingInputError(id);
    values.set(id, value);
  }
  // What was put in is not looked at again: a value may hold a dollar sign.
  return text
    .split(/(\$\{input:[^}]*\})/)
    .map(
      part =>
        values.get(/^\$\{input:(.*)\}$/.exec(part)?.[1] ?? '') ?? expandMcpVariables(part, scope),
    )
    .join('');
}
