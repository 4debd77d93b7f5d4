import * as l10n from '@vscode/l10n';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { ifDefined } from 'lit/directives/if-defined.js';
import { live } from 'lit/directives/live.js';
import type { ConfigChoice, ConfigGroup, ConfigSelect } from '../../src/session/state/config';
import { isComposing } from '../composer/isComposing';
import { emitIntent } from '../intent';
import { LightElement } from '../ui/element';
import { icon } from '../ui/icon';
import { choiceId, choiceList } from './choiceList';
import {
  bestPlace,
  currentChoice,
  findByTyping,
  flatChoices,
  isSearched,
  searchedGroups,
} from './choices';

/** Letters typed with shorter pauses than this, in ms, belong to one search. */
const TYPING_PAUSE = 500;

/** Tells what was chosen, and what before. */
export interface ChosenDetail {
  readonly optionId: string;
  readonly values: readonly [string, string];
}

/**
 * One of the agent's options as a combobox that only selects. The list opens above the footer; the focus stays on the
 * button, or goes to a field where there is much to search. Tells the choice as an intent, and as `parley-chosen`.
 */
@customElement('parley-choice')
export class ChoiceElement extends LightElement {
  @property({ attribute: false }) option: ConfigSelect | undefined;
  /** Values that were chosen, the latest first. */
  @property({ attribute: false }) recent: readonly string[] = [];
  @state() private open = false;
  @state() private current = 0;
  @state() private query = '';
  private typed = '';
  private typedAt = 0;

