import type { Draft } from '../../src/session/state/state';

/** How long typing pauses before the host gets the draft, in ms. */
const TYPING_PAUSE = 250;

/**
 * Keeps the composer's text and the chat's draft in step. The view's text leads: the host gets it, and
 * replaces it only by raising the draft's revision (it did something with the draft, or another view did).
 */
export class DraftSync {
  private chatId: string | undefined;
  private revision = 0;
  /** The text that the host knows. */
  private known = '';
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pending: string | undefined;
  /** Messages sent whose clearing of the draft the host has not confirmed yet: it is done here already. */
  private unconfirmedSends = 0;

  constructor(private readonly report: (chatId: string, text: string) => void) {}

  /**
   * The host's draft; returns the text the composer must show instead of `text`, or undefined to leave it.
   * @param busy true while the user is in the composer, whose text another view must not change then
   */
  accept(chatId: string, draft: Draft, text: string, busy: boolean): string | undefined {
    if (chatId !== this.chatId) {
      this.flush();
      this.chatId = chatId;
      this.unconfirmedSends = 0;
      return this.adopt(draft);
    }
    const steps = draft.revision - this.revision;
    if (steps !== 0) {
      const cleared = Math.min(Math.max(steps, 0), this.unconfirmedSends);
      this.revision = draft.revision;
      this.unconfirmedSends -= cleared;
      if (cleared > 0 && draft.text === '') return undefined;
      const kept = this.withTyped(draft.text);
      this.adopt(draft);
      if (kept !== draft.text) this.typed(kept);
      return kept;
    }
    const typedElsewhere = draft.text !== this.known && text === this.known && !busy;
    return typedElsewhere && this.pending === undefined ? this.adopt(draft) : undefined;
  }

  typed(text: string): void {
    this.pending = text;
    this.timer ??= setTimeout(() => this.flush(), TYPING_PAUSE);
  }

  /** The text was sent, so that the composer is empty and the host will say so of the draft. */
  sent(): void {
    this.forget();
    this.known = '';
    this.unconfirmedSends += 1;
  }

  /** Sends the host now what it has not got yet. */
  flush(): void {
    const { pending, chatId } = this;
    this.forget();
    if (pending === undefined || chatId === undefined || pending === this.known) return;
    this.known = pending;
    this.report(chatId, pending);
  }

  /** The host's draft, with what was typed since the host last got the text. */
  private withTyped(text: string): string {
    const { pending, known } = this;
    if (pending === undefined || pending === known) return text;
    // The host puts things before what it knows.
    const isBehind = known !== '' && text.endsWith(known);
    const before = isBehind ? text.slice(0, -known.length) : text && `${text}\n`;
    return before + pending;
  }

  private adopt(draft: Draft): string {
    this.forget();
    this.revision = draft.revision;
    this.known = draft.text;
    return draft.text;
  }

  private forget(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.pending = undefined;
  }
}
