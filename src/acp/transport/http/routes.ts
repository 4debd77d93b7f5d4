/** Which stream a message belongs to: that of a session, or that of the connection. */
import { fieldsOf } from '../../../base/isRecord';
import { AgentMethod } from '../../schema/methods';

/** What an incoming message says about the streams of sessions. */
export interface StreamChange {
  readonly opens?: string;
  readonly closes?: string;
}

/** After the answer to one of these nothing more comes of the session. */
const LAST_METHODS: ReadonlySet<unknown> = new Set([
  AgentMethod.closeSession,
  AgentMethod.deleteSession,
]);

const NO_CHANGE: StreamChange = {};

/** Follows the requests of both sides, since an answer does not say which session it is about. */
export class Routes {
  /** Our requests about a session that are not answered yet, by id. */
  private readonly asked = new Map<
    string,
    { readonly sessionId: string; readonly isLast: boolean }
  >();
  /** The sessions of the agent's requests that are not answered yet, by id. */
  private readonly askedOfUs = new Map<string, string>();

  /** The session that a message to the agent is about, if any. */
  sent(message: object): string | undefined {
    const { id, method, params } = fieldsOf(message);
    if (method === undefined) {
      const sessionId = this.askedOfUs.get(keyOf(id));
      this.askedOfUs.delete(keyOf(id));
      return sessionId;
    }
    const { sessionId } = fieldsOf(params);
    if (typeof sessionId !== 'string') return undefined;
    if (id !== undefined) {
      this.asked.set(keyOf(id), { sessionId, isLast: LAST_METHODS.has(method) });
    }
    return sessionId;
  }

  /** The session that an answer of the agent is about, before it was `received`. */
  sessionOf(answer: object): string | undefined {
    const { id, method } = fieldsOf(answer);
    return method === undefined ? this.asked.get(keyOf(id))?.sessionId : undefined;
  }

  received(message: object): StreamChange {
    const { id, method, params, result } = fieldsOf(message);
    if (method === undefined) {
      const asked = this.asked.get(keyOf(id));
      this.asked.delete(keyOf(id));
      if (asked?.isLast) return { closes: asked.sessionId };
      return opens(fieldsOf(result)['sessionId']);
    }
    const { sessionId, update } = fieldsOf(params);
    if (id !== undefined && typeof sessionId === 'string') {
      this.askedOfUs.set(keyOf(id), sessionId);
    }
    // The session of a subagent has a stream of its own.
    return opens(fieldsOf(update)['sessionId']);
  }
}

function opens(sessionId: unknown): StreamChange {
  return typeof sessionId === 'string' ? { opens: sessionId } : NO_CHANGE;
}

/** Some agents answer `"1"` to 1. */
function keyOf(id: unknown): string {
  return typeof id === 'string' || typeof id === 'number' ? `${id}` : '';
}
