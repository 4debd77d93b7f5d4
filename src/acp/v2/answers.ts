/** What agents that speak v2 answer, in v1's shapes. */
import { isObject, name, type Json } from '../schema/guards/primitives';

export const VERSION_2 = 2;

/**
 * Whether this answer to `initialize` means v2. Agents that repeat the number they were asked with, and know v1
 * alone, do not say who they are by `info`.
 */
export function isVersion2(result: unknown): result is Json {
  return isObject(result) && result['protocolVersion'] === VERSION_2 && isObject(result['info']);
}

/** An answer to `initialize` of v2: markers become v1's booleans, what every agent can do is said. */
export function initialized({ info, capabilities, authMethods, ...rest }: Json): Json {
  const { session, auth: _, ...others } = objectOf(capabilities);
  const { prompt, mcp, delete: deletes, additionalDirectories, fork, title } = objectOf(session);
  const { image, audio, embeddedContext } = objectOf(prompt);
  const signsIn = Array.isArray(authMethods) && authMethods.length > 0;
  return {
    ...rest,
    agentInfo: info,
    agentCapabilities: {
      ...others,
      loadSession: true,
      promptCapabilities: {
        image: isSet(image),
        audio: isSet(audio),
        embeddedContext: isSet(embeddedContext),
      },
      mcpCapabilities: { http: isSet(objectOf(mcp)['http']), sse: false },
      sessionCapabilities: {
        list: {},
        resume: {},
        close: {},
        ...(isSet(deletes) && { delete: deletes }),
        ...(isSet(additionalDirectories) && { additionalDirectories }),
        ...(isSet(fork) && { fork }),
        ...(isSet(title) && { title }),
      },
      ...(signsIn && { auth: { logout: {} } }),
    },
    authMethods: signsIn ? authMethods.map(authMethod) : [],
  };
}

function authMethod(method: unknown): unknown {
  if (!isObject(method)) return method;
  const { methodId, env, ...rest } = method;
  const variables = listOf(env).flatMap(({ name: key, value }) => {
    const named = name(key);
    return named === undefined ? [] : [[named, value]];
  });
  return {
    ...rest,
    id: methodId,
    ...(variables.length > 0 && { env: Object.fromEntries(variables) as Json }),
  };
}

/** What opening a session answers. */
export function openedSession(result: unknown): unknown {
  if (!isObject(result)) return result;
  const { configOptions, availableCommands, ...rest } = result;
  return {
    ...rest,
    ...(configOptions !== undefined && { configOptions: listOfOptions(configOptions) }),
    ...(availableCommands !== undefined && {
      availableCommands: listOfCommands(availableCommands),
    }),
  };
}

/** `configId` and `groupId` are v1's `id` and `group`. */
export function listOfOptions(value: unknown): readonly Json[] {
  return listOf(value).map(({ configId, ...option }) => ({
    ...option,
    id: configId,
    ...(Array.isArray(option['options']) && { options: listOf(option['options']).map(choice) }),
  }));
}

function choice({ groupId, ...group }: Json): Json {
  return groupId === undefined ? group : { ...group, group: groupId };
}

/** Commands of every type are offered by their name. */
export function listOfCommands(value: unknown): readonly Json[] {
  return listOf(value).map(({ type: _, ...command }) => command);
}

export function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function objectOf(value: unknown): Json {
  return isObject(value) ? value : {};
}

function isSet(marker: unknown): boolean {
  return marker !== undefined && marker !== null;
}
