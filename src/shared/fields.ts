/** The fields of a message by name. A view renders model output, so the host checks what it sends. */
export type Shape = Readonly<
  Record<string, 'string' | 'number' | 'boolean' | 'string?' | 'string|boolean' | 'string[]'>
>;

/** The message in `value` by the shape of its `type`, with unknown fields dropped; undefined when it has another. */
export function parseFields(
  value: unknown,
  shapes: Readonly<Record<string, Shape>>,
): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Readonly<Record<string, unknown>>;
  const type = fields['type'];
  if (typeof type !== 'string' || !Object.hasOwn(shapes, type)) return undefined;
  const message: Record<string, unknown> = { type };
  for (const [name, kind] of Object.entries(shapes[type] ?? {})) {
    const field = fields[name];
    if (field === undefined && kind === 'string?') continue;
    if (kind === 'string[]' ? !isTexts(field) : !kind.split(/[?|]/).includes(typeof field)) {
      return undefined;
    }
    message[name] = field;
  }
  return message;
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(item => typeof item === 'string');
}
