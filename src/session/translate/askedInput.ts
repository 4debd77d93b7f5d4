/** What a request for permission says of a call that its agent spoke of before. Pure. */
import type * as schema from '../../acp/schema';
import type { ToolCallPart } from '../state/state';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The call with what was known of its input and places where the request leaves that out: some agents ask with
 * less than they announced (opencode: without the folder), and what is done is both.
 * @param known the call before the request
 */
export function withWhatIsKnown<T extends schema.ToolCall | schema.ToolCallUpdate>(
  call: T,
  known: ToolCallPart | undefined,
): T {
  if (!known) return call;
  const before = knownInput(known);
  const { rawInput, locations } = call;
  const isRecord = typeof rawInput === 'object' && rawInput !== null && !Array.isArray(rawInput);
  const { locations: _, ...elsewhere } = call;
  return {
    ...((locations?.length === 0 ? elsewhere : call) as T),
    ...(before && isRecord && { rawInput: { ...before, ...rawInput } }),
  };
}

function knownInput({ rawInput }: ToolCallPart): Fields | undefined {
  if (!rawInput || rawInput.truncated) return undefined;
  try {
    const value: unknown = JSON.parse(rawInput.text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Fields)
      : undefined;
  } catch {
    return undefined;
  }
}
