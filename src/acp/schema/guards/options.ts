import type * as schema from '../schema';
import {
  boolean,
  isObject,
  list,
  name,
  shape,
  string,
  tagged,
  withDefault,
  type Guard,
} from './primitives';

/** Fills a missing name with the id: something must be shown. */
function namedBy<T>(idKey: string, guard: Guard<T>): Guard<T> {
  return value =>
    guard(isObject(value) && !name(value['name']) ? { ...value, name: value[idKey] } : value);
}

const mode = namedBy(
  'id',
  shape<schema.SessionMode>({ id: name, name: string }, { description: string }),
);

/** Modes; without a single good one there are none, and an unknown current one is the first. */
export const modes: Guard<schema.SessionModeState> = value => {
  const guarded = modeState(value);
  const first = guarded?.availableModes[0];
  if (guarded === undefined || first === undefined) return undefined;
  return guarded.currentModeId === '' ? { ...guarded, currentModeId: first.id } : guarded;
};

const modeState = shape<schema.SessionModeState>({
  availableModes: list(mode),
  currentModeId: withDefault(name, ''),
});

type Model = schema.SessionModelState['availableModels'][number];

const model = namedBy(
  'modelId',
  shape<Model>({ modelId: name, name: string }, { description: string }),
);

export const models: Guard<schema.SessionModelState> = value => {
  const guarded = modelState(value);
  const first = guarded?.availableModels[0];
  if (guarded === undefined || first === undefined) return undefined;
  return guarded.currentModelId === '' ? { ...guarded, currentModelId: first.modelId } : guarded;
};

const modelState = shape<schema.SessionModelState>({
  availableModels: list(model),
  currentModelId: withDefault(name, ''),
});

const choice = namedBy(
  'value',
  shape<schema.SessionConfigSelectOption>({ value: string, name: string }, { description: string }),
);

const group = namedBy(
  'group',
  shape<schema.SessionConfigSelectGroup>({
    group: withDefault(string, ''),
    name: string,
    options: list(choice),
  }),
);

const choiceOrGroup: Guard<
  schema.SessionConfigSelectOption | schema.SessionConfigSelectGroup
> = value => (isObject(value) && Array.isArray(value['options']) ? group(value) : choice(value));

const described = { description: string, category: name };

const knownOption = tagged<schema.SessionConfigOption>('type', {
  select: namedBy(
    'id',
    shape<schema.SessionConfigOption & schema.SessionConfigSelect>(
      { id: name, name: string, currentValue: string, options: list(choiceOrGroup) },
      described,
    ),
  ),
  boolean: namedBy(
    'id',
    shape<schema.SessionConfigOption & schema.SessionConfigBoolean>(
      { id: name, name: string, currentValue: boolean },
      described,
    ),
  ),
});

/** An option of a type Parley knows; others cannot be shown or set. */
const configOption: Guard<schema.SessionConfigOption> = value => {
  const type = isObject(value) ? value['type'] : undefined;
  return type === 'select' || type === 'boolean' ? knownOption(value) : undefined;
};

export const configOptions = list(configOption);
