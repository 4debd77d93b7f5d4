/** What a session remembers of its conversation, in the form in which it is replayed. */
import type * as schema from '../acp/schema/schema';

/**
 * Adds `update` to `history`: text joins the message it continues, changes join their tool call, a plan
 * replaces the one before. What is not conversation (commands, usage, notices) is left out.
 */
export function record(history: schema.SessionUpdate[], update: schema.SessionUpdate): void {
  switch (update.sessionUpdate) {
    case 'user_message_chunk':
    case 'agent_message_chunk':
    case 'agent_thought_chunk': {
      const last = history.at(-1);
      if (
        last?.sessionUpdate === update.sessionUpdate &&
        last.messageId === update.messageId &&
        last.content.type === 'text' &&
        update.content.type === 'text'
      ) {
        const text = last.content.text + update.content.text;
        history[history.length - 1] = { ...last, content: { type: 'text', text } };
      } else {
        history.push(structuredClone(update));
      }
      return;
    }
    case 'tool_call':
      history.push(structuredClone(update));
      return;
    case 'tool_call_update': {
      const index = history.findLastIndex(
        entry => entry.sessionUpdate === 'tool_call' && entry.toolCallId === update.toolCallId,
      );
      const call = history[index];
      if (call?.sessionUpdate !== 'tool_call') return;
      const changes = Object.entries(update).filter(([, value]) => value != null);
      history[index] = {
        ...call,
        ...structuredClone(Object.fromEntries(changes)),
        sessionUpdate: 'tool_call',
      };
      return;
    }
    case 'plan': {
      const index = history.findLastIndex(
        entry => entry.sessionUpdate === 'plan' || entry.sessionUpdate === 'user_message_chunk',
      );
      if (history[index]?.sessionUpdate === 'plan') history.splice(index, 1);
      history.push(structuredClone(update));
      return;
    }
    default:
      return;
  }
}

/** A terminal lives no longer than its session: what it printed is kept as text. */
export function keepOutput(
  history: schema.SessionUpdate[],
  toolCallId: string,
  output: string,
): void {
  record(history, {
    sessionUpdate: 'tool_call_update',
    toolCallId,
    content: [{ type: 'content', content: { type: 'text', text: output } }],
  });
}
