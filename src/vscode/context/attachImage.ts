import * as vscode from 'vscode';
import type { Chat } from '../../session/chats';
import { IMAGE_TYPES, MAX_IMAGE_BYTES } from '../../shared/images';
import type { Intent } from '../../shared/intents';
import { showWarningMessage } from '../messages';
import type { ContextAttachments } from './contextAttachments';

/** The longest thumbnail, in UTF-16 units: it goes into the state of the chat. */
const MAX_THUMBNAIL = 16_384;

/** Attaches what a view has read. The view says why an image is refused; here no other may get in. */
export function attachImage(
  { store, controller }: Chat,
  image: Extract<Intent, { type: 'attachImage' }>,
  attachments: Pick<ContextAttachments, 'ofImage'>,
): void {
  const { agent, connection } = store.state;
  const { name, mimeType, data, width, height, thumbnail, turnId } = image;
  const fits = IMAGE_TYPES.includes(mimeType) && data.length <= (MAX_IMAGE_BYTES * 4) / 3 + 4;
  if (!fits || !thumbnail.startsWith('data:image/') || thumbnail.length > MAX_THUMBNAIL) {
    void showWarningMessage(vscode.l10n.t('The image cannot be attached.'));
  } else if (connection.kind === 'ready' && !agent.capabilities.image) {
    void showWarningMessage(
      vscode.l10n.t('{0} does not accept images.', agent.title ?? agent.name),
    );
  } else {
    const picture = { width, height, thumbnail };
    controller.attach(attachments.ofImage(name, mimeType, data, picture, turnId));
  }
}
