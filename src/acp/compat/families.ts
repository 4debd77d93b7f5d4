/** Agents that are known by who they say they are, and what they do otherwise than others. */
import type { InitializeResponse, SessionUpdate } from '../schema/schema';

export interface Family {
  /**
   * What `fs/read_text_file` answers for a missing file. `empty` for agents that read a file before they
   * create it and give up on an error.
   */
  readonly missingFileAnswer: 'error' | 'empty';
  /** Whether the conversation is replayed after the answer to `session/load`: Gemini CLI does so. */
  readonly replaysAfterAnswer: boolean;
  /** Whether `$/cancel_request` may be sent. */
  readonly cancelRequests: boolean;
  /** Turns an update that means something else than it says into what it means; undefined for none. */
  readonly readUpdate: (update: SessionUpdate) => SessionUpdate | undefined;
}

/** What stands until the agent has said who it is, and for agents that need nothing special. */
export const STANDARD: Family = {
  missingFileAnswer: 'error',
  replaysAfterAnswer: false,
  cancelRequests: true,
  readUpdate: update => update,
};

/**
 * Gemini CLI and the agents grown out of it, by the name they give themselves or, where they are too old to
 * give one, by their ways to sign in.
 */
const GEMINI_NAME = /gemini|qwen|iflow/i;
const GEMINI_SIGN_IN = /^oauth-personal$|gemini|qwen|iflow/i;

const GEMINI: Family = {
  missingFileAnswer: 'empty',
  replaysAfterAnswer: true,
  cancelRequests: true,
  readUpdate: update => (isForModel(update) ? undefined : modeInProse(update)),
};

export function familyOf({ agentInfo, authMethods }: InitializeResponse): Family {
  const isGemini = agentInfo?.name
    ? GEMINI_NAME.test(agentInfo.name)
    : authMethods?.some(({ id }) => GEMINI_SIGN_IN.test(id));
  return isGemini ? GEMINI : STANDARD;
}

/** Gemini CLI announces a change of mode as a message: `[MODE_UPDATE] plan`. */
function modeInProse(update: SessionUpdate): SessionUpdate {
  if (update.sessionUpdate !== 'agent_message_chunk' || update.content.type !== 'text') {
    return update;
  }
  const modeId = /^\[MODE_UPDATE\] (\S+)$/.exec(update.content.text)?.[1];
  return modeId === undefined
    ? update
    : { sessionUpdate: 'current_mode_update', currentModeId: modeId };
}

/**
 * What Gemini CLI itself says to the model: where it works, and what tools answered. With a chat that is
 * loaded again it comes as the user's own words; its own interface leaves it out as well.
 */
function isForModel(update: SessionUpdate): boolean {
  if (update.sessionUpdate !== 'user_message_chunk' || update.content.type !== 'text') return false;
  const text = update.content.text.trim();
  return (
    /^<(session|hook)_context>.*<\/\1_context>$/s.test(text) ||
    /^(\[Function Response: [^\]]+\]\s*)+$/.test(text)
  );
}
