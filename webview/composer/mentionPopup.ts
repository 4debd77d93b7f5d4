import { html, nothing, type TemplateResult } from 'lit';
import * as l10n from '@vscode/l10n';
import type { MentionGroup, MentionItem } from '../../src/shared/queries';
import { icon } from '../ui/icon';
import { marked } from './completion';

export const MENTION_LIST_ID = 'mentions';

export function mentionOptionId(index: number): string {
  return `mention-${index}`;
}

export interface MentionPopupView {
  readonly groups: readonly MentionGroup[];
  /** The place, over all groups, of the one that Enter takes. */
  readonly current: number;
  readonly searches: boolean;
  /** Nothing was typed behind the `@` yet. */
  readonly isNew: boolean;
  readonly onChoose: (item: MentionItem) => void;
}

/** What can be mentioned, above the composer. The focus stays in the text. */
export function mentionPopup(view: MentionPopupView): TemplateResult | typeof nothing {
  const { groups, searches } = view;
  if (groups.length === 0 && !searches) return nothing;
  let first = 0;
  const rows = groups.map(group => {
    const start = first;
    first += group.items.length;
    return groupRows(group, start, view);
  });
  return html`<div class="pop">
    <ul id=${MENTION_LIST_ID} role="listbox" aria-label=${l10n.t('Context')}>
      ${rows}
    </ul>
    ${searches ? html`<p class="cap" role="status">${l10n.t('Searching…')}</p>` : nothing}
    ${
      groups.length > 0
        ? html`<p class="endhint">
            <span>${l10n.t('Enter to choose')}</span>
            ${
              view.isNew
                ? html`<span class="cut">${l10n.t('Type to search files')}</span>`
                : nothing
            }
          </p>`
        : nothing
    }
  </div>`;
}

function groupRows(
  { name, items }: MentionGroup,
  start: number,
  { current, onChoose }: MentionPopupView,
): TemplateResult {
  return html`<li class="cap" role="presentation">${name}</li>
    ${items.map((item, place) => {
      const index = start + place;
      return html`<li
        role="option"
        id=${mentionOptionId(index)}
        class=${index === current ? 'here' : ''}
        aria-selected=${index === current}
        title=${item.mention.slice(1)}
        @mousedown=${(event: Event) => event.preventDefault()}
        @click=${() => onChoose(item)}
      >
        ${icon(item.icon)}<span class="name cut">${marked(item.name, item.hits)}</span
        ><span class="dim cut">${item.detail}</span>
      </li>`;
    })}`;
}
