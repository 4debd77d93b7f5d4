import { isRecord } from '../../base/isRecord';
import type { ConfigOption } from '../../session/state/config';
import type { OptionDefault, OptionDefaults } from '../../session/ports';

/** Values of options by their ids, by agents' names. */
export type DefaultsSetting = Readonly<Record<string, Readonly<Record<string, string | boolean>>>>;

/** The part of VS Code's Memento that is needed. */
export interface ChoiceStorage {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const KEY = 'parley.lastChoices';

/**
 * What comes back by itself in the next chat: how the agent thinks. What it may do (a mode, or anything
 * else of unknown meaning) comes back only when the user has written it down.
 */
const REMEMBERED = new Set(['model', 'model_config', 'thought_level']);

/** `parley.defaults`, and below it what was last chosen for each agent. */
export class ChosenDefaults implements OptionDefaults {
  constructor(
    private readonly setting: () => DefaultsSetting,
    private readonly storage: ChoiceStorage,
  ) {}

  of(agentName: string): readonly OptionDefault[] {
    const configured = valueOf(this.setting(), agentName) ?? {};
    const chosen = valueOf(this.chosen(), agentName) ?? {};
    return [
      ...Object.entries(chosen)
        .filter(([optionId]) => !Object.hasOwn(configured, optionId))
        .map(([optionId, value]) => ({ optionId, value, isConfigured: false })),
      ...Object.entries(configured).map(([optionId, value]) => ({
        optionId,
        value,
        isConfigured: true,
      })),
    ];
  }

  remember(agentName: string, option: ConfigOption, value: string | boolean): void {
    if (option.source === 'mode' || !REMEMBERED.has(option.category ?? '')) return;
    const chosen = this.chosen();
    // Last chosen, last applied: what a model offers may depend on the model.
    const { [option.id]: _, ...others } = valueOf(chosen, agentName) ?? {};
    void this.storage.update(KEY, { ...chosen, [agentName]: { ...others, [option.id]: value } });
  }

  private chosen(): DefaultsSetting {
    return readDefaults(this.storage.get(KEY)).defaults;
  }
}

/**
 * What can be used of `{ "<agent>": { "<option id>": value } }`.
 * @returns in `bad` the places that cannot: `agent`, or `agent.option`; an empty one for the whole
 */
export function readDefaults(value: unknown): {
  readonly defaults: DefaultsSetting;
  readonly bad: readonly string[];
} {
  if (value === undefined || value === null) return { defaults: {}, bad: [] };
  if (!isRecord(value)) return { defaults: {}, bad: [''] };
  const bad: string[] = [];
  const agents: [string, Record<string, string | boolean>][] = [];
  for (const [agent, options] of Object.entries(value)) {
    if (!isRecord(options)) {
      bad.push(agent);
      continue;
    }
    const good: [string, string | boolean][] = [];
    for (const [optionId, choice] of Object.entries(options)) {
      if (typeof choice === 'string' || typeof choice === 'boolean') good.push([optionId, choice]);
      else bad.push(`${agent}.${optionId}`);
    }
    if (good.length > 0) agents.push([agent, Object.fromEntries(good)]);
  }
  return { defaults: Object.fromEntries(agents), bad };
}

/** Names are the user's: one may be called like something that every object has. */
function valueOf<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
