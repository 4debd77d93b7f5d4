/** ACP's elicitation requests as the chat shows them. Soft: what is not known is named, nothing is lost. */
import type * as schema from '../../acp/schema/schema';
import * as l10n from '@vscode/l10n';
import { withoutEscapes } from '../../base/escapeSequences';
import type { ElicitationForm, ElicitationPage, FormChoice, FormField } from '../state/elicitation';

/** The form's own part of an elicitation. */
export function formOf(
  requested: schema.ElicitationSchema,
): Pick<ElicitationForm, 'kind' | 'title' | 'description' | 'fields'> {
  const required = new Set(requested.required ?? []);
  const fields = Object.entries(requested.properties ?? {}).map(([name, property]) =>
    fieldOf(name, property, required.has(name)),
  );
  return {
    kind: 'form',
    ...(requested.title && { title: withoutEscapes(requested.title) }),
    ...(requested.description && { description: withoutEscapes(requested.description) }),
    fields,
  };
}

function fieldOf(
  name: string,
  property: schema.ElicitationPropertySchema,
  required: boolean,
): FormField {
  const { title, description } = property as { title?: string; description?: string };
  const base = {
    name,
    label: withoutEscapes(title || name),
    ...(description && { description: withoutEscapes(description) }),
    required,
  };
  // Checked by the guards: the type decides the fields, and is one of the schema's or anything else.
  switch (property.type) {
    case 'string':
      return textOrChoice(base, property as schema.StringPropertySchema);
    case 'number':
    case 'integer': {
      const { minimum, maximum, default: value } = property as schema.NumberPropertySchema;
      return {
        ...base,
        kind: 'number',
        integer: property.type === 'integer',
        ...present({ value, minimum, maximum }),
      };
    }
    case 'boolean': {
      const { default: value } = property as schema.BooleanPropertySchema;
      return { ...base, kind: 'boolean', ...present({ value }) };
    }
    case 'array': {
      const { items, minItems, maxItems, ...rest } = property as schema.MultiSelectPropertySchema;
      const choices = choicesOf(items);
      const known = rest.default?.filter(each => choices.some(({ value }) => value === each));
      return {
        ...base,
        kind: 'choices',
        choices,
        ...present({ value: known, minItems, maxItems }),
      };
    }
    default:
      return { ...base, kind: 'unknown', type: String(property.type) };
  }
}

type Base = Pick<FormField, 'name' | 'label' | 'description' | 'required'>;

function textOrChoice(base: Base, property: schema.StringPropertySchema): FormField {
  const { minLength, maxLength, pattern, format, default: value } = property;
  const choices = property.oneOf?.map(choiceOf) ?? property.enum?.map(plainChoice);
  if (choices === undefined) {
    return {
      ...base,
      kind: 'text',
      ...present({ value, minLength, maxLength, pattern, format: format ?? undefined }),
    };
  }
  const known = choices.some(choice => choice.value === value);
  return { ...base, kind: 'choice', choices, ...present({ value: known ? value : undefined }) };
}

function choicesOf(items: schema.MultiSelectItems): readonly FormChoice[] {
  if ('anyOf' in items) return (items as schema.TitledMultiSelectItems).anyOf.map(choiceOf);
  return (items as schema.StringMultiSelectItems).enum.map(plainChoice);
}

function choiceOf(option: schema.EnumOption): FormChoice {
  return {
    value: option.const,
    label: withoutEscapes(option.title || option.const),
    ...(option.description && { description: withoutEscapes(option.description) }),
  };
}

function plainChoice(value: string): FormChoice {
  return { value, label: withoutEscapes(value) };
}

type Present<T> = { readonly [K in keyof T]?: NonNullable<T[K]> };

/** Without the fields that are absent or null. */
function present<T extends object>(fields: T): Present<T> {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(kept) as Present<T>;
}

/** The page's own part of an elicitation. */
export function pageOf(
  url: string,
  hostInLetters: (host: string) => string,
): Pick<ElicitationPage, 'kind' | 'url' | 'host' | 'lookalike' | 'refused' | 'opened'> {
  const page = { kind: 'page', url, opened: false } as const;
  if (!URL.canParse(url)) {
    return { ...page, host: '', refused: l10n.t('This is not a web address.') };
  }
  const { protocol, host, hostname } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') {
    return { ...page, host, refused: l10n.t('Parley opens only http and https addresses.') };
  }
  const letters = hostInLetters(hostname);
  return { ...page, host, ...(letters !== hostname && { lookalike: letters }) };
}
