import { ErrorCode, RequestError } from '../../../acp/rpc/errors';
import type { Json } from '../../../acp/schema/guards/primitives';
import { ServerError } from './appServer';

/** Codes of agents that Parley has words for. */
const SESSION_LOCKED = -31_902;

/** What a thread that is there answers. @throws RequestError where it is not */
export async function known(asked: Promise<Json>, id: string): Promise<Json> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ServerError && /active writer/i.test(error.message)) {
      throw new RequestError(SESSION_LOCKED, error.message);
    }
    const isGone =
      error instanceof ServerError &&
      /no rollout found|not found|invalid thread id/i.test(error.message);
    throw isGone ? unknownSession(id) : error;
  }
}

export function unknownSession(id: string): RequestError {
  return new RequestError(ErrorCode.resourceNotFound, `Session not found: ${id}`);
}
