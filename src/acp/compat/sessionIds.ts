/**
 * Sessions that have numbers for ids. Behind the wire an id is a text that says so; the agent gets its number
 * back, also from a chat that an earlier process of it began.
 */
import { isObject, type Json } from '../schema/guards/primitives';

const PREFIX = 'number:';

const NUMBERED = /^number:(-?\d{1,15}(?:\.\d+)?)$/;

/** The session ids of one agent. */
export class SessionIds {
  /** Whether the agent has said a number: then a text with one names the same session. */
  private areNumbers = false;

  /** What came (parameters or a result), with ids that are texts. */
  read(value: unknown): unknown {
    if (!isObject(value)) return value;
    const { sessionId, sessions } = value;
    if (Array.isArray(sessions)) {
      return { ...value, sessions: sessions.map((each: unknown) => this.read(each)) };
    }
    const id = this.asText(sessionId);
    return id === sessionId ? value : { ...value, sessionId: id };
  }

  private asText(id: unknown): unknown {
    if (typeof id === 'number') {
      this.areNumbers = true;
      return `${PREFIX}${id}`;
    }
    const isText = this.areNumbers && typeof id === 'string' && NUMBERED.test(`${PREFIX}${id}`);
    return isText ? `${PREFIX}${id}` : id;
  }
}

/** What is sent, with the ids that the agent gave. */
export function withGivenId(params: object): object {
  const { sessionId } = params as Json;
  const number = typeof sessionId === 'string' ? NUMBERED.exec(sessionId)?.[1] : undefined;
  return number === undefined ? params : { ...params, sessionId: Number(number) };
}
