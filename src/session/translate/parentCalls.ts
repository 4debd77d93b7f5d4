/** Which tool call an update stands under: agents say so in `_meta`. */
import { isObject, name } from '../../acp/schema/guards/primitives';

/** What agents call the tool call that began a subagent, in `_meta` or in their own object there. */
const PARENT_FIELDS = ['parentToolUseId', 'parentToolCallId'] as const;

/**
 * The tool call that an update belongs under, by its `_meta`: `{claudeCode: {parentToolUseId}}` and
 * `{parentToolCallId}` are in use.
 */
export function parentToolCallOf(meta: unknown): string | undefined {
  if (!isObject(meta)) return undefined;
  return parentIn(meta) ?? Object.values(meta).map(parentIn).find(Boolean);
}

function parentIn(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  return PARENT_FIELDS.map(field => name(value[field])).find(Boolean);
}
