import type { Attachment } from '../../src/session/state/state';
import { emitIntent } from '../intent';

/** Shows what is attached: an image in the page (`parley-preview`), anything else in the editor. */
export function openAttachment(source: EventTarget, attachment: Attachment): void {
  if (attachment.kind === 'image') {
    source.dispatchEvent(
      new CustomEvent<Attachment>('parley-preview', { detail: attachment, bubbles: true }),
    );
  } else {
    emitIntent(source, { type: 'openAttachment', attachmentId: attachment.id });
  }
}
