/** What the CLI says is read field by field: what is missing or of another type is as good as not there. */
import { isObject, type Json } from '../../../acp/schema/guards/primitives';

export function object(value: unknown): Json {
  return isObject(value) ? value : {};
}

/** The objects of a list. */
export function objects(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : [];
}

/** A string that is not empty. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
