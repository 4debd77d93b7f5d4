/** Options of a session as `configOptions` of ACP. */

export interface Choice {
  readonly value: string;
  readonly name: string;
  readonly description?: string;
}

export function choice(value: string, name: string, description?: string): Choice {
  return { value, name, ...(description !== undefined && { description }) };
}

export function select(
  id: string,
  name: string,
  category: string | undefined,
  currentValue: string,
  options: readonly Choice[],
) {
  return {
    type: 'select' as const,
    id,
    name,
    ...(category !== undefined && { category }),
    currentValue,
    options,
  };
}

/** `xhigh` as "Xhigh". */
export function titled(level: string): string {
  return `${level.charAt(0).toUpperCase()}${level.slice(1)}`;
}
