/**
 * The method names of ACP v1, checked by type against the SDK's own (a value import of the SDK is too
 * dear, see `schema.ts`).
 */
import type { AGENT_METHODS, CLIENT_METHODS, PROTOCOL_METHODS } from './schema';

type ValueOf<T> = T[keyof T];

/** What the client calls. */
export const AgentMethod = {
  initialize: 'initialize',
  authenticate: 'authenticate',
  logout: 'logout',
  newSession: 'session/new',
  loadSession: 'session/load',
  resumeSession: 'session/resume',
  closeSession: 'session/close',
  listSessions: 'session/list',
  deleteSession: 'session/delete',
  prompt: 'session/prompt',
  cancel: 'session/cancel',
  setMode: 'session/set_mode',
  setConfigOption: 'session/set_config_option',
} as const satisfies Record<string, ValueOf<typeof AGENT_METHODS>>;

/** Left the schema, still implemented by agents that offer `models` (see `SessionModelState`). */
export const SET_MODEL_METHOD = 'session/set_model';

/** Not in the stable schema; for agents that offer `sessionCapabilities.fork`. */
export const FORK_SESSION_METHOD = 'session/fork';

/** The same, for those that offer `sessionCapabilities.title`. */
export const SET_TITLE_METHOD = 'session/set_title';

/** The same, for those that offer `sessionCapabilities.archive`. */
export const ARCHIVE_SESSION_METHOD = 'session/archive';
export const UNARCHIVE_SESSION_METHOD = 'session/unarchive';

/** An extension that agents offer with `_meta.steering` of their answer to `initialize`. */
export const STEER_METHOD = '_session/steering';

/** Of v2 alone. */
export const CANCEL_TOOL_CALL_METHOD = 'tool_call/cancel';
export const CANCEL_TERMINAL_METHOD = 'terminal/cancel';

/** What the agent calls. */
export const ClientMethod = {
  sessionUpdate: 'session/update',
  requestPermission: 'session/request_permission',
  readTextFile: 'fs/read_text_file',
  writeTextFile: 'fs/write_text_file',
  createTerminal: 'terminal/create',
  terminalOutput: 'terminal/output',
  waitForTerminalExit: 'terminal/wait_for_exit',
  killTerminal: 'terminal/kill',
  releaseTerminal: 'terminal/release',
  createElicitation: 'elicitation/create',
  completeElicitation: 'elicitation/complete',
} as const satisfies Record<string, ValueOf<typeof CLIENT_METHODS>>;

/** What either side may send. */
export const ProtocolMethod = {
  cancelRequest: '$/cancel_request',
} as const satisfies Record<string, ValueOf<typeof PROTOCOL_METHODS>>;
