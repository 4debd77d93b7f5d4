import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import * as l10n from '@vscode/l10n';
import type { ConfigOption } from '../../src/session/state/config';
import type { Usage } from '../../src/session/state/usage';
import { emitIntent } from '../intent';
import { LightElement } from '../ui/element';
import { icon } from '../ui/icon';
import { Ticks } from '../ui/ticks';
import { clockTime } from '../ui/time';
import type { ChoiceElement } from './choice';
import type { RecentChoices } from './recentChoices';
import './choice';
import type { BudgetLeft } from '../../src/shared/panelState';
import { budgetMeter, contextMeter, costText, limitMeter } from './meter';

/** Widest name of a choice in the row, in px; where it cannot have that, its selector goes behind "…". */
const LEAST = 140;
const NONE: readonly string[] = [];
const MORE_WIDTH = 26;
const GAP = 2;

/** The agent's options, and what the chat uses: context, money, and time while a turn runs. */
@customElement('parley-footer')
export class FooterElement extends LightElement {
  @property({ attribute: false }) options: readonly ConfigOption[] = [];
  /** What was chosen lately, by option. */
  @property({ attribute: false }) recent: RecentChoices = {};
  @property({ attribute: false }) usage: Usage | undefined;
  @property({ attribute: false }) budget: BudgetLeft | undefined;
  /** When the running turn began, later by what it has waited for the user; undefined while none runs. */
  @property({ attribute: false }) runningSince: number | undefined;
  /** Since when it waits for the user: its time stands. */
  @property({ attribute: false }) waitsSince: number | undefined;
  @property({ attribute: false }) now: () => number = Date.now;

  /** How many options stand in the row; the others are behind "…". */
  @state() private fitting = Number.POSITIVE_INFINITY;
  @state() private restOpen = false;

  // In the next frame: what a fit changes must not be observed within the same one.
  private readonly observer = new ResizeObserver(() => {
    requestAnimationFrame(() => this.fit());
  });
  /** How narrow each option may get, measured when they last changed. */
  private least: readonly number[] = [];

  constructor() {
    super();
    new Ticks(this, () => this.runningSince !== undefined && this.waitsSince === undefined);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer.disconnect();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    // Measured again with all of them in the row.
    if (changed.has('options')) this.fitting = Number.POSITIVE_INFINITY;
  }

  protected override render() {
    const { options, usage, runningSince } = this;
    const used = [
      contextMeter(usage),
      costText(usage),
      limitMeter(usage, this.now()),
      budgetMeter(this.budget),
      runningSince === undefined ? nothing : this.elapsed(runningSince),
    ];
    const shown = options.slice(0, this.fitting);
    const rest = options.slice(shown.length);
    return html`<footer
      class="foot"
      @focusout=${(event: FocusEvent) => this.onFocusOut(event)}
      @keydown=${(event: KeyboardEvent) => this.onKey(event)}
    >
      <div class="choices">
        ${repeat(
          shown,
          ({ id }) => id,
          option => this.control(option),
        )}
        ${rest.length > 0 ? this.moreButton() : nothing}
      </div>
      ${used.some(part => part !== nothing) ? html`<div class="use">${used}</div>` : nothing}
      ${rest.length > 0 && this.restOpen ? this.restPopup(rest) : nothing}
    </footer>`;
  }

  protected override firstUpdated(): void {
    const row = this.querySelector('.choices');
    if (row) this.observer.observe(row);
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('options')) void this.measure();
  }

  /** The selectors render after this element has: their widths are known then, still before the paint. */
  private async measure(): Promise<void> {
    const selectors = [...this.querySelectorAll<ChoiceElement>('.choices > parley-choice')];
    await Promise.all(selectors.map(selector => selector.updateComplete));
    const items = this.rowItems();
    this.least = items.map(leastWidth);
    // The toolkit's element shows its name some time later.
    for (const item of items.filter(isCheckbox)) this.observer.observe(item);
    this.fit();
  }

  private control(option: ConfigOption): TemplateResult {
    if (option.type === 'select') {
      return html`<parley-choice
        .option=${option}
        .recent=${this.recent[option.id] ?? NONE}
      ></parley-choice>`;
    }
    void import('../ui/toolkit');
    return html`<vscode-checkbox
      aria-label=${option.name}
      title=${option.description ?? option.name}
      .checked=${option.value}
      @change=${(event: Event) => this.setBoolean(option.id, event)}
      >${option.name}</vscode-checkbox
    >`;
  }

  private setBoolean(optionId: string, event: Event): void {
    const { checked } = event.currentTarget as HTMLElement & { readonly checked: boolean };
    const option = this.options.find(({ id }) => id === optionId);
    // The element also fires when the state is set from here.
    if (option && option.value !== checked) {
      emitIntent(this, { type: 'setConfig', optionId, value: checked });
    }
  }

  private moreButton(): TemplateResult {
    return html`<button
      type="button"
      class="choice more"
      aria-label=${l10n.t('More options')}
      title=${l10n.t('More options')}
      aria-expanded=${this.restOpen}
      @click=${() => (this.restOpen = !this.restOpen)}
    >
      ${icon('ellipsis')}
    </button>`;
  }

  private restPopup(rest: readonly ConfigOption[]): TemplateResult {
    return html`<div class="pop rest-pop" role="group" aria-label=${l10n.t('More options')}>
      ${repeat(
        rest,
        ({ id }) => id,
        option =>
          html`<div class="rest">
            ${
              option.type === 'select'
                ? html`<span class="cut" title=${option.name}>${option.name}</span>`
                : nothing
            }
            ${this.control(option)}
          </div>`,
      )}
    </div>`;
  }

  private elapsed(since: number): TemplateResult {
    return html`<span class="num clock" title=${l10n.t('Working time')}
      >${clockTime((this.waitsSince ?? this.now()) - since)}</span
    >`;
  }

  /** Names are whole, but for very long ones: the last selectors go behind "…". */
  private fit(): void {
    const row = this.querySelector<HTMLElement>('.choices');
    if (!row || this.least.length === 0) return;
    const items = this.rowItems();
    const least = this.least.map((width, index) => {
      const item = items[index];
      return item && isCheckbox(item) ? item.offsetWidth : width;
    });
    this.least = least;
    const room = row.clientWidth;
    const needed = (count: number) =>
      least.slice(0, count).reduce((sum, width) => sum + width + GAP, 0) +
      (count < least.length ? MORE_WIDTH : -GAP);
    let count = least.length;
    while (count > 0 && needed(count) > room) count -= 1;
    if (count !== Math.min(this.fitting, least.length)) this.fitting = count;
  }

  private rowItems(): HTMLElement[] {
    return [
      ...this.querySelectorAll<HTMLElement>(
        '.choices > parley-choice > button, .choices > vscode-checkbox',
      ),
    ];
  }

  private onFocusOut(event: FocusEvent): void {
    const next = event.relatedTarget;
    if (next instanceof Node && this.contains(next)) return;
    this.restOpen = false;
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || !this.restOpen) return;
    event.preventDefault();
    this.restOpen = false;
    this.querySelector<HTMLElement>('.more')?.focus();
  }
}

function isCheckbox(item: HTMLElement): boolean {
  return item.localName === 'vscode-checkbox';
}

/** How narrow an option may get in the row, in px: a selector is cut, a checkbox shows its whole name. */
function leastWidth(item: HTMLElement): number {
  const text = item.querySelector('.cut');
  if (!text) return item.offsetWidth;
  return Math.min(LEAST, item.scrollWidth + text.scrollWidth - text.clientWidth);
}
