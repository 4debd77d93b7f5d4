import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import * as l10n from '@vscode/l10n';
import type { CommandMatch } from './commandList';
import { marked } from './completion';

export const COMMAND_LIST_ID = 'commands';

export function commandOptionId(index: number): string {
  return `command-${index}`;
}

/** The agent's commands above the composer. The focus stays in the text; `current` is the one Enter takes. */
export function commandPopup(
  matches: readonly CommandMatch[],
  current: number,
  onChoose: (match: CommandMatch) => void,
): TemplateResult {
  const hint = matches[current]?.command.hint;
  return html`<div class="pop">
    <ul id=${COMMAND_LIST_ID} role="listbox" aria-label=${l10n.t('Commands')}>
      ${repeat(
        matches,
        ({ command }) => command.name,
        (match, index) =>
          html`<li
            role="option"
            id=${commandOptionId(index)}
            class=${index === current ? 'here' : ''}
            aria-selected=${index === current}
            @mousedown=${(event: Event) => event.preventDefault()}
            @click=${() => onChoose(match)}
          >
            <span class="name cut" title=${match.command.name}
              >/${marked(match.command.name, match.hits)}</span
            ><span class="dim cut" title=${match.command.description}
              >${match.command.description}</span
            >
          </li>`,
      )}
    </ul>
    <p class="endhint">
      <span>${l10n.t('Enter to choose')}</span>
      ${
        hint
          ? html`<span class="cut hide-xs" title=${hint}>${l10n.t('then type: {0}', hint)}</span>`
          : nothing
      }
    </p>
  </div>`;
}
