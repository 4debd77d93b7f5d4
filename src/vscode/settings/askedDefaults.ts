import type { DefaultsSetting } from './optionDefaults';

/** How agents start: which one, and with what options. */
export interface AgentDefaults {
  readonly defaultAgent: string;
  readonly defaults: DefaultsSetting;
}

/** An option that a workspace wants to be something else than the user has it. */
export interface AskedOption {
  readonly agent: string;
  readonly optionId: string;
  readonly value: string | boolean;
  /** The user's own value, if there is one. */
  readonly own?: string | boolean;
}

/** What of a workspace's values differs from the user's, and so is asked about. */
export interface AskedDefaults {
  readonly defaultAgent?: { readonly value: string; readonly own: string };
  readonly options: readonly AskedOption[];
}

/** @returns undefined when the workspace wants nothing that the user does not have */
export function askedDefaults(
  user: AgentDefaults,
  workspace: Partial<AgentDefaults>,
): AskedDefaults | undefined {
  const options = Object.entries(workspace.defaults ?? {}).flatMap(([agent, values]) =>
    Object.entries(values).flatMap(([optionId, value]): AskedOption[] => {
      const own = ownValue(user.defaults, agent, optionId);
      if (own === value) return [];
      return [{ agent, optionId, value, ...(own !== undefined && { own }) }];
    }),
  );
  const { defaultAgent: value = user.defaultAgent } = workspace;
  const isOther = value !== user.defaultAgent;
  if (!isOther && options.length === 0) return undefined;
  return { options, ...(isOther && { defaultAgent: { value, own: user.defaultAgent } }) };
}

/** The user's values with what was asked for in their place. */
export function withAsked(user: AgentDefaults, asked: AskedDefaults): AgentDefaults {
  const agents = new Map(Object.entries(user.defaults).map(([agent, values]) => [agent, values]));
  for (const { agent, optionId, value } of asked.options) {
    const values = Object.entries(agents.get(agent) ?? {}).filter(([id]) => id !== optionId);
    agents.set(agent, Object.fromEntries([...values, [optionId, value]]));
  }
  return {
    defaultAgent: asked.defaultAgent?.value ?? user.defaultAgent,
    defaults: Object.fromEntries(agents),
  };
}

function ownValue(
  defaults: DefaultsSetting,
  agent: string,
  optionId: string,
): string | boolean | undefined {
  const values = Object.hasOwn(defaults, agent) ? defaults[agent] : undefined;
  return values && Object.hasOwn(values, optionId) ? values[optionId] : undefined;
}
