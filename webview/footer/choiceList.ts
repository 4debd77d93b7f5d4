import { html, nothing, type TemplateResult } from 'lit';
import type { ConfigChoice, ConfigSelect } from '../../src/session/state/config';
import { icon } from '../ui/icon';

/** All choices of an option in the order they are shown. */
export function flatChoices(option: ConfigSelect): readonly ConfigChoice[] {
  return option.groups.flatMap(({ choices }) => choices);
}

export function currentChoice(option: ConfigSelect): ConfigChoice | undefined {
  return flatChoices(option).find(({ value }) => value === option.value);
}

/**
 * Where the next keys of a search by typing lead: the first choice from `from` on whose name begins with
 * `typed`, going round. Undefined when there is none.
 */
export function findByTyping(
  choices: readonly ConfigChoice[],
  typed: string,
  from: number,
): number | undefined {
  const wanted = typed.toLocaleLowerCase();
  for (let step = 0; step < choices.length; step += 1) {
    const index = (from + step) % choices.length;
    if (choices[index]?.name.toLocaleLowerCase().startsWith(wanted)) return index;
  }
  return undefined;
}

export function choiceId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

/** The list of an option's choices, in the agent's groups. */
export function choiceList(view: {
  readonly id: string;
  readonly option: ConfigSelect;
  readonly current: number;
  readonly onChoose: (index: number) => void;
  readonly onPoint: (index: number) => void;
}): TemplateResult {
  const { id, option, current } = view;
  let index = -1;
  const row = (choice: ConfigChoice) => {
    index += 1;
    const place = index;
    const chosen = choice.value === option.value;
    return html`<li
      role="option"
      id=${choiceId(id, place)}
      class=${place === current ? 'here' : ''}
      aria-selected=${chosen}
      @mousedown=${(event: Event) => event.preventDefault()}
      @mousemove=${() => view.onPoint(place)}
      @click=${() => view.onChoose(place)}
    >
      ${chosen ? icon('check') : html`<i class="codicon codicon-blank" aria-hidden="true"></i>`}
      <span class="two"
        ><span>${choice.name}</span>${
          choice.description ? html`<small>${choice.description}</small>` : nothing
        }</span
      >
    </li>`;
  };
  return html`<div class="pop choose" id=${id} role="listbox" aria-label=${option.name}>
    ${option.groups.map(group =>
      group.name
        ? html`<ul role="group" aria-label=${group.name}>
            <li class="cap" role="presentation">${group.name}</li>
            ${group.choices.map(row)}
          </ul>`
        : html`<ul role="presentation">
            ${group.choices.map(row)}
          </ul>`,
    )}
  </div>`;
}
