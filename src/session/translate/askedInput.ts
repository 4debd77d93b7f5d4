/** What a request for permission says of a call that its agent spoke of before. Pure. */
import { isRecord } from '../../base/isRecord';
import type * as schema from '../../acp/schema/schema';
import { FOLDERS, parsedInput } from '../state/commandInput';
import type { ToolCallPart } from '../state/state';

/**
 * The call with the folder and the places that were known of it, where the request leaves them out: opencode asks
 * with less than it announced.
 * @param known the call before the request
 */
export function withKnownFolder<T extends schema.ToolCall | schema.ToolCallUpdate>(
  call: T,
  known: ToolCallPart | undefined,
): T {
  if (!known) return call;
  const { rawInput, locations } = call;
  const before = known.rawInput && !known.rawInput.truncated && parsedInput(known.rawInput.text);
  const field = isRecord(before) ? FOLDERS.find(key => typeof before[key] === 'string') : undefined;
  const isMissing = isRecord(rawInput) && FOLDERS.every(key => !(key in rawInput));
  const { locations: _, ...elsewhere } = call;
  return {
    ...((locations?.length === 0 ? elsewhere : call) as T),
    ...(field !== undefined &&
      isMissing &&
      isRecord(before) && { rawInput: { ...rawInput, [field]: before[field] } }),
  };
}
