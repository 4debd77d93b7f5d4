import { html, nothing, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { ifDefined } from 'lit/directives/if-defined.js';
import type { ConfigSelect } from '../../src/session/state/config';
import { emitIntent } from '../intent';
import { LightElement } from '../ui/element';
import { icon } from '../ui/icon';
import { choiceId, choiceList, currentChoice, findByTyping, flatChoices } from './choiceList';

/** Letters typed with shorter pauses than this, in ms, belong to one search. */
const TYPING_PAUSE = 500;

/**
 * One of the agent's options as a combobox that only selects: the focus stays on the button, the list opens
 * above the footer. Tells the choice as an intent.
 */
@customElement('parley-choice')
export class ChoiceElement extends LightElement {
  @property({ attribute: false }) option: ConfigSelect | undefined;
  @state() private open = false;
  @state() private current = 0;
  private typed = '';
  private typedAt = 0;

  protected override render() {
    const { option, open } = this;
    if (!option) return nothing;
    const listId = `choices-${option.id}`;
    const name = currentChoice(option)?.name ?? option.value;
    return html`<button
        type="button"
        class="choice"
        role="combobox"
        aria-label=${option.name}
        aria-haspopup="listbox"
        aria-expanded=${open}
        aria-controls=${ifDefined(open ? listId : undefined)}
        aria-activedescendant=${ifDefined(open ? choiceId(listId, this.current) : undefined)}
        title=${
          option.description
            ? `${option.name}: ${name}\n${option.description}`
            : `${option.name}: ${name}`
        }
        @click=${() => (open ? this.close() : this.show())}
        @keydown=${(event: KeyboardEvent) => this.onKey(event)}
        @blur=${() => this.close()}
      >
        <span class="cut">${name}</span>${icon('chevron-down')}
      </button>
      ${
        open
          ? choiceList({
              id: listId,
              option,
              current: this.current,
              onChoose: index => this.choose(index),
              onPoint: index => (this.current = index),
            })
          : nothing
      }`;
  }

  protected override updated(changed: PropertyValues): void {
    if (!this.open) return;
    if (changed.has('open')) this.place();
    this.querySelector('.here')?.scrollIntoView({ block: 'nearest' });
  }

  private show(): void {
    const { option } = this;
    if (!option) return;
    this.current = Math.max(
      0,
      flatChoices(option).findIndex(({ value }) => value === option.value),
    );
    this.open = true;
  }

  private close(): void {
    this.open = false;
  }

  private choose(index: number): void {
    const { option } = this;
    const choice = option && flatChoices(option)[index];
    this.close();
    if (!choice || choice.value === option.value) return;
    emitIntent(this, { type: 'setConfig', optionId: option.id, value: choice.value });
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
    this.search(event, option);
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
          this.search(event, option);
        } else {
          this.choose(this.current);
        }
        return true;
      case 'Tab':
        this.choose(this.current);
        return false;
      default:
        if (!isLetter(event)) return false;
        this.search(event, option);
        return true;
    }
  }

  private search(event: KeyboardEvent, option: ConfigSelect): void {
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
