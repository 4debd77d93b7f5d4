/** `terminal/*` as agents ask it that depart from the schema, and the answers they understand. */
import { isObject } from '../schema/guards/primitives';
import type * as schema from '../schema/schema';

/** The early draft, and only it, limits output so. */
export function isEarlyTerminal(params: unknown): boolean {
  return isObject(params) && params['outputBytesLimit'] !== undefined;
}

/** The environment as an object, and the early draft's name for the limit. */
export function asCreateTerminal(params: unknown): unknown {
  if (!isObject(params)) return params;
  const { env } = params;
  const environment = isObject(env)
    ? Object.entries(env).map(entry => ({ name: entry[0], value: entry[1] }))
    : env === null
      ? []
      : env;
  if (environment === env && !('outputBytesLimit' in params)) return params;
  const { outputBytesLimit, ...rest } = params;
  return {
    ...rest,
    ...(environment !== undefined && { env: environment }),
    ...(outputBytesLimit !== undefined &&
      !('outputByteLimit' in rest) && { outputByteLimit: outputBytesLimit }),
  };
}

/** The schema's answer with the early draft's flat fields beside it, which leave out what is not known. */
export function earlyOutput(
  response: schema.TerminalOutputResponse,
): schema.TerminalOutputResponse & { readonly exitCode?: number; readonly signal?: string } {
  return { ...response, ...(response.exitStatus && earlyExit(response.exitStatus)) };
}

/** No nulls: absent says the same in the schema too. */
export function earlyExit({
  exitCode,
  signal,
}: schema.WaitForTerminalExitResponse | schema.TerminalExitStatus): {
  readonly exitCode?: number;
  readonly signal?: string;
} {
  return {
    ...(typeof exitCode === 'number' && { exitCode }),
    ...(typeof signal === 'string' && { signal }),
  };
}
