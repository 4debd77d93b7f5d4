import { AgentMethod, FORK_SESSION_METHOD } from '../../acp/schema/methods';
import { kindOf, textField, type Json, type RecordedMessage, type Side } from './recording';

/** Requests of the client that open a session. */
const OPENING: readonly string[] = [
  AgentMethod.newSession,
  AgentMethod.loadSession,
  AgentMethod.resumeSession,
  FORK_SESSION_METHOD,
];
/** Requests that are about no chat, and that a recording of one needs. */
const SHARED: readonly string[] = [AgentMethod.initialize, AgentMethod.authenticate];

/**
 * The part of an agent's traffic that is about one chat: an agent serves several, and a report of one says nothing
 * of the others. Sessions of subagents, which nobody has opened, stay.
 * @param sessionId of the chat; undefined when it has none yet
 * @param others the sessions of other chats
 */
export function trafficOfChat(
  messages: readonly RecordedMessage[],
  sessionId: string | undefined,
  others: ReadonlySet<string>,
): RecordedMessage[] {
  const foreign = new Set(others);
  for (const { opened } of sessionsOpened(messages)) foreign.add(opened);
  if (sessionId !== undefined) foreign.delete(sessionId);
  const openedBy = new Map(
    sessionsOpened(messages).map(({ request, opened }) => [request, opened]),
  );
  /** The requests that stay, by who sent them and their id: their answers do too. */
  const asked = new Set<string>();
  return messages.filter(entry => {
    const { from, message } = entry;
    const kind = kindOf(message);
    if (kind.kind === 'response') return asked.has(keyOf(other(from), kind.id));
    const session = textField(message, 'params', 'sessionId') ?? openedBy.get(entry);
    const isOpening = from === 'client' && OPENING.includes(kind.method);
    const stays =
      session === undefined
        ? isOpening || SHARED.includes(kind.method) || from === 'agent'
        : !foreign.has(session);
    if (stays && kind.kind === 'request') asked.add(keyOf(from, kind.id));
    return stays;
  });
}

/** The sessions that the client has opened, and by which request. */
function sessionsOpened(
  messages: readonly RecordedMessage[],
): { readonly request: RecordedMessage; readonly opened: string }[] {
  const asking = new Map<string, RecordedMessage>();
  const found: { request: RecordedMessage; opened: string }[] = [];
  for (const entry of messages) {
    const { from, message } = entry;
    const kind = kindOf(message);
    if (kind.kind === 'request' && from === 'client' && OPENING.includes(kind.method)) {
      asking.set(keyOf(from, kind.id), entry);
      const asked = textField(message, 'params', 'sessionId');
      if (asked !== undefined) found.push({ request: entry, opened: asked });
    } else if (kind.kind === 'response' && from === 'agent') {
      const request = asking.get(keyOf('client', kind.id));
      const opened = textField(message, 'result', 'sessionId');
      if (request && opened !== undefined) found.push({ request, opened });
      asking.delete(keyOf('client', kind.id));
    }
  }
  return found;
}

function other(side: Side): Side {
  return side === 'client' ? 'agent' : 'client';
}

function keyOf(side: Side, id: Json | undefined): string {
  return `${side} ${JSON.stringify(id)}`;
}
