/** Whether what was filled in is what a form asks for. Pure: the host checks with it before it answers. */
import * as l10n from '@vscode/l10n';
import { assertNever } from '../../base/assertNever';
import type {
  ChoiceField,
  ChoicesField,
  FormField,
  FormValue,
  FormValues,
  NumberField,
  TextField,
} from './elicitation';

export interface CheckedAnswer {
  /** What to send: only what was filled in, each of the type its field asks for. */
  readonly content: Readonly<Record<string, FormValue>>;
  /** What is wrong, in sentences, by the name of the field; empty when `content` may be sent. */
  readonly problems: Readonly<Record<string, string>>;
}

/** Whether `pattern` matches somewhere in `text`; undefined when it is no pattern, or takes too long. */
export type PatternTest = (pattern: string, text: string) => boolean | undefined;

/** @param matches leave it out where the agent's patterns must not run: they are not checked then. */
export function checkAnswer(
  fields: readonly FormField[],
  values: FormValues,
  matches?: PatternTest,
): CheckedAnswer {
  const content: Record<string, FormValue> = {};
  const problems: Record<string, string> = {};
  for (const field of fields) {
    const { name } = field;
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const checked = checkField(field, value, matches);
    if (checked.problem !== undefined) problems[name] = checked.problem;
    else if (checked.value !== undefined) content[name] = checked.value;
  }
  return { content, problems };
}

interface Checked {
  readonly value?: FormValue;
  readonly problem?: string;
}

function checkField(
  field: FormField,
  value: FormValue | undefined,
  matches: PatternTest | undefined,
): Checked {
  switch (field.kind) {
    case 'text':
      return checkText(field, value, matches);
    case 'number':
      return checkNumber(field, value);
    case 'boolean':
      if (typeof value === 'boolean') return { value };
      return field.required ? missing() : {};
    case 'choice':
      return checkChoice(field, value);
    case 'choices':
      return checkChoices(field, value);
    case 'unknown':
      if (!field.required) return {};
      return {
        problem: l10n.t(
          'This cannot be filled in here. Decline, and answer the agent in a message.',
        ),
      };
    default:
      return assertNever(field);
  }
}

function checkText(
  field: TextField,
  value: FormValue | undefined,
  matches: PatternTest | undefined,
): Checked {
  // An empty text is none, unless nothing else can be meant.
  if (value === undefined || value === '') {
    if (!field.required) return {};
    return missing();
  }
  if (typeof value !== 'string') return wrong();
  const length = [...value].length;
  if (field.minLength !== undefined && length < field.minLength) {
    return { problem: l10n.t('Enter at least {0} characters.', field.minLength) };
  }
  if (field.maxLength !== undefined && length > field.maxLength) {
    return { problem: l10n.t('Enter at most {0} characters.', field.maxLength) };
  }
  const format = formatProblem(field.format, value);
  if (format !== undefined) return { problem: format };
  if (field.pattern !== undefined && matches?.(field.pattern, value) === false) {
    return { problem: l10n.t('Must match the pattern {0}', field.pattern) };
  }
  return { value };
}

function formatProblem(format: string | undefined, text: string): string | undefined {
  switch (format) {
    case 'email':
      return /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)*$/.test(text)
        ? undefined
        : l10n.t('Enter an email address, such as name@example.com.');
    case 'uri':
      return isUri(text) ? undefined : l10n.t('Enter a full address, such as https://example.com.');
    case 'date':
      return isDate(text) ? undefined : l10n.t('Enter a date, such as 2026-01-31.');
    case 'date-time':
      return isDateTime(text)
        ? undefined
        : l10n.t('Enter a date and time, such as 2026-01-31T09:30:00Z.');
    default:
      return undefined;
  }
}

function isUri(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]*:\S+$/.test(text) && URL.canParse(text);
}

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (year === undefined) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  // 30 February would become 2 March.
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

function isDateTime(text: string): boolean {
  const [, date, time, zone] =
    /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(?:\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/.exec(text) ??
    [];
  if (date === undefined || time === undefined || zone === undefined) return false;
  const [hour = 0, minute = 0, second = 0] = time.split(':').map(Number);
  return isDate(date) && hour < 24 && minute < 60 && second <= 60;
}

function checkNumber(field: NumberField, value: FormValue | undefined): Checked {
  if (value === undefined || (typeof value === 'string' && value.trim() === '')) {
    return field.required ? missing() : {};
  }
  const number = typeof value === 'string' ? Number(value.trim()) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) {
    return { problem: l10n.t('Enter a number.') };
  }
  if (field.integer && !Number.isSafeInteger(number)) {
    return { problem: l10n.t('Enter a whole number.') };
  }
  if (field.minimum !== undefined && number < field.minimum) {
    return { problem: l10n.t('Enter a number of at least {0}.', field.minimum) };
  }
  if (field.maximum !== undefined && number > field.maximum) {
    return { problem: l10n.t('Enter a number of at most {0}.', field.maximum) };
  }
  return { value: number };
}

function checkChoice(field: ChoiceField, value: FormValue | undefined): Checked {
  if (value === undefined || value === '') {
    // An empty text may itself be one of the choices.
    if (value === '' && field.choices.some(choice => choice.value === '')) return { value };
    return field.required ? { problem: l10n.t('Choose one.') } : {};
  }
  return field.choices.some(choice => choice.value === value) ? { value } : wrong();
}

function checkChoices(field: ChoicesField, value: FormValue | undefined): Checked {
  if (value !== undefined && !Array.isArray(value)) return wrong();
  const chosen: readonly string[] = value ?? [];
  const known = chosen.every(each => field.choices.some(choice => choice.value === each));
  if (!known || new Set(chosen).size !== chosen.length) return wrong();
  // Nothing chosen where nothing needs to be: left out, as an empty text is.
  if (chosen.length === 0 && !field.required) return {};
  const least = field.minItems ?? 0;
  if (chosen.length < least) {
    return {
      problem: least === 1 ? l10n.t('Choose at least one.') : l10n.t('Choose at least {0}.', least),
    };
  }
  if (field.maxItems !== undefined && chosen.length > field.maxItems) {
    return { problem: l10n.t('Choose at most {0}.', field.maxItems) };
  }
  return { value: chosen };
}

function missing(): Checked {
  return { problem: l10n.t('Required.') };
}

/** Not what the control of the field can give. */
function wrong(): Checked {
  return { problem: l10n.t("This is not one of the agent's options.") };
}
