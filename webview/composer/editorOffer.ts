import type { Attachment } from '../../src/session/state/state';
import type { PanelState } from '../../src/shared/panelState';

/** What a view remembers about what is open in the editor. */
export interface EditorMemory {
  /** It goes along with each message. */
  readonly followsEditor?: boolean;
  /** Chats in which it is not offered. */
  readonly chatsWithoutEditor?: readonly string[];
}

/** What is open in the editor, as it is offered to a message. */
export type OfferedEditor = NonNullable<PanelState['activeEditor']> & {
  /** It goes along with the message. */
  readonly isFollowed: boolean;
};

/** More are not remembered. */
const MAX_CHATS = 200;

/** Nothing where it is attached already, or not wanted in the chat. */
export function offeredEditor(
  active: PanelState['activeEditor'],
  attachments: readonly Attachment[],
  { followsEditor: isFollowed = false, chatsWithoutEditor }: EditorMemory,
  chatId: string,
): OfferedEditor | undefined {
  if (!active || chatsWithoutEditor?.includes(chatId)) return undefined;
  return attachments.some(({ label }) => label === active.label)
    ? undefined
    : { ...active, isFollowed };
}

/** The memory of a chat in which it is not wanted any more. */
export function withoutEditor(
  { chatsWithoutEditor = [] }: EditorMemory,
  chatId: string,
): EditorMemory {
  return { chatsWithoutEditor: [...chatsWithoutEditor, chatId].slice(-MAX_CHATS) };
}