  constructor() {
    super();
    this.addEventListener('focusout', ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && this.contains(relatedTarget))) this.close();
    });
  }

  protected override render() {
    const { option, open } = this;
    if (!option) return nothing;
    const listId = `choices-${option.id}`;
    const name = currentChoice(option)?.name ?? option.value;
    const isField = open && isSearched(option);
    return html`<button
        type="button"
        class="choice"
        role="combobox"
        aria-label=${option.name}
        aria-haspopup="listbox"
        aria-expanded=${open}
        aria-controls=${ifDefined(open ? listId : undefined)}
        aria-activedescendant=${ifDefined(open && !isField ? choiceId(listId, this.current) : undefined)}
        title=${
          option.description
            ? `${option.name}: ${name}\n${option.description}`
            : `${option.name}: ${name}`
        }
        @click=${() => (open ? this.close() : this.show())}
        @keydown=${(event: KeyboardEvent) => this.onKey(event)}
      >
        <span class="cut">${name}</span>${icon('chevron-down')}
      </button>
      ${open ? this.popup(option, listId) : nothing}`;
  }

  private popup(option: ConfigSelect, listId: string): TemplateResult {
    const groups = this.groupsOf(option);
    const isFound = groups.length > 0;
    return html`<div class="pop choose">
      ${isSearched(option) ? this.field(option, listId, isFound) : nothing}
      ${
        isFound
          ? choiceList({
              id: listId,
              option,
              groups,
              current: this.current,
              onChoose: index => this.choose(index),
              onPoint: index => (this.current = index),
            })
          : html`<p class="none" role="status">${l10n.t('Nothing found')}</p>`
      }
    </div>`;
  }

  private field({ name }: ConfigSelect, listId: string, isFound: boolean): TemplateResult {
    return html`<input
      type="text"
      class="text"
      role="combobox"
      aria-label=${l10n.t('Search {0}', name)}
      aria-autocomplete="list"
      aria-expanded=${isFound}
      aria-controls=${ifDefined(isFound ? listId : undefined)}
      aria-activedescendant=${ifDefined(isFound ? choiceId(listId, this.current) : undefined)}
      placeholder=${l10n.t('Search')}
      spellcheck="false"
      .value=${live(this.query)}
      @input=${(event: Event) => this.search((event.target as HTMLInputElement).value)}
      @keydown=${(event: KeyboardEvent) => this.onFieldKey(event)}
    />`;
  }

  protected override updated(changed: PropertyValues): void {
    if (!this.open) return;
    if (changed.has('open')) {
      this.place();
      this.querySelector('input')?.focus();
    }
    this.querySelector('.here')?.scrollIntoView({ block: 'nearest' });
  }

  private groupsOf(option: ConfigSelect): readonly ConfigGroup[] {
    return isSearched(option) ? searchedGroups(option, this.query, this.recent) : option.groups;
  }

  private get choices(): readonly ConfigChoice[] {
    const { option } = this;
    return option ? flatChoices({ groups: this.groupsOf(option) }) : [];
  }

  private show(query = ''): void {
    const { option } = this;
    if (!option) return;
    this.query = query;
    this.open = true;
    if (query !== '') return this.search(query);
    this.current = Math.max(
      0,
      this.choices.findIndex(({ value }) => value === option.value),
    );
  }

  private search(query: string): void {
    this.query = query;
    const { option } = this;
    if (option) this.current = bestPlace(this.groupsOf(option), query);
  }

  private close(): void {
    const hadField = this.querySelector('input') === document.activeElement;
    this.open = false;
    if (hadField) this.querySelector('button')?.focus();
  }

  private choose(index: number): void {
    const { option } = this;
    const choice = this.choices[index];
    this.close();
    if (!option || !choice || choice.value === option.value) return;
    const { id: optionId, value: before } = option;
    emitIntent(this, { type: 'setConfig', optionId, value: choice.value });
    this.dispatchEvent(
      new CustomEvent<ChosenDetail>('parley-chosen', {
        detail: { optionId, values: [choice.value, before] },
        bubbles: true,
      }),
    );
  }

  /** Under its button, but never beyond the footer's right edge. */
  private place(): void {
    const list = this.querySelector<HTMLElement>('.pop');
    const frame = this.closest<HTMLElement>('.foot');
    const button = this.querySelector('button');
    if (!list || !frame || !button) return;
    const bounds = frame.getBoundingClientRect();
    const wanted = button.getBoundingClientRect().left - bounds.left;
    const room = bounds.width - list.getBoundingClientRect().width;
    list.style.left = `${Math.max(0, Math.min(wanted, room))}px`;
  }

  private onFieldKey(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    const last = this.choices.length - 1;
    switch (event.key) {
      case 'ArrowDown':
        this.current = Math.min(last, this.current + 1);
        break;
      case 'ArrowUp':
        this.current = Math.max(0, this.current - 1);
        break;
      case 'Enter':
        this.choose(this.current);
        break;
      case 'Escape':
        this.close();
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  private onKey(event: KeyboardEvent): void {
    const { option } = this;
    if (!option || event.ctrlKey || event.metaKey) return;
    if (this.open ? this.onOpenKey(event, option) : this.onClosedKey(event, option)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  private onClosedKey(event: KeyboardEvent, option: ConfigSelect): boolean {
    if (['ArrowDown', 'ArrowUp', 'Enter', ' '].includes(event.key)) {
      this.show();
      return true;
    }
    if (!isLetter(event)) return false;
    this.show();
    if (isSearched(option)) this.search(event.key);
    else this.goTo(event, option);
    return true;
  }

  private onOpenKey(event: KeyboardEvent, option: ConfigSelect): boolean {
    const last = flatChoices(option).length - 1;
    switch (event.key) {
      case 'ArrowDown':
        this.current = Math.min(last, this.current + 1);
        return true;
      case 'ArrowUp':
        if (event.altKey) this.choose(this.current);
        else this.current = Math.max(0, this.current - 1);
        return true;
      case 'Home':
        this.current = 0;
        return true;
      case 'End':
        this.current = last;
        return true;
      case 'Escape':
        this.close();
        return true;
      case 'Enter':
        this.choose(this.current);
        return true;
      case ' ':
        if (this.typed !== '' && event.timeStamp - this.typedAt < TYPING_PAUSE) {
          this.goTo(event, option);
        } else {
          this.choose(this.current);
        }
        return true;
      case 'Tab':
        this.choose(this.current);
        return false;
      default:
        if (!isLetter(event)) return false;
        this.goTo(event, option);
        return true;
    }
  }

  private goTo(event: KeyboardEvent, option: ConfigSelect): void {
    const fresh = event.timeStamp - this.typedAt >= TYPING_PAUSE;
    this.typed = fresh ? event.key : this.typed + event.key;
    this.typedAt = event.timeStamp;
    // The same letter again goes on to the next choice that begins with it.
    const repeated = [...this.typed].every(letter => letter === this.typed[0]);
    const wanted = repeated ? event.key : this.typed;
    const from = repeated ? this.current + 1 : this.current;
    this.current = findByTyping(flatChoices(option), wanted, from) ?? this.current;
  }
}

function isLetter(event: KeyboardEvent): boolean {
  return [...event.key].length === 1 && event.key !== ' ' && !event.altKey;
}
