/** What agents that depart from the schema answer to the client's requests, in its shape. */
import * as l10n from '@vscode/l10n';
import { ErrorCode, RequestError } from '../rpc/errors';
import { isObject, mapped, name, type Json } from '../schema/guards/primitives';
import { plainWord } from './statuses';

/** The early draft names methods instead of describing them; "none" is no method at all. */
function authMethods(value: unknown): unknown {
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

/** The answer to `initialize`: ways to sign in as words, and the version as a text. */
export function initializeResult(result: unknown): unknown {
  if (!isObject(result)) return result;
  const asked = protocolVersion(result['protocolVersion']);
  // Who answers 2 in the shape of v1 has repeated what it was asked.
  const version = asked === 2 ? 1 : asked;
  const methods = authMethods(result['authMethods']);
  const isSame = version === result['protocolVersion'] && methods === result['authMethods'];
  if (isSame) return result;
  return {
    ...result,
    protocolVersion: version,
    ...(methods !== undefined && { authMethods: methods }),
  };
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
export function openedSession(result: unknown): unknown {
  if (!isObject(result)) return result;
  const value = withLists(result);
  const { models } = value;
  if (!isObject(models) || !Array.isArray(models['availableModels'])) return value;
  const all: readonly unknown[] = models['availableModels'];
  const availableModels = mapped(all, asModel);
  return availableModels === all ? value : { ...value, models: { ...models, availableModels } };
}

function withLists(value: Json): Json {
  const { modes, models, currentModeId, currentModelId } = value;
  if (!Array.isArray(modes) && !Array.isArray(models)) return value;
  return {
    ...value,
    ...(Array.isArray(modes) && { modes: { availableModes: modes, currentModeId } }),
    ...(Array.isArray(models) && { models: { availableModels: models, currentModelId } }),
  };
}

/** `id` is what some agents call a model's `modelId`. */
function asModel(value: unknown): unknown {
  if (!isObject(value) || value['modelId'] !== undefined) return value;
  const { id, ...rest } = value;
  return { ...rest, modelId: id };
}

/** Ends of turns by other names than the schema's, as plain words. */
const STOP_REASONS: ReadonlyMap<string, string> = new Map([
  ...ends('end_turn', 'endturn', 'success', 'stop', 'stopped', 'done', 'end', 'ok', 'complete'),
  ...ends('end_turn', 'completed', 'finished', 'stopsequence'),
  ...ends('cancelled', 'cancelled', 'canceled', 'cancel', 'aborted', 'abort', 'interrupted'),
  ...ends('max_tokens', 'maxtokens', 'length', 'maxoutputtokens', 'tokenlimit'),
  ...ends('max_turn_requests', 'maxturnrequests', 'maxturns', 'maxiterations', 'maxsteps'),
  ...ends('max_turn_requests', 'errormaxturns', 'errormaxbudgetusd'),
  ...ends('refusal', 'refusal', 'refused', 'contentfilter', 'safety'),
]);

function ends(reason: string, ...words: readonly string[]): (readonly [string, string])[] {
  return words.map(word => [word, reason]);
}

/**
 * The end of a turn in the schema's words.
 * @throws RequestError for the ends that say that there was none: a sign-in is needed, something failed.
 */
export function promptResult(value: unknown): unknown {
  const reason = isObject(value) ? name(value['stopReason']) : undefined;
  // A missing one is a normal end.
  if (!isObject(value) || reason === undefined) return { stopReason: 'end_turn' };
  switch (plainWord(reason)) {
    case 'authrequired':
      throw new RequestError(ErrorCode.authRequired, l10n.t('The agent asks you to sign in.'));
    case 'toolerror':
      throw new RequestError(
        ErrorCode.internal,
        l10n.t('A tool failed, and the agent stopped. Look at its last steps, then try again.'),
      );
    case 'error':
    case 'failed':
    case 'failure': {
      const { error, message } = value;
      const reason = isObject(error) ? error['message'] : error;
      throw new RequestError(
        ErrorCode.internal,
        name(reason) ??
          name(message) ??
          l10n.t('The agent stopped with an error and gave no reason.'),
      );
    }
    default: {
      const known = STOP_REASONS.get(plainWord(reason));
      return known === undefined || known === reason ? value : { ...value, stopReason: known };
    }
  }
}

/** The version as agents write it: as text, or with the minor numbers that ACP does not have. */
function protocolVersion(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const major = /^v?(\d{1,3})(?:\.\d+)*$/i.exec(value.trim())?.[1];
  return major === undefined ? value : Number(major);
}
