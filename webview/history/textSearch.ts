import type { Ask } from '../composer/mentionList';

/** Shorter texts are in every chat. */
const MIN_LETTERS = 2;

/** Asks the host in which chats a text stands. What was asked before is of no use any more, and ended. */
export class TextSearch {
  private answered = '';
  private asked = '';
  private found: ReadonlyMap<string, string | undefined> = new Map();
  private running = new AbortController();

  constructor(private readonly changed: () => void) {}

  /** The line to show of a chat; a chat in which only its title was found has none. */
  previewOf(chatId: string): string | undefined {
    return this.found.get(chatId);
  }

  has = (chatId: string): boolean => this.found.has(chatId);

  /** Whether what is found is what was asked for last. */
  get isSettled(): boolean {
    return this.asked === this.answered;
  }

  find(query: string, ask: Ask): void {
    const text = query.trim();
    if (text === this.asked) return;
    this.running.abort();
    this.running = new AbortController();
    this.asked = text;
    if ([...text].length < MIN_LETTERS) {
      this.settle(text, new Map());
      return;
    }
    // What had less of the text may have more, too: it stays until the answer is there.
    if (!text.startsWith(this.answered) || this.answered === '') this.found = new Map();
    ask({ type: 'searchChats', text }, this.running.signal).then(
      ({ found }) =>
        this.settle(text, new Map(found.map(({ chatId, preview }) => [chatId, preview]))),
      () => {
        if (text === this.asked) this.settle(text, new Map());
      },
    );
  }

  stop(): void {
    this.running.abort();
  }

  private settle(text: string, found: ReadonlyMap<string, string | undefined>): void {
    if (text !== this.asked) return;
    this.answered = text;
    this.found = found;
    this.changed();
  }
}
