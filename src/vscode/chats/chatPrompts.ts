import type { Chats } from '../../session/chats';
import type { ChatActions } from './chatActions';
import type { ChatViews } from '../chatView/chatViews';
import type { PromptDelivery } from '../review/comments/changeComments';

/** Sends prompts that are written outside the composer, and shows the chat they go to. */
export class ChatPrompts implements PromptDelivery {
  constructor(
    private readonly chats: Chats,
    private readonly views: ChatViews,
    private readonly actions: ChatActions,
  ) {}

  async deliver(chatId: string | undefined, prompt: string): Promise<boolean> {
    const meant = chatId === undefined ? undefined : this.chats.get(chatId);
    const chat = meant ?? (await this.actions.currentOrNew());
    if (!chat) return false;
    chat.controller.sendApart(prompt);
    await this.views.reveal(chat.chatId);
    return true;
  }
}
