import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import * as l10n from '@vscode/l10n';
import type { Attachment } from '../../src/session/state/state';
import { attachmentIcon } from '../ui/attachmentIcon';
import { icon } from '../ui/icon';
import type { OfferedEditor } from './editorOffer';

interface ChipActions {
  readonly open: (attachment: Attachment) => void;
  readonly remove: (attachment: Attachment) => void;
  /** Adds what is offered. */
  readonly take: () => void;
  /** Lets what is open in the editor go along with each message, or not any more. */
  readonly follow?: (on: boolean) => void;
  /** Offers it no more in this chat. */
  readonly dismiss?: () => void;
}

/** What goes along with the message, and what could: the file that is open. */
export function chips(
  attachments: readonly Attachment[],
  offer: OfferedEditor | undefined,
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
    ${offer ? offered(offer, actions) : nothing}
  </div>`;
}

/** A chip that follows the editor: added once by its name, and with each message while its eye is open. */
function offered(
  { label, hasSelection, isFollowed }: OfferedEditor,
  { take, follow, dismiss }: ChipActions,
): TemplateResult {
  const title = isFollowed
    ? l10n.t('Pin {0} to this message', label)
    : hasSelection
      ? l10n.t('Add the selection in {0} to the message', label)
      : l10n.t('Add {0} to the message', label);
  return html`<span class=${isFollowed ? 'chip' : 'chip off'}>
    <button type="button" class="opener" title=${title} aria-label=${title} @click=${take}>
      ${icon(isFollowed ? 'pin' : 'add', { small: true })}<span class="cut">${label}</span>
    </button>
    <button
      type="button"
      aria-pressed=${isFollowed}
      aria-label=${l10n.t('Send the active editor with each message')}
      title=${
        isFollowed
          ? l10n.t('Sent with each message, and follows the editor. Select to turn off.')
          : l10n.t('Send the active editor with each message')
      }
      @click=${() => follow?.(!isFollowed)}
    >
      ${icon(isFollowed ? 'eye' : 'eye-closed', { small: true })}
    </button>
    ${
      dismiss
        ? html`<button
            type="button"
            aria-label=${l10n.t('Hide the active editor in this chat')}
            title=${l10n.t('Hide the active editor in this chat')}
            @click=${dismiss}
          >
            ${icon('close', { small: true })}
          </button>`
        : nothing
    }
  </span>`;
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
