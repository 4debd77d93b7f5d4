import { html, nothing, type TemplateResult } from 'lit';
import * as l10n from '@vscode/l10n';
import type { SessionList } from '../../src/session/history/sessionLists';
import type { Listed } from '../../src/session/state/state';
import type { ChatSummary } from '../../src/shared/panelState';
import { summaryTitle } from '../components/chatSummary';
import { iconButton } from '../ui/button';
import { icon } from '../ui/icon';
import type { MenuItem } from '../ui/popupMenu';
import { isAtWork } from './groups';

/** Of a chat: a button for all that can be done with it. */
export function moreButton(chat: ChatSummary, open: (event: Event) => void): TemplateResult {
  return html`<button
    type="button"
    class="icon"
    aria-label=${l10n.t('More actions for {0}', summaryTitle(chat))}
    title=${l10n.t('More Actions…')}
    aria-haspopup="menu"
    aria-expanded="false"
    @click=${open}
  >
    ${icon('ellipsis')}
  </button>`;
}

export function chatMenu(
  chat: ChatSummary,
  setListed: (listed?: Listed) => void,
  edit: (what: 'rename' | 'delete') => void,
): readonly MenuItem[] {
  const { listed } = chat;
  const pin =
    listed === 'pinned'
      ? { label: l10n.t('Unpin'), run: () => setListed() }
      : { label: l10n.t('Pin'), run: () => setListed('pinned') };
  const archive =
    listed === 'archived'
      ? { label: l10n.t('Unarchive'), run: () => setListed() }
      : { label: l10n.t('Archive'), run: () => setListed('archived') };
  return [
    pin,
    { label: l10n.t('Rename'), run: () => edit('rename') },
    ...(isAtWork(chat) ? [] : [archive]),
    { label: l10n.t('Delete'), run: () => edit('delete') },
  ];
}

/** Of a session that an agent keeps: what that agent can do. */
export function sessionActions(
  session: ChatSummary,
  { canCopy, canDelete }: SessionList,
  copy: () => void,
  remove: () => void,
): TemplateResult {
  const title = summaryTitle(session);
  return html`${
    canCopy
      ? iconButton({
          icon: 'copy',
          label: l10n.t('Duplicate {0}', title),
          title: l10n.t('Duplicate'),
          onClick: copy,
        })
      : nothing
  }${
    canDelete
      ? iconButton({
          icon: 'trash',
          label: l10n.t('Delete {0}', title),
          title: l10n.t('Delete (Del)'),
          onClick: remove,
        })
      : nothing
  }`;
}
