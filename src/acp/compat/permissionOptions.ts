/** The options of a permission request as agents write them that depart from the schema. */
import { isObject, name, type Json } from '../schema/guards/primitives';
import type * as schema from '../schema/schema';
import { plainWord } from './statuses';

export interface ReadOptions {
  readonly options: readonly unknown[];
  /** Puts the agent's own id into the answer; absent when the ids are as it wrote them. */
  readonly answer?: (response: schema.RequestPermissionResponse) => object;
}

const KINDS = new Set<unknown>(['allow_once', 'allow_always', 'reject_once', 'reject_always']);

/** Whether there is anything that can be chosen. */
export function hasOptions(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.some(option => isId(option) || (isObject(option) && idOf(option) !== undefined))
  );
}

/**
 * Options with names and kinds that the schema has, made of bare words, numbered ids, `id` and `label`, and
 * kinds by other names or none. Undefined when all are as they should be, or when they are no list.
 */
export function readOptions(value: unknown): ReadOptions | undefined {
  if (!Array.isArray(value) || value.every(isStandard)) return undefined;
  const ids = new Map<string, unknown>();
  const options = value.map((option: unknown) => {
    if (isStandard(option)) return option;
    const fields: Json = isObject(option) ? option : { optionId: option };
    const id = idOf(fields);
    if (id === undefined) return option;
    const optionId = String(id);
    if (optionId !== id) ids.set(optionId, id);
    const label =
      name(fields['name']) ?? name(fields['label']) ?? name(fields['title']) ?? optionId;
    const kind = kindOf(fields['kind'], optionId, label);
    return { ...fields, optionId, name: label, ...(kind !== undefined && { kind }) };
  });
  return { options, ...(ids.size > 0 && { answer: response => answered(response, ids) }) };
}

function isStandard(option: unknown): boolean {
  return isObject(option) && name(option['optionId']) !== undefined && KINDS.has(option['kind']);
}

function idOf(fields: Json): string | number | undefined {
  return ['optionId', 'id', 'value'].map(key => fields[key]).find(isId);
}

function isId(value: unknown): value is string | number {
  return name(value) !== undefined || typeof value === 'number';
}

function answered(
  { outcome, ...rest }: schema.RequestPermissionResponse,
  ids: ReadonlyMap<string, unknown>,
): object {
  return outcome.outcome === 'selected' && ids.has(outcome.optionId)
    ? { ...rest, outcome: { ...outcome, optionId: ids.get(outcome.optionId) } }
    : { ...rest, outcome };
}

const ALLOW = /^(allow|accept|approve|yes|proceed|ok$|okay|grant|permit|confirm|continue)/;
const REJECT =
  /^(reject|deny|denied|decline|no$|nothanks|notnow|never|cancel|disallow|refuse|abort|skip|dont)/;
const LASTING = /always|session|forever|remember|all$|persist/;

/** The kind by the first of these words that is found: what it is called, its id, its label. */
function kindOf(...raw: readonly unknown[]): string | undefined {
  for (const value of raw) {
    if (typeof value !== 'string') continue;
    if (KINDS.has(value)) return value;
    const word = plainWord(value);
    const core = word.replace(/^always/, '');
    const verb = REJECT.test(core) ? 'reject' : ALLOW.test(core) ? 'allow' : undefined;
    if (verb) return `${verb}_${LASTING.test(word) ? 'always' : 'once'}`;
  }
  return undefined;
}
