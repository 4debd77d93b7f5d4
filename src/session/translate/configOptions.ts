/**
 * One list of options, whatever the agent offers. `configOptions` win; agents without them may offer
 * `modes`, and many still send the older `models`.
 */
import * as l10n from '@vscode/l10n';
import type * as schema from '../../acp/schema/schema';
import type { ConfigChoice, ConfigGroup, ConfigOption, ConfigSelect } from '../state/config';

/** Ids of the options made from `modes` and `models`; not an agent's, so they cannot collide. */
const MODE_ID = '@mode';
const MODEL_ID = '@model';

export function configOf(opened: schema.OpenedSession): readonly ConfigOption[] {
  const options = configFromOptions(opened.configOptions ?? []);
  const has = (category: string) => options.some(option => option.category === category);
  return [
    ...(opened.modes && !has('mode') ? [fromModes(opened.modes)] : []),
    ...(opened.models && !has('model') ? [fromModels(opened.models)] : []),
    ...options,
  ];
}

/** The agent's own options after a change, with those made from modes and models kept. */
export function configAfterUpdate(
  current: readonly ConfigOption[],
  sent: readonly schema.SessionConfigOption[],
): readonly ConfigOption[] {
  const options = configFromOptions(sent);
  const kept = current.filter(
    option =>
      option.source !== 'configOption' &&
      !options.some(({ category }) => category !== undefined && category === option.category),
  );
  return [...kept, ...options];
}

/** The option that stands for the session's mode (or model), and so follows `current_mode_update`. */
export function optionFor(
  options: readonly ConfigOption[],
  category: 'mode' | 'model',
): ConfigSelect | undefined {
  const matches = (option: ConfigOption): option is ConfigSelect =>
    option.type === 'select' && option.category === category;
  return options.find(matches);
}

function configFromOptions(
  options: readonly schema.SessionConfigOption[],
): readonly ConfigOption[] {
  return options.map(option => {
    const base = {
      id: option.id,
      name: option.name,
      source: 'configOption' as const,
      ...(typeof option.description === 'string' && { description: option.description }),
      ...(typeof option.category === 'string' && { category: option.category }),
    };
    return option.type === 'boolean'
      ? { ...base, type: 'boolean', value: option.currentValue }
      : { ...base, type: 'select', value: option.currentValue, groups: groupsOf(option.options) };
  });
}

function groupsOf(options: schema.SessionConfigSelectOptions): readonly ConfigGroup[] {
  const groups: { name?: string; choices: ConfigChoice[] }[] = [];
  for (const entry of options) {
    if ('group' in entry) {
      groups.push({ name: entry.name, choices: entry.options.map(choiceOf) });
      continue;
    }
    const last = groups.at(-1);
    if (last && last.name === undefined) last.choices.push(choiceOf(entry));
    else groups.push({ choices: [choiceOf(entry)] });
  }
  return groups;
}

function choiceOf(entry: schema.SessionConfigSelectOption): ConfigChoice {
  return {
    value: entry.value,
    name: entry.name,
    ...(typeof entry.description === 'string' && { description: entry.description }),
  };
}

function fromModes(modes: schema.SessionModeState): ConfigSelect {
  return {
    id: MODE_ID,
    name: l10n.t('Mode'),
    category: 'mode',
    source: 'mode',
    type: 'select',
    value: modes.currentModeId,
    groups: [
      {
        choices: modes.availableModes.map(({ id, name, description }) =>
          choiceOf({ value: id, name, description: description ?? null }),
        ),
      },
    ],
  };
}

function fromModels(models: schema.SessionModelState): ConfigSelect {
  return {
    id: MODEL_ID,
    name: l10n.t('Model'),
    category: 'model',
    source: 'model',
    type: 'select',
    value: models.currentModelId,
    groups: [
      {
        choices: models.availableModels.map(({ modelId, name, description }) =>
          choiceOf({ value: modelId, name, description: description ?? null }),
        ),
      },
    ],
  };
}
