import type { nothing, TemplateResult } from 'lit';
import type { AnswerOf, MentionGroup, MentionItem, Query } from '../../src/shared/queries';
import { arrowed, type Completion } from './completion';
import { MENTION_LIST_ID, mentionOptionId, mentionPopup } from './mentionPopup';
import type { TypedMention } from './typedMention';

/** Asks the host. */
export type Ask = <Q extends Query>(query: Q, signal?: AbortSignal) => Promise<AnswerOf<Q['type']>>;

export interface MentionListActions {
  /** Something else is to be drawn. */
  readonly changed: () => void;
  readonly ask: Ask;
  readonly choose: (item: MentionItem, typed: TypedMention) => void;
  /** Enter was waiting for what is not there: it is for the message. */
  readonly enter: () => void;
}

/** Before other programs are asked, typing pauses for so long, in ms. */
const TYPING_PAUSE = 120;
/** Without an answer for so long, in ms, the list says that it searches. */
const PATIENCE = 300;

/** What `@` and the letters behind it may stand for, as the host answers. */
export class MentionList implements Completion {
  readonly listId = MENTION_LIST_ID;
  private typed: TypedMention | undefined;
  /** Where the `@` stands for which Esc closed the list. */
  private dismissed: number | undefined;
  private quick: readonly MentionGroup[] = [];
  private slow: readonly MentionGroup[] = [];
  private current = 0;
  private asking: AbortController | undefined;
  /** Answers that are on their way for what is typed now. */
  private readonly awaited = new Set<'quick' | 'slow'>();
  private searches = false;
  /** The key that came before the answer that it is about. */
  private takes: 'Enter' | 'Tab' | undefined;
  /** When it came, the list had something of the slow answer. */
  private sawSlow = false;

  constructor(private readonly actions: MentionListActions) {}

  /** Until the first answer the list is open, though there is nothing to see: Enter waits for it. */
  get isOpen(): boolean {
    return this.typed !== undefined && (this.items.length > 0 || this.awaited.has('quick'));
  }

  get currentId(): string | undefined {
    return this.items.length > 0 ? mentionOptionId(this.current) : undefined;
  }

  update(typed: TypedMention | undefined): void {
    const { typed: before } = this;
    if (before?.start === typed?.start && before?.query === typed?.query) return;
    if (typed?.start !== this.dismissed) this.dismissed = undefined;
    if (!typed || typed.start === this.dismissed) {
      if (before) this.close();
      return;
    }
    if (before?.start !== typed.start) this.clear();
    this.typed = typed;
    this.search(typed.query);
  }

  key(event: KeyboardEvent): boolean {
    if (event.key === 'Escape') {
      this.dismissed = this.typed?.start;
      this.close();
      return true;
    }
    if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) {
      this.takes = event.key;
      this.sawSlow = this.slow.length > 0;
      this.take();
      return true;
    }
    const next = arrowed(event.key, this.current, this.items.length);
    if (next === undefined || this.items.length === 0) return false;
    this.current = next;
    this.actions.changed();
    return true;
  }

  render(): TemplateResult | typeof nothing {
    return mentionPopup({
      groups: this.groups,
      current: this.current,
      searches: this.searches,
      isNew: this.typed?.query === '',
      onChoose: item => this.choose(item),
    });
  }

  private get groups(): readonly MentionGroup[] {
    return [...this.quick, ...this.slow];
  }

  private get items(): readonly MentionItem[] {
    return this.groups.flatMap(({ items }) => items);
  }

  private search(text: string): void {
    this.asking?.abort();
    const asking = new AbortController();
    const { signal } = asking;
    this.asking = asking;
    this.awaited.add('quick').add('slow');
    this.takes = undefined;
    const answered = (kind: 'quick' | 'slow', groups: readonly MentionGroup[]) => {
      if (signal.aborted) return;
      this.awaited.delete(kind);
      this[kind] = groups;
      if (kind === 'quick') {
        this.searches = false;
        this.current = 0;
      }
      this.current = Math.max(0, Math.min(this.current, this.items.length - 1));
      if (this.takes) this.take();
      this.actions.changed();
    };
    const ask = (kind: 'quick' | 'slow', type: 'mentions' | 'slowMentions') =>
      this.actions.ask({ type, text }, signal).then(
        ({ groups }) => answered(kind, groups),
        () => answered(kind, []),
      );
    void ask('quick', 'mentions');
    after(TYPING_PAUSE, signal, () => void ask('slow', 'slowMentions'));
    after(PATIENCE, signal, () => {
      this.searches = this.awaited.has('quick');
      if (this.searches) this.actions.changed();
    });
    this.actions.changed();
  }

  /** Chooses the current item, or waits for the answer that has it: for the slow one where it was seen to have some. */
  private take(): void {
    if (this.awaited.has('quick')) return;
    const { takes, sawSlow } = this;
    const isQuick = this.current < count(this.quick);
    if (!isQuick && sawSlow && this.awaited.has('slow')) return;
    this.takes = undefined;
    const item = isQuick || sawSlow ? this.items[this.current] : undefined;
    if (item) this.choose(item);
    else if (takes === 'Enter') this.handBack();
  }

  private handBack(): void {
    this.close();
    this.actions.enter();
  }

  private choose(item: MentionItem): void {
    const { typed } = this;
    this.close();
    if (typed) this.actions.choose(item, typed);
  }

  private close(): void {
    this.clear();
    this.typed = undefined;
    this.actions.changed();
  }

  private clear(): void {
    this.asking?.abort();
    this.awaited.clear();
    this.quick = [];
    this.slow = [];
    this.current = 0;
    this.searches = false;
    this.takes = undefined;
  }
}

function count(groups: readonly MentionGroup[]): number {
  return groups.reduce((sum, { items }) => sum + items.length, 0);
}

function after(pause: number, signal: AbortSignal, task: () => void): void {
  const timer = setTimeout(task, pause);
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
}
