/** Results of what the client asks of the agent. */
import type * as schema from '../schema';
import { configOptions, models, modes } from './options';
import { command } from './updates';
import {
  boolean,
  count,
  isObject,
  list,
  name,
  number,
  object,
  shape,
  string,
  stringRecord,
  withDefault,
  type Guard,
  type Json,
} from './primitives';

/** A capability that is an object when it is there; `true` means the same. */
const capability: Guard<Json> = value => (value === true ? {} : object(value));

const capabilities = shape<schema.AgentCapabilities>(
  {},
  {
    loadSession: boolean,
    promptCapabilities: shape<schema.PromptCapabilities>(
      {},
      { image: boolean, audio: boolean, embeddedContext: boolean },
    ),
    mcpCapabilities: shape<schema.McpCapabilities>({}, { http: boolean, sse: boolean }),
    sessionCapabilities: shape<
      schema.SessionCapabilities & schema.ForkCapability & schema.TitleCapability
    >(
      {},
      {
        list: capability,
        delete: capability,
        additionalDirectories: capability,
        resume: capability,
        close: capability,
        fork: capability,
        title: capability,
      },
    ),
    auth: shape<schema.AgentAuthCapabilities>({}, { logout: capability }),
  },
);

/** Methods of types the schema does not know (`env_var`) pass. */
const authMethod: Guard<schema.AuthMethod> = value => {
  if (!isObject(value)) return undefined;
  return knownAuthMethod(
    name(value['name']) === undefined ? { ...value, name: value['id'] } : value,
  );
};

const knownAuthMethod = shape<schema.AuthMethodTerminal & { readonly type?: string }>(
  { id: name, name: string },
  { type: name, description: string, args: list(string), env: stringRecord },
) as Guard<schema.AuthMethod>;

export const authMethods = list(authMethod);

/** The version as a number; agents that leave it out mean the first. */
const protocolVersion: Guard<number> = value => {
  if (value === undefined || value === null) return 1;
  return count(value);
};

const initializeResult = shape<schema.InitializeResponse>(
  { protocolVersion },
  {
    agentCapabilities: capabilities,
    authMethods,
    agentInfo: shape<schema.Implementation>(
      { name: withDefault(string, ''), version: withDefault(string, '') },
      { title: string },
    ),
  },
);

/** An object without any of the fields of an answer comes from something that is no ACP agent. */
export const initialize: Guard<schema.InitializeResponse> = value => {
  const expected = ['protocolVersion', 'agentCapabilities', 'agentInfo', 'authMethods'];
  return isObject(value) && expected.some(field => field in value)
    ? initializeResult(value)
    : undefined;
};

const opened = { modes, models, configOptions, availableCommands: list(command) };

export const newSession = shape<schema.NewSessionResponse & schema.OpenedSession>(
  { sessionId: name },
  opened,
);

/** `session/load` and `session/resume`; agents answer null when there is nothing to say. */
export const reopenedSession: Guard<schema.LoadSessionResponse & schema.OpenedSession> = value =>
  value === null ? {} : reopened(value);

const reopened = shape<schema.LoadSessionResponse & { readonly models?: unknown }>(
  {},
  opened,
) as Guard<schema.LoadSessionResponse & schema.OpenedSession>;

const sessionInfo = shape<schema.SessionInfo>(
  { sessionId: name, cwd: withDefault(string, '') },
  { title: string, updatedAt: string, additionalDirectories: list(string) },
);

export const listSessions = shape<schema.ListSessionsResponse>(
  { sessions: withDefault(list(sessionInfo), []) },
  { nextCursor: name },
);

/** Stop reasons that the schema does not know pass. */
export const prompt: Guard<schema.PromptResponse> = value =>
  promptResult(isObject(value) ? value : {});

const promptResult = shape<schema.PromptResponse>(
  {},
  { stopReason: name, usage: shape<schema.TurnUsage>({ totalTokens: number }) },
);

/** No options at all when the agent sends none: those known stay in force. */
export const setConfigOption: Guard<schema.SetSessionConfigOptionResponse> = value =>
  configResult(isObject(value) ? value : {});

const configResult = shape<schema.SetSessionConfigOptionResponse>({
  configOptions: withDefault(configOptions, []),
});
