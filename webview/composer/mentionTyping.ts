import type { MentionItem } from '../../src/shared/queries';
import { insertText } from './areaText';
import type { Ask, MentionList } from './mentionList';
import { typedMention } from './typedMention';

export interface MentionTypingActions {
  readonly area: () => HTMLTextAreaElement | null;
  readonly ask: Ask;
  /** Something else is to be drawn. */
  readonly changed: () => void;
  readonly chosen: (item: MentionItem) => void;
  /** Enter is for the message after all. */
  readonly enter: () => void;
}

/** Follows the caret: where an `@` was typed before it, there is a list of what that may stand for. */
export class MentionTyping {
  /** Loaded with the first `@`. */
  list: MentionList | undefined;
  private loading = false;

  constructor(private readonly actions: MentionTypingActions) {}

  /** The text or the caret may have changed. */
  follow(): void {
    const area = this.actions.area();
    const isCaret =
      area && document.activeElement === area && area.selectionStart === area.selectionEnd;
    const typed = isCaret ? typedMention(area.value, area.selectionEnd) : undefined;
    if (this.list) this.list.update(typed);
    else if (typed && !this.loading) void this.load();
  }

  private async load(): Promise<void> {
    this.loading = true;
    try {
      const { MentionList } = await import('./mentionList');
      const { changed, ask, enter } = this.actions;
      this.list = new MentionList({
        changed,
        ask,
        enter,
        choose: (item, { start }) => this.choose(item, start),
      });
      this.follow();
    } finally {
      this.loading = false;
    }
  }

  private choose(item: MentionItem, start: number): void {
    const area = this.actions.area();
    if (!area) return;
    this.actions.chosen(item);
    const end = area.selectionEnd;
    const space = /^\s/.test(area.value.slice(end)) ? '' : ' ';
    insertText(area, item.mention + space, start, end);
  }
}
