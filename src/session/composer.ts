import type { Attachment, Draft, Message } from './state/state';
import type { SessionStore } from './state/store';

/** What stands in the composer of a chat. */
export class Composer {
  constructor(private readonly store: SessionStore) {}

  type(text: string, viewId: string): void {
    this.store.dispatch({ type: 'draftTyped', text, viewId });
  }

  attach(attachment: Attachment): void {
    this.store.dispatch({ type: 'attachmentAdded', attachment });
  }

  remove(attachmentId: string): void {
    this.store.dispatch({ type: 'attachmentRemoved', attachmentId });
  }

  /** Puts a message back, before what stands there. */
  putBack(message: Pick<Message, 'text' | 'attachments'>): void {
    const { draft } = this.store.state;
    this.replace({
      text: [message.text, draft.text].filter(text => text !== '').join('\n'),
      attachments: [...message.attachments, ...draft.attachments],
    });
  }

  replace(draft: Pick<Draft, 'text' | 'attachments'>): void {
    this.store.dispatch({ type: 'draftReplaced', ...draft });
  }
}
