import { isEarlyInitialize } from './answers';
import { earlyPrompt, earlySession } from './earlyRequests';
import type { InitializeResponse, McpServer, PromptRequest, SessionUpdate } from '../schema/schema';

/**
 * How an agent departs from the protocol. This file and the folder of its name are the one place that
 * knows; everything else sees one shape.
 */
export interface Dialect {
  /**
   * What `fs/read_text_file` answers for a missing file. `empty` for agents that read a file before they
   * create it and give up on an error.
   */
  readonly missingFileAnswer: 'error' | 'empty';
  /** Whether `$/cancel_request` may be sent. */
  readonly cancelRequests: boolean;
  /** Turns an update that means something else than it says into what it means; undefined for one that tells nothing. */
  readonly readUpdate: (update: SessionUpdate) => SessionUpdate | undefined;
}

/** What stands until the agent has told who it is, and for agents that need nothing special. */
export const STANDARD_DIALECT: Dialect = {
  missingFileAnswer: 'error',
  cancelRequests: true,
  readUpdate: update => update,
};

/**
 * Gemini CLI and the agents grown out of it, by the name they give themselves or, where they are too old to
 * give one, by their ways to sign in.
 */
const GEMINI_FAMILY = /gemini|qwen|iflow/i;
const GEMINI_SIGN_IN = /^oauth-personal$|gemini|qwen|iflow/i;

const GEMINI_DIALECT: Dialect = {
  missingFileAnswer: 'empty',
  cancelRequests: true,
  readUpdate: update => (isToldToModel(update) ? undefined : modeToldInProse(update)),
};

export function dialectOf({ agentInfo, authMethods }: InitializeResponse): Dialect {
  const isGemini = agentInfo?.name
    ? GEMINI_FAMILY.test(agentInfo.name)
    : authMethods?.some(({ id }) => GEMINI_SIGN_IN.test(id));
  return isGemini ? GEMINI_DIALECT : STANDARD_DIALECT;
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

/**
 * What Gemini CLI itself tells the model: where it works, and what tools answered. With a chat that is taken
 * up again it comes as the user's own words; its own interface leaves it out as well.
 */
function isToldToModel(update: SessionUpdate): boolean {
  if (update.sessionUpdate !== 'user_message_chunk' || update.content.type !== 'text') return false;
  const text = update.content.text.trim();
  return (
    /^<(session|hook)_context>.*<\/\1_context>$/s.test(text) ||
    /^(\[Function Response: [^\]]+\]\s*)+$/.test(text)
  );
}

/**
 * What is known of how one agent speaks, learned as it does. Messages are read by their shape, whoever sent
 * them; this decides what the client says where the shape of the question does not.
 */
export class SpokenDialect {
  private known = STANDARD_DIALECT;
  private early = false;

  get current(): Dialect {
    return this.known;
  }

  /** Whether the agent speaks the early draft: it has said something that nothing else has. */
  get speaksEarlyDraft(): boolean {
    return this.early;
  }

  heardEarlyDraft(): void {
    this.early = true;
  }

  /** @param raw the answer as it came. */
  initialized(raw: unknown, response: InitializeResponse): void {
    this.known = dialectOf(response);
    if (isEarlyInitialize(raw)) this.early = true;
  }

  prompt(params: PromptRequest): object {
    return this.early ? earlyPrompt(params) : params;
  }

  session(params: { readonly mcpServers?: readonly McpServer[] }): object {
    return this.early ? earlySession(params) : params;
  }

  /** The early draft says `method` where the schema says `methodId`. */
  authenticate(params: { readonly methodId: string }): object {
    return this.early ? { ...params, method: params.methodId } : params;
  }
}
