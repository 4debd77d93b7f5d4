import type * as schema from '../schema';
import { contentBlock } from './content';
import { configOptions } from './options';
import {
  id,
  list,
  name,
  nullable,
  number,
  oneOf,
  shape,
  string,
  tagged,
  withDefault,
  type Guard,
} from './primitives';
import { toolCall, toolCallUpdate } from './toolCalls';

const chunk = shape<schema.ContentChunk>({ content: contentBlock }, { messageId: id });

const planEntry = shape<schema.PlanEntry>({
  content: name,
  priority: withDefault(oneOf<schema.PlanEntryPriority>('high', 'medium', 'low'), 'medium'),
  status: withDefault(
    oneOf<schema.PlanEntryStatus>('pending', 'in_progress', 'completed'),
    'pending',
  ),
});

const plan = shape<schema.Plan>({ entries: list(planEntry) });

export const command = shape<schema.AvailableCommand>(
  { name, description: withDefault(string, '') },
  { input: shape<schema.UnstructuredCommandInput>({ hint: string }) },
);

const cost = shape<schema.Cost>({ amount: number, currency: string });

/** A kind of `session/update` that the schema has. */
export type UpdateKind = schema.SessionUpdate['sessionUpdate'];

/** The guard of each kind: one that is missing here does not compile. */
const GUARDS: { readonly [K in UpdateKind]: Guard<unknown> } = {
  user_message_chunk: chunk,
  agent_message_chunk: chunk,
  agent_thought_chunk: chunk,
  tool_call: toolCall,
  tool_call_update: toolCallUpdate,
  plan,
  available_commands_update: shape<schema.AvailableCommandsUpdate>({
    availableCommands: list(command),
  }),
  current_mode_update: shape<schema.CurrentModeUpdate>({ currentModeId: name }),
  config_option_update: shape<schema.ConfigOptionUpdate>({ configOptions }),
  session_info_update: shape<schema.SessionInfoUpdate>(
    {},
    { title: nullable(string), updatedAt: nullable(string) },
  ),
  usage_update: shape<schema.UsageUpdate>({ used: number, size: number }, { cost }),
  notice: shape<schema.Notice>(
    { severity: withDefault(name, 'info'), title: string },
    { description: string },
  ),
  compaction_update: shape<schema.CompactionUpdate>(
    { compactionId: id, status: withDefault(name, 'in_progress') },
    { summary: list(contentBlock), error: string },
  ),
  compaction_summary_chunk: shape<schema.CompactionSummaryChunk>({
    compactionId: id,
    content: contentBlock,
  }),
};

export const UPDATE_KINDS = Object.keys(GUARDS) as readonly UpdateKind[];

/** One update; kinds the schema does not know pass as they are. */
export const sessionUpdate = tagged<schema.SessionUpdate>('sessionUpdate', GUARDS);

/** `session/update`. */
export const sessionNotification = shape<schema.SessionNotification>({
  sessionId: name,
  update: sessionUpdate,
});
