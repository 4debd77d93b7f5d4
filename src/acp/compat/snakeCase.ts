/**
 * Messages with the names of their fields in snake case (`session_id`), as programs write them that keep
 * the names of their own language.
 */
import { isObject, type Json } from '../schema/guards/primitives';

/** Values that are the agent's own, whatever their names look like. */
const OPAQUE = new Set(['rawInput', 'rawOutput', '_meta', 'properties', 'env', 'data']);

const SNAKE = /^[a-z][a-z0-9]*(_[a-z0-9]+)+$/;

/** Deeper than any message of the protocol; what lies deeper is left as it is. */
const MAX_DEPTH = 12;

/**
 * `value` (the parameters or the result of a message) with names as the schema has them. The schema's own
 * have no underscore at the top nor in an update, so others come back as they were given.
 */
export function asCamelCase(value: unknown): unknown {
  return isObject(value) && isSnake(value) ? renamed(value, 0) : value;
}

function isSnake(value: Json): boolean {
  const { update } = value;
  return hasSnakeName(value) || (isObject(update) && hasSnakeName(update));
}

function hasSnakeName(value: Json): boolean {
  for (const key in value) if (key.indexOf('_', 1) > 0 && SNAKE.test(key)) return true;
  return false;
}

function renamed(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map(item => renamed(item, depth + 1));
  if (!isObject(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value)) {
    const name = SNAKE.test(key)
      ? key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
      : key;
    // Both spellings at once: the schema's counts.
    if (name !== key && name in value) continue;
    copy[name] = OPAQUE.has(name) ? field : renamed(field, depth + 1);
  }
  return copy;
}
