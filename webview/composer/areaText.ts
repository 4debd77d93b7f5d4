import { mentionPieces } from '../../src/session/state/mentions';
import type { Attachment } from '../../src/session/state/state';

/** Puts `text` in the place from `start` to `end`, as if it were typed: it can be undone. */
export function insertText(
  area: HTMLTextAreaElement,
  text: string,
  start: number,
  end: number,
): void {
  area.focus();
  area.setSelectionRange(start, end);
  document.execCommand(text === '' ? 'delete' : 'insertText', false, text);
}

/** Takes the words for `attachment` out of the text. */
export function removeMention(area: HTMLTextAreaElement, attachment: Attachment): void {
  let end = area.value.length;
  for (const { text, attachment: isIt } of mentionPieces(area.value, [attachment]).toReversed()) {
    const start = end - text.length;
    // With the blank that came with it.
    if (isIt) insertText(area, '', start, area.value[end] === ' ' ? end + 1 : end);
    end = start;
  }
}
