/**
 * What an error code means. Besides JSON-RPC's and ACP's, agents answer codes of their own (-31xxx) and
 * HTTP statuses, and use some of the common ones otherwise.
 */
import { toJson } from '../../base/json';
import { ErrorCode, RequestError } from '../errors';
import { isObject } from '../guards/primitives';

export type ErrorMeaning =
  | 'authRequired'
  | 'connectionLost'
  | 'timeout'
  | 'unsupportedVersion'
  | 'methodNotFound'
  | 'sessionNotFound'
  | 'sessionExpired'
  | 'sessionLocked'
  | 'toolNotFound'
  | 'toolDisabled'
  | 'toolTimeout'
  | 'fileNotFound'
  | 'fileDenied'
  | 'fileTooLarge'
  | 'mcpFailed'
  | 'mcpUnavailable'
  | 'modelRefusedRequest'
  | 'credentialsRefused'
  | 'paymentRequired'
  | 'notAllowed'
  | 'modelNotFound'
  | 'requestTooLarge'
  | 'rateLimited'
  | 'serviceFailed'
  | 'serviceOverloaded'
  | 'other';

const MEANINGS: ReadonlyMap<number, ErrorMeaning> = new Map<number, ErrorMeaning>([
  [ErrorCode.authRequired, 'authRequired'],
  [ErrorCode.methodNotFound, 'methodNotFound'],
  [-31900, 'sessionNotFound'],
  [-31901, 'sessionExpired'],
  [-31902, 'sessionLocked'],
  [-31800, 'toolNotFound'],
  [-31801, 'toolDisabled'],
  [-31802, 'toolTimeout'],
  [-31700, 'fileNotFound'],
  [-31701, 'fileDenied'],
  [-31702, 'fileTooLarge'],
  [-31600, 'mcpFailed'],
  [-31601, 'mcpUnavailable'],
]);

const STATUSES: ReadonlyMap<number, ErrorMeaning> = new Map<number, ErrorMeaning>([
  [400, 'modelRefusedRequest'],
  [401, 'credentialsRefused'],
  [402, 'paymentRequired'],
  [403, 'notAllowed'],
  [404, 'modelNotFound'],
  [408, 'timeout'],
  [413, 'requestTooLarge'],
  [422, 'modelRefusedRequest'],
  [429, 'rateLimited'],
  [503, 'serviceOverloaded'],
  [504, 'timeout'],
  [529, 'serviceOverloaded'],
]);

export function meaningOf(error: unknown): ErrorMeaning {
  if (!(error instanceof RequestError)) return 'other';
  const { code, message, data } = error;
  // One of the seeds has "Connection lost" and "Timeout" where the protocol has other things.
  if (code === ErrorCode.authRequired && /^connection (was )?(lost|closed)/i.test(message)) {
    return 'connectionLost';
  }
  if (code === -32001) {
    if (/version/i.test(message)) return 'unsupportedVersion';
    return /time(d )?.?out/i.test(message) ? 'timeout' : 'other';
  }
  const told = MEANINGS.get(code) ?? ofStatus(code) ?? ofStatus(statusIn(data));
  if (told) return told;
  const isMissing = code === ErrorCode.internal && NO_SESSION.test(`${message} ${textOf(data)}`);
  return isMissing ? 'sessionNotFound' : 'other';
}

/** Some agents call a session that they do not find an internal error, and say the rest in words. */
const NO_SESSION =
  /\bsessions?\b.{0,80}\b(not found|does not exist|unknown)\b|\b(no|unknown|invalid)( \w+)? sessions?\b/i;

function textOf(data: unknown): string {
  return typeof data === 'string' ? data : data === undefined ? '' : toJson(data);
}

function ofStatus(status: unknown): ErrorMeaning | undefined {
  if (typeof status !== 'number') return undefined;
  return STATUSES.get(status) ?? (status >= 500 && status <= 599 ? 'serviceFailed' : undefined);
}

/** Some agents answer "Internal error" and put the service's status into `data`. */
function statusIn(data: unknown): unknown {
  if (!isObject(data)) return undefined;
  return data['status'] ?? data['statusCode'] ?? data['code'];
}
