import type { MentionItem } from '../../src/shared/queries';
import { insertText } from './areaText';
import type { Ask } from './mentionList';

/** What VS Code's editors put beside the text that is copied from them. */
const FROM_EDITOR = 'vscode-editor-data';

/**
 * Code that was copied in an editor is pasted as it is; where the host finds where it comes from, that takes its place.
 * Undo brings the code back.
 */
export async function mentionPasted(
  event: ClipboardEvent,
  area: HTMLTextAreaElement,
  ask: Ask,
  chosen: (item: MentionItem) => void,
): Promise<void> {
  const data = event.clipboardData;
  const text = data?.getData('text/plain').replaceAll('\r\n', '\n') ?? '';
  if (!data?.types.includes(FROM_EDITOR) || !text.trim().includes('\n')) return;
  const start = area.selectionStart;
  const { item } = await ask({ type: 'pastedCode', text }).catch(() => ({ item: undefined }));
  const end = start + text.length;
  if (!item || area.value.slice(start, end) !== text) return;
  chosen(item);
  const caret = area.selectionEnd + item.mention.length + 1 - text.length;
  insertText(area, `${item.mention} `, start, end);
  if (caret > start + item.mention.length + 1) area.setSelectionRange(caret, caret);
}
