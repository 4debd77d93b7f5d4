import type { Disposable } from '../base/lifecycle';
import type { ToView } from './messages';
import {
  parseQuery,
  type Query,
  type QueryAnswer,
  type QueryContext,
  type QueryHandlers,
} from './queries';

/** Queries of one page at the same time; it waits for one before it asks the next of a kind. */
const MAX_RUNNING = 50;

/** The host's end of one page's queries. Each is answered once, unless the page cancels it or goes. */
export class QueryResponder implements Disposable {
  private readonly running = new Map<string, AbortController>();

  constructor(
    private readonly post: (message: ToView) => PromiseLike<boolean>,
    private readonly handlers: QueryHandlers,
    private readonly report: (problem: string, error?: unknown) => void,
  ) {}

  receive(id: unknown, value: unknown, chatId: string | undefined): void {
    if (typeof id !== 'string' || this.running.has(id)) return;
    const query = parseQuery(value);
    if (!query || this.running.size >= MAX_RUNNING) {
      this.report('The chat view asked what Parley does not answer.');
      void this.post({ type: 'queryAnswer', id });
      return;
    }
    void this.answer(id, query, chatId);
  }

  cancel(id: unknown): void {
    if (typeof id !== 'string') return;
    this.running.get(id)?.abort();
    this.running.delete(id);
  }

  /** The page that asked is gone: the next one has not asked what is answered now. */
  clear(): void {
    for (const id of [...this.running.keys()]) this.cancel(id);
  }

  dispose(): void {
    this.clear();
  }

  private async answer(id: string, query: Query, chatId: string | undefined): Promise<void> {
    const controller = new AbortController();
    this.running.set(id, controller);
    const handle: (query: never, context: QueryContext) => Promise<QueryAnswer> =
      this.handlers[query.type];
    let answer: QueryAnswer | undefined;
    try {
      answer = await handle(query as never, { chatId, signal: controller.signal });
    } catch (error) {
      if (!controller.signal.aborted) this.report(`"${query.type}" failed`, error);
    }
    if (controller.signal.aborted) return;
    this.running.delete(id);
    void this.post({ type: 'queryAnswer', id, ...(answer && { answer }) });
  }
}
