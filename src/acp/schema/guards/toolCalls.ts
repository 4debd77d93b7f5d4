import type * as schema from '../schema';
import { toolCallContent } from './content';
import { anything, count, id, list, name, oneOf, shape, string, withDefault } from './primitives';

const location = shape<schema.ToolCallLocation>({ path: name }, { line: count });

// The last is of v2.
const status = oneOf('pending', 'in_progress', 'completed', 'failed', 'cancelled');

const optional = {
  // Kinds the schema does not know are shown like `other`.
  kind: name,
  status,
  name: string,
  content: list(toolCallContent),
  locations: list(location),
  rawInput: anything,
  rawOutput: anything,
};

/** A tool call as it is announced. */
export const toolCall = shape<schema.ToolCall>(
  { toolCallId: id, title: withDefault(string, '') },
  optional,
);

/** A change of a tool call; also what a permission request describes. */
export const toolCallUpdate = shape<schema.ToolCallUpdate>(
  { toolCallId: id },
  { ...optional, title: string },
);
