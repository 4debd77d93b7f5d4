/** Parameters of what the agent asks of the client. */
import type * as schema from '../schema';
import {
  count,
  id,
  isObject,
  list,
  name,
  shape,
  strictList,
  string,
  withDefault,
  type Guard,
} from './primitives';
import { toolCallUpdate } from './toolCalls';

/** An option that is missing its name is called by its id; one of unknown kind is shown as the agent's. */
const permissionOption: Guard<schema.PermissionOption> = value => {
  if (!isObject(value)) return undefined;
  return knownPermissionOption(
    name(value['name']) === undefined ? { ...value, name: value['optionId'] } : value,
  );
};

const knownPermissionOption = shape<schema.PermissionOption>({
  optionId: id,
  name: string,
  kind: withDefault(name, 'unknown'),
});

/** Needs one option at least: a question without answers cannot be asked. */
export const requestPermission: Guard<schema.PermissionPrompt> = value => {
  const guarded = permissionRequest(value);
  return guarded !== undefined && guarded.options.length > 0 ? guarded : undefined;
};

const permissionRequest = shape<schema.PermissionPrompt>(
  { sessionId: name, toolCall: toolCallUpdate, options: list(permissionOption) },
  { title: name, description: name },
);

export const readTextFile = shape<schema.ReadTextFileRequest>(
  { sessionId: name, path: name },
  { line: count, limit: count },
);

export const writeTextFile = shape<schema.WriteTextFileRequest>({
  sessionId: name,
  path: name,
  content: (value: unknown) => (typeof value === 'string' ? value : undefined),
});

const variables = strictList(shape<schema.EnvVariable>({ name, value: string }));

/** What decides what is run is never dropped: a malformed argument fails the request. */
const commandLine = shape<schema.CreateTerminalRequest>(
  {
    sessionId: name,
    command: name,
    args: value => (value === undefined || value === null ? [] : strictList(string)(value)),
    env: value => (value === undefined ? [] : variables(value)),
  },
  { outputByteLimit: count },
);

export const createTerminal: Guard<schema.CreateTerminalRequest> = value => {
  const guarded = commandLine(value);
  if (guarded === undefined) return undefined;
  const cwd: unknown = guarded.cwd;
  return cwd === undefined || cwd === null || name(cwd) !== undefined ? guarded : undefined;
};

/** `terminal/output`, `wait_for_exit`, `kill` and `release` name a terminal and nothing else. */
export const terminalReference = shape<schema.TerminalOutputRequest>({
  sessionId: name,
  terminalId: name,
});
