import { ErrorCode, RequestError } from './errors';
import { isObject } from '../schema/guards/primitives';

/** Far more than an agent has reason to ask at once, and few enough to hold, show and answer. */
const MAX_OPEN = 256;

/** Counts what an agent has asked and not been answered, session by session. */
export class OpenRequests {
  private readonly counts = new Map<string, number>();

  /** Runs `answer` unless too many are open. @throws RequestError that asks the agent to wait. */
  async admit<T>(params: unknown, answer: () => Promise<T>): Promise<T> {
    const session = sessionOf(params);
    const count = this.counts.get(session) ?? 0;
    if (count >= MAX_OPEN) {
      throw new RequestError(
        ErrorCode.internal,
        `Too many requests at once: ${MAX_OPEN} of this session are open. Ask again when they are answered`,
      );
    }
    this.counts.set(session, count + 1);
    try {
      return await answer();
    } finally {
      const left = (this.counts.get(session) ?? 1) - 1;
      if (left > 0) this.counts.set(session, left);
      else this.counts.delete(session);
    }
  }
}

/** The parameters are not guarded yet. What names no session counts together. */
function sessionOf(params: unknown): string {
  const sessionId = isObject(params) ? params['sessionId'] : undefined;
  return typeof sessionId === 'string' ? sessionId : '';
}
