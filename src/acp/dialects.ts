import type { InitializeResponse, SessionUpdate } from './schema';

/** How an agent departs from the protocol. The one place that knows; everything else sees one shape. */
export interface Dialect {
  /**
   * What `fs/read_text_file` answers for a missing file. `empty` for agents that read a file before they
   * create it and give up on an error.
   */
  readonly missingFileAnswer: 'error' | 'empty';
  /** Whether `$/cancel_request` may be sent. */
  readonly cancelRequests: boolean;
  /** Turns an update that means something else than it says into what it means. */
  readonly readUpdate: (update: SessionUpdate) => SessionUpdate;
}

/** What stands until the agent has told who it is, and for agents that need nothing special. */
export const STANDARD_DIALECT: Dialect = {
  missingFileAnswer: 'error',
  cancelRequests: true,
  readUpdate: update => update,
};

/** Gemini CLI and the agents grown out of it, by the name they give themselves. */
const GEMINI_FAMILY = /gemini|qwen|iflow/i;

const GEMINI_DIALECT: Dialect = {
  missingFileAnswer: 'empty',
  cancelRequests: true,
  readUpdate: modeToldInProse,
};

export function dialectOf(initialized: InitializeResponse): Dialect {
  return GEMINI_FAMILY.test(initialized.agentInfo?.name ?? '') ? GEMINI_DIALECT : STANDARD_DIALECT;
}

/** Gemini CLI tells a change of mode as a message: `[MODE_UPDATE] plan`. */
function modeToldInProse(update: SessionUpdate): SessionUpdate {
  if (update.sessionUpdate !== 'agent_message_chunk' || update.content.type !== 'text') {
    return update;
  }
  const modeId = /^\[MODE_UPDATE\] (\S+)$/.exec(update.content.text)?.[1];
  return modeId === undefined
    ? update
    : { sessionUpdate: 'current_mode_update', currentModeId: modeId };
}
