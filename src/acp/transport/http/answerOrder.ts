import { isRecord } from '../../../base/isRecord';

/** Unknown to every agent, which says so: names that begin with an underscore are free. */
const MARK_METHOD = '_parley/mark';

/** How the ids of such requests begin. */
const MARK_ID = 'parley-mark-';

export interface AnswerOrderHooks {
  /** The session that an answer is about, if that is known. */
  sessionOf(answer: object): string | undefined;
  /** Sends a request about that session; rejects when the server does not take it. */
  ask(json: string, sessionId: string): Promise<void>;
  /** Gets every message that came, in the order in which the agent sent those of one session. */
  deliver(json: string): void;
}

/**
 * Puts what comes on several streams in order. The answer to `session/load` comes on the connection's stream, and
 * what it is the end of, the conversation, on the session's: the answer can be faster. So it is kept until the
 * answer to another request, which the agent got later, has come on the session's stream.
 */
export class AnswerOrder {
  /** Answers that are kept, by the id of the request whose answer they wait for. */
  private readonly kept = new Map<string, string>();
  private marks = 0;

  constructor(private readonly hooks: AnswerOrderHooks) {}

  /** @param stream the session whose stream it came on; undefined for the connection's */
  received(json: string, stream: string | undefined): void {
    const message = this.isOfInterest(json, stream) ? parsed(json) : undefined;
    const mark = message?.['id'];
    if (typeof mark === 'string' && this.kept.has(mark)) {
      this.release(mark);
      return;
    }
    const sessionId = message && this.hooks.sessionOf(message);
    if (sessionId === undefined || sessionId === stream) this.hooks.deliver(json);
    else this.keep(json, sessionId);
  }

  /** Most messages come on the stream of their session, and are not looked at. */
  private isOfInterest(json: string, stream: string | undefined): boolean {
    return stream === undefined || (this.kept.size > 0 && json.includes(MARK_ID));
  }

  private keep(json: string, sessionId: string): void {
    const id = `${MARK_ID}${(this.marks += 1)}`;
    this.kept.set(id, json);
    const request = JSON.stringify({ jsonrpc: '2.0', id, method: MARK_METHOD });
    this.hooks.ask(request, sessionId).catch(() => this.release(id));
  }

  private release(mark: string): void {
    const json = this.kept.get(mark);
    this.kept.delete(mark);
    if (json !== undefined) this.hooks.deliver(json);
  }
}

function parsed(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
