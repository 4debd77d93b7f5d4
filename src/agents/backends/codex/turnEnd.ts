/** How Codex ends a turn, as the answer to the prompt. */
import * as l10n from '@vscode/l10n';
import { ErrorCode, RequestError } from '../../../acp/rpc/errors';
import type { Json } from '../../../acp/schema/guards/primitives';
import type * as schema from '../../../acp/schema/schema';
import { isObject } from '../../../acp/schema/guards/primitives';
import { number, object, text } from '../inProcess/json';

/** @param turn that has ended  @throws RequestError when it has failed */
export function promptResponse(turn: Json, isCancelled: boolean): schema.PromptResponse {
  const { status, error } = turn;
  if (isCancelled || status === 'interrupted') return { stopReason: 'cancelled' };
  if (status === 'failed') throw failure(object(error));
  return { stopReason: 'end_turn' };
}

export function signInNeeded(): RequestError {
  return new RequestError(
    ErrorCode.authRequired,
    l10n.t('Codex is not signed in, or its sign-in has expired.'),
  );
}

function failure({ message, codexErrorInfo: info, additionalDetails }: Json): RequestError {
  if (info === 'unauthorized') return signInNeeded();
  const words = [text(message) ?? l10n.t('Codex gave no reason.'), text(additionalDetails)]
    .filter(Boolean)
    .join('\n');
  const status = statusOf(info);
  return new RequestError(ErrorCode.internal, words, status === undefined ? undefined : { status });
}

/** The HTTP status that Codex has got, or the one that means the same. */
function statusOf(info: unknown): number | undefined {
  if (isObject(info)) {
    return Object.values(info)
      .map(each => number(object(each)['httpStatusCode']))
      .find(status => status !== undefined);
  }
  return STATUSES.get(info);
}

const STATUSES: ReadonlyMap<unknown, number> = new Map([
  ['usageLimitExceeded', 429],
  ['rateLimitExceeded', 429],
  ['serverOverloaded', 503],
  ['modelNotFound', 404],
  ['badRequest', 400],
]);
