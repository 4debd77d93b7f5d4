import type * as schema from '../../../acp/schema/schema';
import type { AuthMethod } from '../../../session/state/state';

/** A way to sign in to an agent, with all that carrying it out takes. */
export type SignInMethod = (
  | { readonly type: 'agent' }
  | {
      readonly type: 'terminal';
      /** Run instead of the agent's configured command, which `args` are added to otherwise. */
      readonly command?: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  | {
      readonly type: 'env_var';
      readonly variables: readonly SignInVariable[];
      /** The product that keeps them; by default they are kept in the system's secret storage. */
      readonly keeper?: string;
    }
) & { readonly id: string; readonly name: string; readonly description?: string };

/** An environment variable that an agent reads its credentials from. */
export interface SignInVariable {
  readonly name: string;
  readonly label: string;
  readonly isSecret: boolean;
  readonly isOptional: boolean;
}

/**
 * The agent's methods. Besides the schema's, `type: "env_var"` and `_meta["terminal-auth"]` are read: both
 * are older than it and still sent. What the schema says wins over what `_meta` adds.
 */
export function signInMethods(response: schema.InitializeResponse | undefined): SignInMethod[] {
  return (response?.authMethods ?? []).map(method => {
    const { id, name, description } = method;
    const base = { id, name, ...(description ? { description } : {}) };
    // The schema's type has no room for the older shapes.
    const { type, vars, varName, _meta } = method as OlderMethod;
    if (type === 'terminal') {
      const { args = [], env = {} } = method as schema.AuthMethodTerminal;
      return { ...base, type: 'terminal' as const, args, env };
    }
    if (type === 'env_var') {
      const listed = Array.isArray(vars) ? vars : [{ name: varName }];
      return { ...base, type: 'env_var' as const, variables: listed.flatMap(variable) };
    }
    const command = terminalCommand(_meta?.['terminal-auth']);
    return command ? { ...base, ...command } : { ...base, type: 'agent' as const };
  });
}

/** The method as chats show it. */
export function shownMethod({ id, name, description, type }: SignInMethod): AuthMethod {
  return { id, name, type, ...(description !== undefined && { description }) };
}

interface OlderMethod {
  readonly type?: string;
  readonly vars?: unknown;
  readonly varName?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>> | null;
}

function variable(value: unknown): SignInVariable[] {
  if (typeof value !== 'object' || value === null) return [];
  const { name, label, secret, optional } = value as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string' || !/^[A-Za-z_]\w*$/.test(name)) return [];
  return [
    {
      name,
      label: typeof label === 'string' && label !== '' ? label : name,
      isSecret: secret !== false,
      isOptional: optional === true,
    },
  ];
}

function terminalCommand(value: unknown) {
  if (typeof value !== 'object' || value === null) return undefined;
  const { command, args, env } = value as Readonly<Record<string, unknown>>;
  if (typeof command !== 'string' || command === '') return undefined;
  return {
    type: 'terminal' as const,
    command,
    args: Array.isArray(args) ? args.filter(arg => typeof arg === 'string') : [],
    env: texts(env),
  };
}

function texts(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
}
