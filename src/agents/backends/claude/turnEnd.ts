/** How the CLI ends a turn, as the answer to the prompt. */
import * as l10n from '@vscode/l10n';
import { ErrorCode, RequestError } from '../../../acp/rpc/errors';
import type { Json } from '../../../acp/schema/guards/primitives';
import type * as schema from '../../../acp/schema/schema';
import { number, object, strings, text } from '../inProcess/json';
import { saysSignIn } from './messages';

/** @throws RequestError when the turn has failed */
export function promptResponse(result: Json, isCancelled: boolean): schema.PromptResponse {
  if (isCancelled) return { stopReason: 'cancelled' };
  const { subtype, is_error: isError, stop_reason: reason } = result;
  if (subtype === 'error_max_turns') return { stopReason: 'max_turn_requests' };
  if (isError === true || subtype !== 'success') throw failure(result);
  return { stopReason: STOP_REASONS.get(reason) ?? 'end_turn' };
}

/** Whether a result is that of the message with that `uuid`; older CLIs do not say. */
export function answers(result: Json, uuid: string): boolean {
  const answered = [...strings(result['user_message_uuids']), text(result['user_message_uuid'])];
  if (answered.some(Boolean)) return answered.includes(uuid);
  // The agent was woken by work of its own in the background.
  return text(object(result['origin'])['kind']) !== 'task-notification';
}

export function signInNeeded(): RequestError {
  return new RequestError(
    ErrorCode.authRequired,
    l10n.t('Claude Code is not signed in, or its sign-in has expired.'),
  );
}

const STOP_REASONS: ReadonlyMap<unknown, schema.StopReason> = new Map([
  ['refusal', 'refusal'],
  ['max_tokens', 'max_tokens'],
]);

function failure(result: Json): RequestError {
  const words = text(result['result']) ?? strings(result['errors']).join(' ');
  if (saysSignIn(words)) return signInNeeded();
  const status = number(result['api_error_status']);
  return new RequestError(
    ErrorCode.internal,
    words === '' ? l10n.t('Claude Code gave no reason.') : words,
    status === undefined ? undefined : { status },
  );
}
