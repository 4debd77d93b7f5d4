import type { MentionItem } from '../../src/shared/queries';
import type { Ask } from './mentionList';
import { mentionPasted } from './pastedCode';

export interface PasteTarget {
  readonly area: HTMLTextAreaElement | null;
  readonly ask: Ask;
  readonly chosen: (item: MentionItem) => void;
  readonly attach: (files: readonly File[]) => Promise<void>;
}

/** What is pasted where a prompt is written: code from an editor becomes a mention, files are attached. */
export function paste(event: ClipboardEvent, target: PasteTarget): void {
  const files = [...(event.clipboardData?.files ?? [])];
  // Text wins: office programs put a picture of it beside it.
  if (event.clipboardData?.getData('text/plain')) {
    if (target.area) void mentionPasted(event, target.area, target.ask, target.chosen);
  } else if (files.length > 0) {
    event.preventDefault();
    void target.attach(files);
  }
}
