import { html, nothing, type TemplateResult } from 'lit';
import * as l10n from '@vscode/l10n';
import type { ChatSummary } from '../../src/shared/panelState';
import { chatState, summaryTitle } from '../components/chatSummary';
import { initial } from '../components/header';
import { button } from '../ui/button';
import { whenText } from '../ui/time';
import { marked } from './marked';

export interface RowParts {
  readonly isCurrent: boolean;
  readonly now: number;
  readonly query: string;
  /** The line in which the query was found. */
  readonly preview?: string | undefined;
  readonly open: () => void;
  /** Also by the menu key, or the right button of the mouse. */
  readonly openMenu?: (event: Event) => void;
  /** What can be done with it besides. */
  readonly actions: TemplateResult;
}

export function chatRow(chat: ChatSummary, parts: RowParts): TemplateResult {
  const { now, query, preview } = parts;
  const title = summaryTitle(chat);
  return html`<li
    data-chat-id=${chat.chatId}
    @contextmenu=${(event: Event) => parts.openMenu?.(event)}
  >
    <button
      type="button"
      class=${parts.isCurrent ? 'item sel' : 'item'}
      aria-current=${parts.isCurrent ? 'true' : nothing}
      @click=${parts.open}
    >
      <span class="mark" aria-hidden="true">${initial(chat.agentName)}</span>
      <span class="two"
        ><span class="cut" title=${title}>${marked(title, query)}</span
        ><small
          ><span class="cut" title=${chat.agentName}>${marked(chat.agentName, query)}</span></small
        >${preview === undefined ? nothing : html`<small class="found">${marked(preview, query)}</small>`}</span
      >
      ${
        chatState(chat, true) ??
        html`<span class="when"
          >${chat.updatedAt > 0 ? whenText(chat.updatedAt, now) : nothing}</span
        >`
      }
    </button>
    <span class="row-acts">${parts.actions}</span>
  </li>`;
}

/** @param done with the new name, or without one where the old one stays */
export function renameRow(chat: ChatSummary, done: (title?: string) => void): TemplateResult {
  const save = (event: Event) => done((event.target as HTMLInputElement).value.trim());
  return html`<li class="editing" data-chat-id=${chat.chatId}>
    <input
      class="text"
      aria-label=${l10n.t('New name')}
      .value=${summaryTitle(chat)}
      @keydown=${(event: KeyboardEvent) => {
        if (event.isComposing) return;
        if (event.key === 'Enter') {
          // The row gets the focus next, and must not be pressed by the same key.
          event.preventDefault();
          save(event);
        }
        if (event.key === 'Escape') done();
        event.stopPropagation();
      }}
      @blur=${save}
    />
  </li>`;
}

export function deleteRow(
  chatId: string,
  question: string,
  done: (isSure: boolean) => void,
): TemplateResult {
  return html`<li class="editing" role="group" aria-label=${question} data-chat-id=${chatId}>
    <span class="cut grow" title=${question}>${question}</span>
    ${button({ label: l10n.t('Delete'), kind: 'primary', onClick: () => done(true) })}
    ${button({ label: l10n.t('Keep'), kind: 'secondary', onClick: () => done(false) })}
  </li>`;
}
