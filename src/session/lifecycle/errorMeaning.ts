/**
 * What an error code means. Besides JSON-RPC's and ACP's, agents answer codes of their own (-31xxx) and
 * HTTP statuses, and use some of the common ones otherwise.
 */
import { toJson } from '../../base/json';
import { ErrorCode, RequestError } from '../../acp/rpc/errors';
import { isObject } from '../../acp/schema/guards/primitives';

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
  const meaning = MEANINGS.get(code) ?? ofStatus(code) ?? ofStatus(statusIn(data));
  if (meaning) return meaning;
  return code === ErrorCode.internal ? ofWords(`${message} ${textOf(data)}`) : 'other';
}

/** Some agents call everything an internal error, and say what it is in words. */
function ofWords(words: string): ErrorMeaning {
  const status = STATUS.exec(words.replace(/^internal error:?\s*/i, ''))?.[1];
  const meaning = status === undefined ? undefined : ofStatus(Number(status));
  return meaning ?? WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? 'other';
}

/** A status as libraries write it: "401 Invalid API key", "API Error: 429 …", "HTTP 503", "status code 500". */
const STATUS =
  /(?:^\W*|\bdetails"?: ?"|\bAPI error:? ?|\bHTTP(?: error)?:? ?|\bstatus(?: ?code)?[ :=]+)([45]\d\d)\b/i;

const WORDS: readonly (readonly [RegExp, ErrorMeaning])[] = [
  [
    /\bsessions?\b.{0,80}\b(not found|does not exist|unknown)\b|\b(no|unknown|invalid)( \w+)? sessions?\b/i,
    'sessionNotFound',
  ],
  [
    /\b(missing|invalid|incorrect|expired|no)\b.{0,20}\b(api[ _-]?key|credentials?)\b|\b(api[ _-]?key|credentials?)\b.{0,20}\b(missing|invalid|incorrect|expired|not (set|found|configured)|required)\b|\bunauthori[sz]ed\b|\bnot (logged|signed) in\b|\bplease (log|sign) ?in\b|\b(authentication|login) (failed|required|error)\b|\bno authentication\b/i,
    'credentialsRefused',
  ],
  [/\brate.?limit(ed)?\b|\btoo many requests\b|\bquota\b/i, 'rateLimited'],
  [/\boverloaded\b/i, 'serviceOverloaded'],
  [
    /\b(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ENETUNREACH|fetch failed|getaddrinfo|network error|connection error)\b/i,
    'connectionLost',
  ],
  [/\b(ETIMEDOUT|timed out)\b/i, 'timeout'],
];

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
