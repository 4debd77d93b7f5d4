import * as l10n from '@vscode/l10n';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { SessionState } from '../../src/session/state/state';
import { readTurn } from '../transcript/promptSteps';
import type { TranscriptElement } from '../transcript/transcriptElement';
import { allTurns } from '../../src/session/state/selectors';
import { LightElement } from '../ui/element';
import { icon } from '../ui/icon';
import { iconButton } from '../ui/button';
import { ChatSearch, type Found } from './chatSearch';
import { heldMatches } from './heldMatches';
import { runInSlices } from './inSlices';
import { placesOf, scrollTo, unfold } from './matchPlaces';
import { textMatches } from './textMatches';

/** Names of the highlights in the style sheet. */
const ALL = 'parley-find';
const HERE = 'parley-find-here';

const NOTHING: Found = { matches: [], held: [], isCut: false };

/**
 * `<parley-find .transcript .session>`: finds text in the conversation, also where it is folded away, out of view or
 * kept by the host. Says `parley-find-close` when the user is done.
 */
@customElement('parley-find')
export class FindElement extends LightElement {
  @property({ attribute: false }) transcript: TranscriptElement | null = null;
  @property({ attribute: false }) session: SessionState | undefined;
  @state() private query = '';
  @state() private isCase = false;
  @state() private found: Found = NOTHING;
  /** Of the matches; −1 while there is none. */
  @state() private at = -1;
  /** How often it stands in what only the host has. */
  @state() private unseen = 0;
  private readonly observer = new MutationObserver(() => this.markSoon());
  private search: ChatSearch | undefined;
  /** Ends the search that runs. */
  private running = new AbortController();
  private isMarked = true;

  protected override render(): TemplateResult {
    return html`<div
      class="find"
      role="search"
      aria-label=${l10n.t('Find in Chat')}
      @keydown=${(event: KeyboardEvent) => this.onKey(event)}
    >
      <div class="text">
        <input
          type="text"
          aria-label=${l10n.t('Find in Chat')}
          placeholder=${l10n.t('Find')}
          .value=${this.query}
          @input=${(event: Event) => this.find((event.target as HTMLInputElement).value)}
        />
        <button
          type="button"
          class="icon"
          aria-label=${l10n.t('Match Case')}
          title=${l10n.t('Match Case')}
          aria-pressed=${this.isCase}
          @click=${() => this.toggleCase()}
        >
          ${icon('case-sensitive')}
        </button>
      </div>
      <span class="found num" role="status">${this.count()}</span>
      ${this.unseen > 0 ? this.unseenNote() : nothing}
      ${iconButton({
        icon: 'arrow-up',
        label: l10n.t('Previous Match'),
        disabled: this.found.matches.length === 0,
        onClick: () => void this.step(-1),
      })}
      ${iconButton({
        icon: 'arrow-down',
        label: l10n.t('Next Match'),
        disabled: this.found.matches.length === 0,
        onClick: () => void this.step(1),
      })}
      ${iconButton({ icon: 'close', label: l10n.t('Close'), onClick: () => this.close() })}
    </div>`;
  }

