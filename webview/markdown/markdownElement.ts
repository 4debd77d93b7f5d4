import * as l10n from '@vscode/l10n';
import { withoutEscapes } from '../../src/base/escapeSequences';
import { emitIntent } from '../intent';
import { codeIntent, codeOf } from './codeActions';
import { MarkdownStream } from './markdownStream';

/** A pass is followed by a rest of this many times its length. */
const REST_FACTOR = 3;
const COPIED_FOR = 1500;

/**
 * `<parley-markdown .text .live>`: an agent's prose. Links and what is done with code leave as intents.
 * It renders at most once per assignment, and less often when a pass is slow.
 */
export class MarkdownElement extends HTMLElement {
  /** A pass that takes longer than this many milliseconds is followed by a rest, so that the view stays quick. */
  slow = 8;
  private stream: MarkdownStream | undefined;
  private shownText = '';
  private shownLive = true;
  private wantedText = '';
  private wantedLive = false;
  private restUntil = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.addEventListener('click', event => this.act(event));
    this.addEventListener('keydown', event => {
      const link = event.target instanceof Element && event.target.closest('a[role="link"]');
      if (link && event.key === 'Enter') this.act(event);
    });
  }

  /** Markdown. Text that begins with the text before it is appended. */
  set text(text: string) {
    this.wantedText = text;
    queueMicrotask(() => this.renderSoon());
  }

  get text(): string {
    return this.wantedText;
  }

  /** True while more text is to be expected. */
  set live(live: boolean) {
    this.wantedLive = live;
    queueMicrotask(() => this.renderSoon());
  }

  get live(): boolean {
    return this.wantedLive;
  }

  /** Whether what was assigned is still to be rendered. */
  get behind(): boolean {
    return this.wantedText !== this.shownText || this.wantedLive !== this.shownLive;
  }

  disconnectedCallback(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  connectedCallback(): void {
    this.renderSoon();
  }

  private renderSoon(): void {
    if (!this.behind) return;
    if (this.timer !== undefined) {
      if (this.wantedLive) return;
      clearTimeout(this.timer);
      this.timer = undefined;
    }
    const rest = this.restUntil - performance.now();
    if (this.wantedLive && rest > 0) {
      this.timer = setTimeout(() => {
        this.timer = undefined;
        this.renderSoon();
      }, rest);
      return;
    }
    this.renderNow();
  }

  private renderNow(): void {
    const start = performance.now();
    this.stream ??= new MarkdownStream(this);
    this.stream.update(withoutEscapes(this.wantedText), !this.wantedLive);
    this.shownText = this.wantedText;
    this.shownLive = this.wantedLive;
    const end = performance.now();
    this.restUntil = end - start > this.slow ? end + (end - start) * REST_FACTOR : 0;
  }

  private act(event: Event): void {
    const target = event.target instanceof Element ? event.target : undefined;
    const link = target?.closest<HTMLElement>('a[data-href]');
    if (link) {
      event.preventDefault();
      emitIntent(this, { type: 'openLink', href: link.dataset['href'] ?? '' });
      return;
    }
    const reference = target?.closest<HTMLElement>('[data-reference]')?.dataset['reference'];
    if (reference !== undefined) {
      const note = this.querySelector<HTMLElement>(`[data-note="${CSS.escape(reference)}" i]`);
      note?.scrollIntoView({ block: 'nearest' });
      note?.focus({ preventScroll: true });
      return;
    }
    const button = target?.closest<HTMLElement>('button[data-act]');
    const figure = button?.closest('figure');
    if (!button || !figure) return;
    const action = button.dataset['act'];
    const intent = codeIntent(action, figure);
    if (intent) emitIntent(this, intent);
    else if (action === 'copy') void copy(button, codeOf(figure));
    else void import('./codeMenu').then(({ openCodeMenu }) => openCodeMenu(button));
  }
}

/** Puts `text` on the clipboard and says so on the button for a moment. */
export async function copy(button: HTMLElement, text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  const icon = button.querySelector('.codicon');
  const label = button.getAttribute('aria-label') ?? '';
  icon?.classList.replace('codicon-copy', 'codicon-check');
  button.setAttribute('aria-label', l10n.t('Copied'));
  button.title = l10n.t('Copied');
  setTimeout(() => {
    icon?.classList.replace('codicon-check', 'codicon-copy');
    button.setAttribute('aria-label', label);
    button.title = label;
  }, COPIED_FOR);
}

customElements.define('parley-markdown', MarkdownElement);

declare global {
  interface HTMLElementTagNameMap {
    'parley-markdown': MarkdownElement;
  }
}
