import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import * as l10n from '@vscode/l10n';
import type { Attachment } from '../../src/session/state/state';
import type { PanelState } from '../../src/shared/panelState';
import { attachmentIcon } from '../ui/attachmentIcon';
import { icon } from '../ui/icon';

interface ChipActions {
  readonly open: (attachment: Attachment) => void;
  readonly remove: (attachment: Attachment) => void;
  /** Adds what is offered. */
  readonly take: () => void;
}

type ActiveEditor = NonNullable<PanelState['activeEditor']>;

/** What goes along with the message, and what could: the file that is open. */
export function chips(
  attachments: readonly Attachment[],
  offer: ActiveEditor | undefined,
  actions: ChipActions,
): TemplateResult | typeof nothing {
  if (attachments.length === 0 && !offer) return nothing;
  return html`<div class="chips">
    ${
      attachments.length > 0
        ? html`<div class="chips" role="list" aria-label=${l10n.t('Attached context')}>
            ${repeat(
              attachments,
              ({ id }) => id,
              attachment => chip(attachment, actions),
            )}
          </div>`
        : nothing
    }
    ${
      offer
        ? html`<button
            type="button"
            class="chip off"
            title=${
              offer.hasSelection
                ? l10n.t('Add the selection in {0} to the message', offer.label)
                : l10n.t('Add {0} to the message', offer.label)
            }
            @click=${actions.take}
          >
            ${icon('add', { small: true })}<span class="cut">${offer.label}</span>
          </button>`
        : nothing
    }
  </div>`;
}

function chip(attachment: Attachment, actions: ChipActions): TemplateResult {
  const { label, title, refused } = attachment;
  return html`<span
    class=${refused ? 'chip off' : 'chip'}
    role="listitem"
    title=${refused ? `${title}: ${refused}` : title}
  >
    <button type="button" class="opener" @click=${() => actions.open(attachment)}>
      ${refused ? icon('warning', { small: true, tone: 'warn' }) : attachmentIcon(attachment)}<span
        class="cut"
        >${label}</span
      >${refused ? html`<span class="vh">${refused}</span>` : nothing}
    </button>
    <button
      type="button"
      aria-label=${l10n.t('Remove {0}', label)}
      title=${l10n.t('Remove')}
      @click=${() => actions.remove(attachment)}
    >
      ${icon('close', { small: true })}
    </button>
  </span>`;
}
