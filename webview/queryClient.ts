import type { FromView, ToView } from '../src/shared/messages';
import type { AnswerOf, Query } from '../src/shared/queries';

interface Waiting {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

/** The page's end of its queries to the host. */
export class QueryClient {
  private readonly waiting = new Map<string, Waiting>();
  private count = 0;

  /** @param pageId new with each load, so that what an earlier page asked is not answered to this one */
  constructor(
    private readonly post: (message: FromView) => void,
    private readonly pageId: string,
  ) {}

  /** @throws when the host has no answer, or `signal` aborts */
  ask<Q extends Query>(
    query: Q,
    chatId?: string,
    signal?: AbortSignal,
  ): Promise<AnswerOf<Q['type']>> {
    this.count += 1;
    const id = `${this.pageId}/${this.count}`;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(new Error('cancelled'));
        return;
      }
      const cancel = (): void => {
        this.waiting.delete(id);
        this.post({ type: 'cancelQuery', id });
        reject(new Error('cancelled'));
      };
      signal?.addEventListener('abort', cancel, { once: true });
      this.waiting.set(id, {
        resolve(answer: AnswerOf<Q['type']>) {
          signal?.removeEventListener('abort', cancel);
          resolve(answer);
        },
        reject,
      });
      this.post({
        type: 'query',
        id,
        ...(chatId !== undefined && { chatId }),
        query,
      });
    });
  }

  accept(message: ToView): void {
    if (message.type !== 'queryAnswer') return;
    const { id, answer } = message;
    const waiting = this.waiting.get(id);
    if (!waiting) return;
    this.waiting.delete(id);
    if (answer) waiting.resolve(answer as never);
    else waiting.reject(new Error('The host has no answer.'));
  }
}
