/** What an agent says of a failure is shown in cards, which are photographed and handed on: secrets in it are masked. */
import { RequestError } from '../../../acp/rpc/errors';
import type * as schema from '../../../acp/schema/schema';
import { maskedJson } from '../../traffic/maskedJson';
import type { Json, JsonObject } from '../../traffic/recording';

export type Mask = (text: string) => string;

export function maskedError(error: unknown, mask: Mask): unknown {
  if (!(error instanceof RequestError)) return error;
  const { code, message, data } = error;
  return new RequestError(code, mask(message), maskedJson({ data: data as Json }, mask)['data']);
}

/** With v2 an update says that a turn has failed. */
export function maskedFailure(update: schema.SessionUpdate, mask: Mask): schema.SessionUpdate {
  const { sessionUpdate, error }: { sessionUpdate: string; error?: unknown } = update;
  if (sessionUpdate !== 'state_update' || typeof error !== 'object') return update;
  return Object.assign({}, update, maskedJson({ error: error as JsonObject }, mask));
}
