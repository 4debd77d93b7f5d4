import { html } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { SessionState } from '../../src/session/state/state';
import { LightElement } from '../ui/element';
import { announcementsOf } from './announcements';

/** Least time between two paragraphs read out, in ms. */
const PACE = 2000;

/**
 * Says what happens to those who cannot see it: events at once, the agent's prose a paragraph at a time.
 * The conversation itself is silent (`aria-live="off"`), or each chunk would be read.
 */
@customElement('parley-announcer')
export class AnnouncerElement extends LightElement {
  @state() private polite = '';
  @state() private urgent = '';
  private shown: SessionState | undefined;
  private readonly prose: string[] = [];
  private lastProseAt = Number.NEGATIVE_INFINITY;
  private timer: ReturnType<typeof setTimeout> | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /**
   * Takes notice of the chat's new state.
   * @param lane the call of the subagent that is shown instead of the chat
   */
  follow(session: SessionState | undefined, lane?: string): void {
    const { shown } = this;
    this.shown = session;
    if (!session || shown?.chatId !== session.chatId) this.prose.length = 0;
    if (!shown || !session || shown === session) return;
    const events: string[] = [];
    const urgent: string[] = [];
    for (const { text, manner } of announcementsOf(shown, session, lane)) {
      if (manner === 'now') urgent.push(text);
      else if (manner === 'event') events.push(text);
      else this.prose.push(text);
    }
    if (urgent.length > 0) this.urgent = spokenAgain(urgent.join(' '), this.urgent);
    if (events.length > 0) {
      // What was still to be read comes first: it happened before.
      this.polite = spokenAgain([...this.prose.splice(0), ...events].join(' '), this.polite);
    } else {
      this.readOn();
    }
  }

  protected override render() {
    return html`<div class="vh" aria-live="polite" data-announcer="polite">${this.polite}</div>
      <div class="vh" role="alert" data-announcer="urgent">${this.urgent}</div>`;
  }

  private readOn(): void {
    if (this.timer !== undefined || this.prose.length === 0) return;
    const wait = this.lastProseAt + PACE - performance.now();
    if (wait > 0) {
      this.timer = setTimeout(() => {
        this.timer = undefined;
        this.readOn();
      }, wait);
      return;
    }
    this.lastProseAt = performance.now();
    this.polite = spokenAgain(this.prose.splice(0).join(' '), this.polite);
  }
}

/** A region speaks when its text changes: the same words again get a space that nobody hears. */
function spokenAgain(text: string, before: string): string {
  return text === before ? `${text}\u00a0` : text;
}
