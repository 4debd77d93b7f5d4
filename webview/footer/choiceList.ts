import { html, nothing, type TemplateResult } from 'lit';
import type { ConfigChoice, ConfigGroup, ConfigSelect } from '../../src/session/state/config';
import { icon } from '../ui/icon';

export function choiceId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

/** The list of an option's choices, in groups. */
export function choiceList(view: {
  readonly id: string;
  readonly option: ConfigSelect;
  readonly groups: readonly ConfigGroup[];
  readonly current: number;
  readonly onChoose: (index: number) => void;
  readonly onPoint: (index: number) => void;
}): TemplateResult {
  const { id, option, groups, current } = view;
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
  return html`<div class="list" id=${id} role="listbox" aria-label=${option.name}>
    ${groups.map(group =>
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
