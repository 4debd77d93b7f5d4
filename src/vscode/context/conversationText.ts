import type { SessionState } from '../../session/state/state';
import { chatMarkdown } from '../chats/chatMarkdown';

/** Of a conversation that is sent along, in UTF-16 units. */
const MAX_CONVERSATION = 256 * 1024;

/** What was said in a chat, without secrets: another agent may get it. A long one loses its beginning. */
export function conversationText(chat: SessionState, mask: (text: string) => string): string {
  const whole = chatMarkdown(chat, mask);
  return whole.length > MAX_CONVERSATION ? `…${whole.slice(-MAX_CONVERSATION)}` : whole;
}