  /** Puts the caret into the field; what was typed already stays. */
  override focus(): void {
    const input = this.querySelector('input');
    if (!input || input === document.activeElement) return;
    input.focus();
    input.select();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.start();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer.disconnect();
    this.running.abort();
    CSS.highlights.delete(ALL);
    CSS.highlights.delete(HERE);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('session') && this.search) void this.runAgain();
  }

  private async start(): Promise<void> {
    await this.updateComplete;
    this.focus();
    const turns = this.transcript?.querySelector('.turns');
    if (!turns || !this.isConnected) return;
    this.observer.observe(turns, { childList: true, characterData: true, subtree: true });
  }

  private count(): string {
    const { matches, isCut } = this.found;
    if (this.query === '' || this.search === undefined) return '';
    if (matches.length === 0) return this.unseen > 0 ? '' : l10n.t('No results');
    return isCut
      ? l10n.t('{0} of {1}+', this.at + 1, matches.length)
      : l10n.t('{0} of {1}', this.at + 1, matches.length);
  }

  private unseenNote(): TemplateResult {
    const note = l10n.t('In output that the chat does not show; open it in the editor to see them');
    return html`<span class="found num" role="note" title=${note}
      >${l10n.t('+{0} not shown', this.unseen)}</span
    >`;
  }

  private toggleCase(): void {
    this.isCase = !this.isCase;
    this.find(this.query);
  }

  /** From where the reader is. */
  find(query: string): void {
    this.query = query;
    this.search = query === '' ? undefined : new ChatSearch(query, this.isCase);
    this.unseen = 0;
    if (!this.search) {
      this.running.abort();
      this.found = NOTHING;
      this.at = -1;
      this.mark();
      return;
    }
    void this.look(async () => {
      this.at = this.firstInView();
      await this.show();
    });
  }

  /** The conversation has changed. */
  private runAgain(): Promise<void> {
    return this.look(() => {
      this.at = Math.min(Math.max(this.at, 0), this.found.matches.length - 1);
      this.markSoon();
    });
  }

  /** Looks through the chat a slice at a time, so that typing stays quick. */
  private async look(then: () => void | Promise<void>): Promise<void> {
    this.running.abort();
    this.running = new AbortController();
    const { signal } = this.running;
    const { search, session } = this;
    if (!search || !session) return;
    const found = await runInSlices(search.run(session), signal);
    if (!found) return;
    const isSame = sameHeld(found, this.found);
    this.found = found;
    await then();
    if (isSame && this.unseen > 0) return;
    const ask = this.transcript?.ask;
    const { query, isCase } = this;
    const unseen = ask ? await heldMatches(ask, found.held, query, isCase, signal) : 0;
    if (!signal.aborted) this.unseen = unseen;
  }

  /** What is in the document, once a frame, however often it changes. */
  private markSoon(): void {
    if (!this.isMarked) return;
    this.isMarked = false;
    requestAnimationFrame(() => {
      this.isMarked = true;
      if (this.isConnected) this.mark();
    });
  }

  private mark(): void {
    const turns = this.transcript?.querySelector('.turns');
    const all = turns ? textMatches(turns, this.query, this.isCase) : [];
    CSS.highlights.set(ALL, new Highlight(...all));
    const here = this.place();
    const current = new Highlight(...(here ? [here] : []));
    current.priority = 1;
    CSS.highlights.set(HERE, current);
  }

  /** Where the current match is in the document, if it is. */
  private place(): StaticRange | undefined {
    const match = this.found.matches[this.at];
    const { transcript } = this;
    if (!match || !transcript) return undefined;
    const places = placesOf(transcript, match, this.query, this.isCase);
    return places[Math.min(match.nth, places.length - 1)];
  }

  /** The first match that is not in a turn above what is in view. */
  private firstInView(): number {
    const { session, transcript } = this;
    const log = transcript?.querySelector<HTMLElement>('.log');
    const { matches } = this.found;
    if (!log || !session || matches.length === 0) return -1;
    const turn = readTurn(log);
    const place = new Map(allTurns(session).map(({ id }, index) => [id, index]));
    const seen = place.get(turn?.dataset['turnId'] ?? '') ?? 0;
    const first = matches.findIndex(({ turnId }) => (place.get(turnId) ?? 0) >= seen);
    return first < 0 ? matches.length - 1 : first;
  }

  private async step(by: 1 | -1): Promise<void> {
    const { length } = this.found.matches;
    if (length === 0) return;
    this.at = (this.at + by + length) % length;
    await this.show();
  }

  /** Opens what the current match is folded into, and scrolls to it. */
  private async show(): Promise<void> {
    const match = this.found.matches[this.at];
    const { transcript } = this;
    if (match && transcript) {
      await transcript.bring(match.turnId, match.partId, match.folds);
      const place = this.place();
      if (place) {
        unfold(place.startContainer.parentElement);
        scrollTo(place);
      }
    }
    this.mark();
  }

  private close(): void {
    this.dispatchEvent(new CustomEvent('parley-find-close', { bubbles: true }));
  }

  private onKey(event: KeyboardEvent): void {
    const isEnter = event.key === 'Enter' && event.target instanceof HTMLInputElement;
    if (isEnter || event.key === 'F3') void this.step(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') this.close();
    else if (event.altKey && event.code === 'KeyC') this.toggleCase();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

function sameHeld(one: Found, other: Found): boolean {
  const refs = ({ held }: Found): string => held.map(({ ref }) => ref).join('\n');
  return refs(one) === refs(other);
}
