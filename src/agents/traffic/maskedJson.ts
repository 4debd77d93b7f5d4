import type { Json, JsonObject } from './recording';

/**
 * `value` with secrets masked in each text of it by itself: what was JSON stays JSON, also when a secret looks like a
 * piece of it.
 */
export function maskedJson(value: JsonObject, mask: (text: string) => string): JsonObject {
  return maskedObject(value, mask);
}

function masked(value: Json, mask: (text: string) => string): Json {
  if (typeof value === 'string') return mask(value);
  if (typeof value === 'number') {
    const text = String(value);
    const shown = mask(text);
    return shown === text ? value : shown;
  }
  if (typeof value !== 'object' || value === null) return value;
  return isList(value) ? value.map(item => masked(item, mask)) : maskedObject(value, mask);
}

function maskedObject(value: JsonObject, mask: (text: string) => string): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      mask(key),
      inner === undefined ? undefined : masked(inner, mask),
    ]),
  );
}

function isList(value: readonly Json[] | JsonObject): value is readonly Json[] {
  return Array.isArray(value);
}
