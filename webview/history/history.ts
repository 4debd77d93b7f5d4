import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import * as l10n from '@vscode/l10n';
import type { SessionList } from '../../src/session/history/sessionLists';
import type { ChatSummary } from '../../src/shared/panelState';
import { chatState, summaryTitle } from '../components/chatSummary';
import { initial } from '../components/header';
import { emitIntent } from '../intent';
import { button, iconButton } from '../ui/button';
import { LightElement } from '../ui/element';
import { icon } from '../ui/icon';
import { whenText } from '../ui/time';
import { groupChats, sessionRows } from './groups';

interface Editing {
  readonly chatId: string;
  readonly what: 'rename' | 'delete';
}

/**
 * The list of chats: opens, renames and deletes them; below them what agents keep besides, which is opened,
 * copied and deleted where the agent can. Arrows move between the rows, F2 renames, Delete deletes after asking. Tells `parley-toggle-chats` when the user has chosen or leaves.
 */
@customElement('parley-history')
export class HistoryElement extends LightElement {
  @property({ attribute: false }) chats: readonly ChatSummary[] = [];
  @property({ attribute: false }) sessions: readonly SessionList[] = [];
  @property({ attribute: false }) currentChatId: string | undefined;
  @property({ attribute: false }) now: () => number = Date.now;
  @state() private query = '';
  @state() private editing: Editing | undefined;
  /** Agents of which the sessions are shown. */
  @state() private opened: ReadonlySet<string> = new Set();

  override focus(): void {
    this.querySelector<HTMLElement>('input[type="search"]')?.focus();
  }

  protected override render() {
    const groups = groupChats(this.chats, this.query, this.now());
    return html`<section
      class="log history"
      aria-label=${l10n.t('Chats')}
      @keydown=${(event: KeyboardEvent) => this.onKey(event)}
    >
      <input
        class="text"
        type="search"
        aria-label=${l10n.t('Search chats')}
        placeholder=${l10n.t('Search chats')}
        .value=${this.query}
        @input=${(event: Event) => (this.query = (event.target as HTMLInputElement).value)}
      />
      ${groups.map(
        group =>
          html`<h2 class="group-h">${group.name}</h2>
            <ul>
              ${repeat(
                group.chats,
                ({ chatId }) => chatId,
                chat => this.row(chat),
              )}
            </ul>`,
      )}
      ${groups.length > 0 ? nothing : this.none()}
      ${repeat(
        this.sessions,
        ({ agentName }) => agentName,
        list => this.sessionList(list),
      )}
    </section>`;
  }

  /** Read when it is opened, and not before: an agent may have to start for it. */
  private sessionList(list: SessionList): TemplateResult {
    const { agentName, state, problem } = list;
    const open = this.opened.has(agentName);
    const rows = open ? sessionRows(list, this.query) : [];
    const note =
      problem ??
      (state === 'reading'
        ? l10n.t('Asking {0}…', agentName)
        : list.sessions.length === 0
          ? l10n.t('No other sessions in this folder.')
          : undefined);
    const title = l10n.t('Sessions of {0}', agentName);
    return html`<details
      class="fold sessions"
      ?open=${open}
      @toggle=${(event: Event) =>
        this.onSessionsToggle(agentName, (event.target as HTMLDetailsElement).open)}
    >
      <summary><span class="cut" title=${title}>${title}</span>${icon('chevron-right')}</summary>
      ${
        open
          ? html`<ul>
                ${repeat(
                  rows,
                  ({ chatId }) => chatId,
                  row => this.row(row, list),
                )}
              </ul>
              ${note === undefined ? nothing : html`<p class="none" role="status">${note}</p>`}
              ${
                list.hasMore && state === 'read'
                  ? button({
                      label: l10n.t('Show More'),
                      kind: 'plain',
                      onClick: () => emitIntent(this, { type: 'moreSessions', agentName }),
                    })
                  : nothing
              }`
          : nothing
      }
    </details>`;
  }

  private onSessionsToggle(agentName: string, open: boolean): void {
    if (this.opened.has(agentName) === open) return;
    const opened = new Set(this.opened);
    if (open) opened.add(agentName);
    else opened.delete(agentName);
    this.opened = opened;
    if (open) emitIntent(this, { type: 'listSessions', agentName });
  }

  private none(): TemplateResult {
    const text =
      this.chats.length === 0
        ? l10n.t('No chats yet. Select New Chat to start one.')
        : l10n.t('No chat matches "{0}".', this.query);
    return html`<p class="none" role="status">${text}</p>`;
  }

