/** What agents that depart from the schema answer to the client's requests, in its shape. */
import * as l10n from '@vscode/l10n';
import { ErrorCode, RequestError } from '../errors';
import { isObject, name } from '../guards/primitives';

/** The early draft names methods instead of describing them; "none" is no method at all. */
export function asAuthMethods(value: unknown): unknown {
  if (!Array.isArray(value) || !value.some(method => typeof method === 'string')) return value;
  return value
    .filter(method => method !== 'none')
    .map((method: unknown) =>
      typeof method === 'string' ? { id: method, name: authName(method) } : method,
    );
}

function authName(method: string): string {
  switch (method) {
    case 'password':
      return l10n.t('Password');
    case 'oauth':
      return l10n.t('Sign in with the browser');
    default:
      return method;
  }
}

/** Whether the answer to `initialize` is one that only the early draft has. */
export function isEarlyInitialize(result: unknown): boolean {
  if (!isObject(result)) return false;
  const { agentCapabilities: capabilities, authMethods } = result;
  if (Array.isArray(authMethods) && authMethods.some(method => typeof method === 'string')) {
    return true;
  }
  if (!isObject(capabilities)) return false;
  return typeof capabilities['modes'] === 'boolean' || typeof capabilities['plan'] === 'boolean';
}

/** A session of which the modes or models are lists, with the current one beside them. */
export function asOpenedSession(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { modes, models, currentModeId, currentModelId } = value;
  if (!Array.isArray(modes) && !Array.isArray(models)) return value;
  return {
    ...value,
    ...(Array.isArray(modes) && { modes: { availableModes: modes, currentModeId } }),
    ...(Array.isArray(models) && { models: { availableModels: models, currentModelId } }),
  };
}

/** `id` is what some agents call a model's `modelId`. */
export function asModel(value: unknown): unknown {
  if (!isObject(value) || value['modelId'] !== undefined) return value;
  const { id, ...rest } = value;
  return { ...rest, modelId: id };
}

/** Ends of turns by other names than the schema's. */
const STOP_REASONS: ReadonlyMap<unknown, string> = new Map([
  ['success', 'end_turn'],
  ['stop', 'end_turn'],
  ['canceled', 'cancelled'],
  ['error_max_turns', 'max_turn_requests'],
  ['error_max_budget_usd', 'max_turn_requests'],
]);

/**
 * The end of a turn in the schema's words.
 * @throws RequestError for the ends that say that there was none: a sign-in is needed, a tool failed.
 */
export function asPromptResponse(value: unknown): unknown {
  if (!isObject(value)) return value;
  const reason = name(value['stopReason']);
  if (reason === 'auth_required') {
    throw new RequestError(ErrorCode.authRequired, l10n.t('The agent asks you to sign in.'));
  }
  if (reason === 'tool_error') {
    throw new RequestError(
      ErrorCode.internal,
      l10n.t(
        'A tool failed, and the agent ended the turn. Look at its last steps, then try again.',
      ),
    );
  }
  const known = STOP_REASONS.get(reason);
  return known === undefined ? value : { ...value, stopReason: known };
}
