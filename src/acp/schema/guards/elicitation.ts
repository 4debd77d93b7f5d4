/** What the agent asks the user: forms and pages. */
import type * as schema from '../schema';
import {
  boolean,
  count,
  isObject,
  list,
  name,
  nullable,
  number,
  shape,
  string,
  tagged,
  withDefault,
  type Guard,
} from './primitives';

const text: Guard<string> = value => (typeof value === 'string' ? value : undefined);

/** A choice without its title is called by its value. */
const enumOption: Guard<schema.EnumOption> = value => {
  if (!isObject(value)) return undefined;
  return knownEnumOption(
    value['title'] === undefined ? { ...value, title: value['const'] } : value,
  );
};

const knownEnumOption = shape<schema.EnumOption>(
  { const: text, title: string },
  { description: string },
);

const label = { title: string, description: string };

const items: Guard<schema.MultiSelectItems> = value => {
  if (!isObject(value)) return undefined;
  return (Array.isArray(value['anyOf']) ? titledItems : plainItems)(value);
};

const titledItems = shape<schema.TitledMultiSelectItems>({
  anyOf: list(enumOption),
}) as Guard<schema.MultiSelectItems>;

const plainItems = shape<schema.StringMultiSelectItems>({
  enum: list(text),
}) as Guard<schema.MultiSelectItems>;

/** Fields of types that Parley does not know pass, to be named. A malformed limit is none. */
const property = tagged<schema.ElicitationPropertySchema>('type', {
  string: shape<schema.StringPropertySchema>(
    {},
    {
      ...label,
      minLength: count,
      maxLength: count,
      pattern: text,
      format: name,
      default: text,
      enum: list(text),
      oneOf: list(enumOption),
    },
  ),
  number: shape<schema.NumberPropertySchema>(
    {},
    { ...label, minimum: number, maximum: number, default: number },
  ),
  integer: shape<schema.IntegerPropertySchema>(
    {},
    { ...label, minimum: number, maximum: number, default: number },
  ),
  boolean: shape<schema.BooleanPropertySchema>({}, { ...label, default: boolean }),
  array: shape<schema.MultiSelectPropertySchema>(
    { items },
    { ...label, minItems: count, maxItems: count, default: list(text) },
  ),
});

/** A property that is none is kept, as one of an unknown type: a form must not lose a question. */
const properties: Guard<Readonly<Record<string, schema.ElicitationPropertySchema>>> = value => {
  if (!isObject(value)) return undefined;
  const guarded = Object.entries(value).map(
    ([key, raw]) => [key, property(raw) ?? { type: 'unknown' }] as const,
  );
  return guarded.every(([key, kept]) => kept === value[key])
    ? (value as Record<string, schema.ElicitationPropertySchema>)
    : Object.fromEntries(guarded);
};

const requestedSchema = shape<schema.ElicitationSchema>(
  { properties: withDefault(properties, {}) },
  { title: string, description: string, required: list(text) },
);

/** Tied to a session or, before there is one, to a request of ours. */
const scope = { sessionId: name, toolCallId: name, requestId: nullable(requestId) };

function requestId(value: unknown): string | number | undefined {
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

/** Modes that Parley does not know pass, to be refused in so many words. */
export const createElicitation: Guard<schema.CreateElicitationRequest> = tagged('mode', {
  form: shape<FormRequest>({ message: withDefault(string, ''), requestedSchema }, scope),
  url: shape<PageRequest>(
    { message: withDefault(string, ''), elicitationId: name, url: text },
    scope,
  ),
});

interface Scope {
  readonly sessionId?: string;
  readonly toolCallId?: string;
  readonly requestId?: string | number | null;
}

interface FormRequest extends Scope {
  readonly message: string;
  readonly requestedSchema: schema.ElicitationSchema;
}

interface PageRequest extends Scope {
  readonly message: string;
  readonly elicitationId: string;
  readonly url: string;
}

export const completeElicitation = shape<schema.CompleteElicitationNotification>({
  elicitationId: name,
});