  /** @param list what the row stands in when it is a session and no chat yet. */
  private row(chat: ChatSummary, list?: SessionList): TemplateResult {
    const { editing } = this;
    if (editing?.chatId === chat.chatId) {
      return editing.what === 'rename' ? this.renameRow(chat) : this.deleteRow(chat, list);
    }
    const title = summaryTitle(chat);
    const current = chat.chatId === this.currentChatId;
    return html`<li data-chat-id=${chat.chatId}>
      <button
        type="button"
        class=${current ? 'item sel' : 'item'}
        aria-current=${current ? 'true' : nothing}
        @click=${() => this.open(chat, list, 'openSession')}
      >
        <span class="mark" aria-hidden="true">${initial(chat.agentName)}</span>
        <span class="two"
          ><span class="cut" title=${title}>${title}</span
          ><small><span class="cut" title=${chat.agentName}>${chat.agentName}</span></small></span
        >
        ${
          chatState(chat, true) ??
          html`<span class="when"
            >${chat.updatedAt > 0 ? whenText(chat.updatedAt, this.now()) : nothing}</span
          >`
        }
      </button>
      <span class="row-acts"
        >${
          list
            ? list.canCopy
              ? iconButton({
                  icon: 'copy',
                  label: l10n.t('Duplicate {0}', title),
                  title: l10n.t('Duplicate'),
                  onClick: () => this.open(chat, list, 'copySession'),
                })
              : nothing
            : iconButton({
                icon: 'edit',
                label: l10n.t('Rename {0}', title),
                title: l10n.t('Rename (F2)'),
                onClick: () => this.edit(chat, 'rename'),
              })
        }${
          list && !list.canDelete
            ? nothing
            : iconButton({
                icon: 'trash',
                label: l10n.t('Delete {0}', title),
                title: l10n.t('Delete (Del)'),
                onClick: () => this.edit(chat, 'delete'),
              })
        }</span
      >
    </li>`;
  }

  private renameRow(chat: ChatSummary): TemplateResult {
    const save = (event: Event) => this.rename(chat, event.target as HTMLInputElement);
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
          if (event.key === 'Escape') this.leaveEditing();
          event.stopPropagation();
        }}
        @blur=${save}
      />
    </li>`;
  }

  private deleteRow(chat: ChatSummary, list?: SessionList): TemplateResult {
    const title = summaryTitle(chat);
    const question = list
      ? l10n.t('Delete "{0}" from {1} permanently?', title, list.agentName)
      : l10n.t('Delete "{0}"?', title);
    return html`<li class="editing" role="group" aria-label=${question} data-chat-id=${chat.chatId}>
      <span class="cut grow" title=${question}>${question}</span>
      ${button({
        label: l10n.t('Delete'),
        kind: 'primary',
        onClick: () => {
          this.leaveEditing();
          emitIntent(
            this,
            list
              ? { type: 'deleteSession', ...sessionOf(chat) }
              : { type: 'deleteChat', chatId: chat.chatId },
          );
        },
      })}
      ${button({ label: l10n.t('Keep'), kind: 'secondary', onClick: () => this.leaveEditing() })}
    </li>`;
  }

  private open(
    chat: ChatSummary,
    list: SessionList | undefined,
    how: 'openSession' | 'copySession',
  ): void {
    emitIntent(
      this,
      list ? { type: how, ...sessionOf(chat) } : { type: 'selectChat', chatId: chat.chatId },
    );
    this.leave();
  }

  private edit(chat: ChatSummary, what: Editing['what']): void {
    this.editing = { chatId: chat.chatId, what };
    void this.updateComplete.then(() => {
      const input = this.querySelector<HTMLInputElement>('.editing input');
      if (input) input.select();
      else this.querySelector<HTMLElement>('.editing .btn')?.focus();
    });
  }

  private rename(chat: ChatSummary, input: HTMLInputElement): void {
    // Leaving the row takes the input away, which fires `blur` again.
    if (this.editing?.chatId !== chat.chatId) return;
    const title = input.value.trim();
    this.leaveEditing();
    if (title !== '' && title !== summaryTitle(chat)) {
      emitIntent(this, { type: 'renameChat', chatId: chat.chatId, title });
    }
  }

  private leaveEditing(): void {
    const { editing } = this;
    this.editing = undefined;
    void this.updateComplete.then(() => this.focusRow(editing?.chatId));
  }

  private leave(): void {
    this.dispatchEvent(new CustomEvent('parley-toggle-chats', { bubbles: true }));
  }

  private onKey(event: KeyboardEvent): void {
    const rows = [...this.querySelectorAll<HTMLElement>('.item, .sessions > summary')];
    const here = (event.target as Element).closest<HTMLElement>('li, summary');
    const place = rows.findIndex(row => here?.contains(row));
    const move = (to: number) => {
      event.preventDefault();
      if (to < 0) this.focus();
      else rows[Math.min(to, rows.length - 1)]?.focus();
    };
    switch (event.key) {
      case 'ArrowDown':
        move(place + 1);
        return;
      case 'ArrowUp':
        if (place >= 0) move(place - 1);
        return;
      case 'Escape':
        event.preventDefault();
        if (this.editing) this.leaveEditing();
        else this.leave();
        return;
      case 'F2':
      case 'Delete': {
        const what = event.key === 'F2' ? 'rename' : 'delete';
        const isHere = ({ chatId }: ChatSummary) => chatId === here?.dataset['chatId'];
        const chat =
          this.chats.find(isHere) ??
          this.sessions
            .filter(({ canDelete }) => canDelete && what === 'delete')
            .flatMap(list => sessionRows(list, ''))
            .find(isHere);
        if (!chat || this.editing) return;
        event.preventDefault();
        this.edit(chat, what);
        return;
      }
      default:
    }
  }

  private focusRow(chatId: string | undefined): void {
    const row = [...this.querySelectorAll<HTMLElement>('li')].find(
      item => item.dataset['chatId'] === chatId,
    );
    row?.querySelector<HTMLElement>('.item')?.focus();
  }
}

/** What a row of `sessionRows` stands for. */
function sessionOf({ chatId, agentName }: ChatSummary): {
  readonly agentName: string;
  readonly sessionId: string;
} {
  return { agentName, sessionId: chatId.slice(agentName.length + 1) };
}
