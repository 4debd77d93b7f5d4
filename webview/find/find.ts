import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { TranscriptElement } from '../transcript/transcriptElement';
import { LightElement } from '../ui/element';
import { icon } from '../ui/icon';
import { iconButton } from '../ui/button';
import { textMatches } from './textMatches';

/** Names of the highlights in the style sheet. */
const ALL = 'parley-find';
const HERE = 'parley-find-here';

/**
 * `<parley-find .transcript>`: finds text in the conversation, also where it is folded away or out of view. Says
 * `parley-find-close` when the user is done.
 */
@customElement('parley-find')
export class FindElement extends LightElement {
  @property({ attribute: false }) transcript: TranscriptElement | null = null;
  @state() private query = '';
  @state() private isCase = false;
  @state() private places: readonly StaticRange[] = [];
  /** Of `places`; −1 while there is none. */
  @state() private at = -1;
  private readonly observer = new MutationObserver(() => this.searchSoon());
  private asked = false;

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
      ${iconButton({
        icon: 'arrow-up',
        label: l10n.t('Previous Match'),
        disabled: this.places.length === 0,
        onClick: () => void this.step(-1),
      })}
      ${iconButton({
        icon: 'arrow-down',
        label: l10n.t('Next Match'),
        disabled: this.places.length === 0,
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
    CSS.highlights.delete(ALL);
    CSS.highlights.delete(HERE);
    void this.transcript?.showAll(false, this.places[this.at]?.startContainer.parentElement);
  }

  private async start(): Promise<void> {
    await this.updateComplete;
    this.focus();
    await this.transcript?.showAll(true);
    const { turns } = this;
    if (!turns || !this.isConnected) return;
    this.observer.observe(turns, { childList: true, characterData: true, subtree: true });
    this.find(this.query);
  }

  private get turns(): Element | null {
    return this.transcript?.querySelector('.turns') ?? null;
  }

  private count(): string {
    if (this.query === '') return '';
    if (this.places.length === 0) return l10n.t('No results');
    return l10n.t('{0} of {1}', this.at + 1, this.places.length);
  }

  private toggleCase(): void {
    this.isCase = !this.isCase;
    this.find(this.query);
  }

  /** From where the reader is. */
  private find(query: string): void {
    this.query = query;
    this.search();
    this.at = this.firstInView();
    this.mark();
    void this.show();
  }

  /** Once a frame, however often the conversation changes. */
  private searchSoon(): void {
    if (this.asked || this.query === '') return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      if (!this.isConnected) return;
      this.search();
      this.at = Math.min(Math.max(this.at, 0), this.places.length - 1);
      this.mark();
    });
  }

  private search(): void {
    const { turns } = this;
    this.places = turns ? textMatches(turns, this.query, this.isCase) : [];
  }

  private mark(): void {
    const here = this.places[this.at];
    CSS.highlights.set(ALL, new Highlight(...this.places));
    const current = new Highlight(...(here ? [here] : []));
    current.priority = 1;
    CSS.highlights.set(HERE, current);
  }

  /** The first match that is not above what is in view. */
  private firstInView(): number {
    const log = this.transcript?.querySelector('.log');
    if (!log || this.places.length === 0) return -1;
    const { top } = log.getBoundingClientRect();
    const turn = [...log.querySelectorAll('.turn')].find(
      each => each.getBoundingClientRect().bottom > top,
    );
    const first = this.places.findIndex(
      ({ startContainer }) =>
        !turn ||
        turn.contains(startContainer) ||
        turn.compareDocumentPosition(startContainer) & Node.DOCUMENT_POSITION_FOLLOWING,
    );
    return first < 0 ? this.places.length - 1 : first;
  }

  private async step(by: 1 | -1): Promise<void> {
    const { length } = this.places;
    if (length === 0) return;
    this.at = (this.at + by + length) % length;
    this.mark();
    await this.show();
  }

  /** Opens what the current match is folded into, and scrolls to it. */
  private async show(): Promise<void> {
    const { transcript } = this;
    if (!transcript || !this.places[this.at]) return;
    transcript.stay();
    if (unfold(this.places[this.at]?.startContainer.parentElement)) {
      await transcript.updateComplete;
      this.search();
      this.mark();
    }
    const match = this.places[this.at];
    if (match) scrollTo(match);
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

/** @returns whether anything is drawn again for it */
function unfold(element: Element | null | undefined): boolean {
  let isDrawn = false;
  for (let inner = element; inner; inner = inner.parentElement) {
    const outer = inner.parentElement;
    if (outer instanceof HTMLDetailsElement && inner.tagName !== 'SUMMARY') outer.open = true;
    if (!inner.hasAttribute('hidden')) continue;
    outer?.querySelector<HTMLElement>('.turner[aria-expanded="false"]')?.click();
    isDrawn = true;
  }
  return isDrawn;
}

function scrollTo({ startContainer, startOffset, endContainer, endOffset }: StaticRange): void {
  // What was never in view has no size yet, and code is one element of many lines: twice, then.
  startContainer.parentElement?.scrollIntoView({ block: 'center' });
  const log = startContainer.parentElement?.closest('.log');
  const range = document.createRange();
  range.setStart(startContainer, startOffset);
  range.setEnd(endContainer, endOffset);
  const place = range.getBoundingClientRect();
  const view = log?.getBoundingClientRect();
  if (log && view) log.scrollTop += place.top - view.top - view.height / 2;
}
