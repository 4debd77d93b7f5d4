import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { rove } from '../a11y/roving';
import { LightElement } from '../ui/element';

/** A prompt of the conversation, by its turn. */
export interface RailPrompt {
  readonly turnId: string;
  readonly name: string;
  /** Something in its turn waits for the user. */
  readonly waits: boolean;
}

/** Ticks at most; in a longer conversation each stands for several prompts. */
const MAX_TICKS = 24;
/** Prompts in the list, around the current one. */
const MAX_LISTED = 60;

/**
 * `<parley-prompt-rail .prompts .current>`: a tick for each prompt beside the scroll bar, which leads there; with the
 * keyboard, a list of the prompts. Says `parley-go-to-prompt` with the id of the turn.
 */
@customElement('parley-prompt-rail')
export class PromptRailElement extends LightElement {
  @property({ attribute: false }) prompts: readonly RailPrompt[] = [];
  /** The turn that is read. */
  @property({ attribute: false }) current: string | undefined;

  protected override render() {
    const { prompts } = this;
    const at = this.place;
    const title = l10n.t('Prompt {0} of {1}', at + 1, prompts.length);
    return html`<button
        type="button"
        class="rail"
        aria-label=${l10n.t('Go to Prompt')}
        aria-description=${title}
        aria-haspopup="menu"
        @click=${(event: MouseEvent) => this.act(event)}
      >
        ${this.ticks(at)}
      </button>
      <div
        class="menu over"
        role="menu"
        popover="auto"
        aria-label=${l10n.t('Go to Prompt')}
        @keydown=${(event: KeyboardEvent) => this.onKey(event)}
      ></div>`;
  }

  private get place(): number {
    return Math.max(
      0,
      this.prompts.findIndex(({ turnId }) => turnId === this.current),
    );
  }

  private ticks(at: number): readonly TemplateResult[] {
    const { prompts } = this;
    const count = Math.min(prompts.length, MAX_TICKS);
    const first = (tick: number): number => Math.floor((tick * prompts.length) / count);
    return Array.from({ length: count }, (_, tick) => {
      const own = prompts.slice(first(tick), first(tick + 1));
      const isHere = at >= first(tick) && at < first(tick + 1);
      const waits = own.some(prompt => prompt.waits);
      const names = own.length > 3 ? [...own.slice(0, 3).map(nameOf), '…'] : own.map(nameOf);
      return html`<span
        class=${['tick', isHere ? 'here' : '', waits ? 'waits' : ''].filter(Boolean).join(' ')}
        title=${names.join('\n')}
        data-turn=${own[0]?.turnId ?? nothing}
      ></span>`;
    });
  }

  private act(event: MouseEvent): void {
    const tick = (event.target as Element).closest<HTMLElement>('[data-turn]');
    // Without a pointer there is none under it.
    if (event.detail > 0 && tick) this.goTo(tick.dataset['turn'] ?? '');
    else this.openList();
  }

  private goTo(turnId: string): void {
    this.dispatchEvent(new CustomEvent('parley-go-to-prompt', { detail: turnId, bubbles: true }));
  }

  private openList(): void {
    const menu = this.querySelector<HTMLElement>('.menu');
    const rail = this.querySelector('.rail')?.getBoundingClientRect();
    if (!menu || !rail) return;
    const from = Math.max(0, this.place - MAX_LISTED / 2);
    const items = this.prompts
      .slice(from, from + MAX_LISTED)
      .map(prompt => this.item(prompt, menu));
    menu.replaceChildren(...items);
    menu.showPopover();
    menu.style.top = `${Math.max(4, Math.min(rail.top, window.innerHeight - menu.offsetHeight - 4))}px`;
    menu.style.left = `${Math.max(4, rail.left - menu.offsetWidth - 4)}px`;
    items[this.place - from]?.focus();
  }

  private item({ turnId, name }: RailPrompt, menu: HTMLElement): HTMLElement {
    const item = document.createElement('button');
    item.type = 'button';
    item.setAttribute('role', 'menuitem');
    item.tabIndex = -1;
    item.className = 'cut';
    item.textContent = name;
    item.title = name;
    item.addEventListener('click', () => {
      menu.hidePopover();
      this.goTo(turnId);
    });
    return item;
  }

  private onKey(event: KeyboardEvent): void {
    const menu = event.currentTarget as HTMLElement;
    event.stopPropagation();
    if (event.key === 'Tab') menu.hidePopover();
    else rove(event, [...menu.querySelectorAll<HTMLElement>('button')], 'vertical');
  }
}

function nameOf({ name }: RailPrompt): string {
  return name;
}

declare global {
  interface HTMLElementTagNameMap {
    'parley-prompt-rail': PromptRailElement;
  }
}
