/** Careful reading of JSON whose shape the sender decides. */
export type Json = Readonly<Record<string, unknown>>;

export function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Json)
    : {};
}

export function asList(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(asObject) : [];
}

export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** All text in a value: strings, lists of parts, and parts that hold their text under some name. */
export function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textIn).filter(Boolean).join('\n');
  if (typeof value !== 'object' || value === null) return '';
  const { text, content, output } = value as Json;
  return textIn(text ?? content ?? output);
}
