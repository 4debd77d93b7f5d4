/**
 * Small guards for what comes over the wire. A guard returns the value it was given if that is fine, a
 * repaired copy if it can be saved, and undefined if it is of no use. It never throws, and never changes
 * what it was given; well-formed messages pass without being copied.
 */
export type Guard<T> = (value: unknown) => T | undefined;

export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `items` as `map` makes them; the same list when none of them changes. */
export function mapped(
  items: readonly unknown[],
  map: (item: unknown) => unknown,
): readonly unknown[] {
  const made = items.map(map);
  return made.every((item, index) => item === items[index]) ? items : made;
}

export const anything: Guard<unknown> = value => value;

export const object: Guard<Json> = value => (isObject(value) ? value : undefined);

/** A string, or a number or boolean where a string belongs. */
export const string: Guard<string> = value => {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
};

/** A string that is not empty: an id, a path. */
export const name: Guard<string> = value =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Longest id there is use for: it is kept, compared and sent with everything that belongs to it. */
const MAX_ID = 10_000;

/** A name of one of many: of a call, a message, an option. */
export const id: Guard<string> = value =>
  typeof value === 'string' && value !== '' && value.length <= MAX_ID ? value : undefined;

export const boolean: Guard<boolean> = value => (typeof value === 'boolean' ? value : undefined);

export const number: Guard<number> = value =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** A whole number from zero. */
export const count: Guard<number> = value =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

export function oneOf<T extends string>(...values: readonly T[]): Guard<T> {
  return value => values.find(known => known === value);
}

export function withDefault<T>(guard: Guard<T>, fallback: T): Guard<T> {
  return value => guard(value) ?? fallback;
}

/** Keeps null, where null says something (`title: null` clears a title). */
export function nullable<T>(guard: Guard<T>): Guard<T | null> {
  return value => (value === null ? null : guard(value));
}

/** A list without its malformed items. */
export function list<T>(item: Guard<T>): Guard<readonly T[]> {
  return value => {
    if (!Array.isArray(value)) return undefined;
    const items: readonly unknown[] = value;
    let kept: T[] | undefined;
    for (const [index, raw] of items.entries()) {
      const guarded = item(raw);
      if (guarded === raw && kept === undefined) continue;
      kept ??= items.slice(0, index) as T[];
      if (guarded !== undefined) kept.push(guarded);
    }
    return kept ?? (items as readonly T[]);
  };
}

/** A list in which one malformed item spoils the whole (leaving out an argument changes a command). */
export function strictList<T>(item: Guard<T>): Guard<readonly T[]> {
  const guardList = list(item);
  return value => {
    const guarded = guardList(value);
    return guarded?.length === (value as readonly unknown[] | undefined)?.length
      ? guarded
      : undefined;
  };
}

/** An object of strings; other values are left out. */
export const stringRecord: Guard<Readonly<Record<string, string>>> = value => {
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value);
  const kept = entries.filter(entry => typeof entry[1] === 'string');
  return (kept.length === entries.length ? value : Object.fromEntries(kept)) as Record<
    string,
    string
  >;
};

type Fields<T> = { readonly [K in keyof T]?: Guard<unknown> };

/**
 * An object of which the `required` fields are there (give them defaults with `withDefault`) and the
 * `optional` ones are well-formed or absent; null counts as absent unless the guard is `nullable`. Fields
 * not named are kept as they are, and `_meta` if it is an object.
 */
export function shape<T>(required: Fields<T>, optional: Fields<T> = {}): Guard<T> {
  const fields = fieldsOf(required, true).concat(fieldsOf({ _meta: object, ...optional }, false));
  return value => {
    if (!isObject(value)) return undefined;
    let copy: Record<string, unknown> | undefined;
    for (const { key, guard, isRequired } of fields) {
      const raw = value[key];
      if (raw === undefined && !isRequired) continue;
      const guarded = guard(raw);
      if (guarded === undefined && isRequired) return undefined;
      if (guarded === raw) continue;
      copy ??= { ...value };
      if (guarded === undefined) delete copy[key];
      else copy[key] = guarded;
    }
    return (copy ?? value) as T;
  };
}

interface Field {
  readonly key: string;
  readonly guard: Guard<unknown>;
  readonly isRequired: boolean;
}

function fieldsOf(guards: object, isRequired: boolean): Field[] {
  return Object.entries(guards).map(([key, guard]) => ({
    key,
    guard: guard as Guard<unknown>,
    isRequired,
  }));
}

/** The guard for the kind that `tag` names; objects of other kinds pass as they are, to be shown. */
export function tagged<T>(tag: string, kinds: Readonly<Record<string, Guard<unknown>>>): Guard<T> {
  const byKind = new Map(Object.entries(kinds));
  return value => {
    if (!isObject(value)) return undefined;
    const kind = value[tag];
    if (typeof kind !== 'string') return undefined;
    const guard = byKind.get(kind);
    return (guard === undefined ? value : guard(value)) as T | undefined;
  };
}
