import type { SessionState } from '../../session/state/state';
import { chatMarkdown } from '../chats/chatMarkdown';

/** Of a conversation that is sent along, in UTF-16 units. */
const MAX_CONVERSATION = 256 * 1024;

/** What was said in a chat. A long one loses its beginning. */
export function conversationText(chat: SessionState): string {
  const whole = chatMarkdown(chat);
  return whole.length > MAX_CONVERSATION ? `…${whole.slice(-MAX_CONVERSATION)}` : whole;
}
