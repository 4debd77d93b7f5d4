import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import * as l10n from '@vscode/l10n';
import type { SessionList } from '../../src/session/history/sessionLists';
import type { Listed } from '../../src/session/state/state';
import type { ChatSummary } from '../../src/shared/panelState';
import { summaryTitle } from '../components/chatSummary';
import type { Ask } from '../composer/mentionList';
import { emitIntent } from '../intent';
import { button } from '../ui/button';
import { LightElement } from '../ui/element';
import { icon } from '../ui/icon';
import { openMenu } from '../ui/popupMenu';
import { FolderSearch } from './folderSearch';
import { groupChats, sessionRows, type ChatGroup } from './groups';
import { textToFind, type FoundIn } from './marked';
import { chatMenu, moreButton, sessionActions } from './rowActions';
import { chatRow, deleteRow, renameRow } from './rows';
import { TextSearch } from './textSearch';

interface Editing {
  readonly chatId: string;
  readonly what: 'rename' | 'delete';
}

/**
 * The list of chats, searched by all that was said in them; below it what agents keep besides, which is opened, copied and
 * deleted where the agent can. Arrows move between the rows, F2 renames, Delete deletes after asking, the menu key has
 * the rest. Tells `parley-toggle-chats` when the user has chosen (of what was found in a chat: where) or leaves.
 */
@customElement('parley-history')
export class HistoryElement extends LightElement {
  @property({ attribute: false }) chats: readonly ChatSummary[] = [];
  @property({ attribute: false }) sessions: readonly SessionList[] = [];
  @property({ attribute: false }) currentChatId: string | undefined;
  @property({ attribute: false }) now: () => number = Date.now;
  @property({ attribute: false }) ask: Ask | undefined;
  @state() private query = '';
  @state() private editing: Editing | undefined;
  /** What is folded open: agents of which the sessions are shown, `ARCHIVED` and `FOLDERS`. */
  @state() private opened: ReadonlySet<string> = new Set();
  private readonly search = new TextSearch(() => this.requestUpdate());
  private readonly folders = new FolderSearch(() => this.requestUpdate());
  /** The chat that goes to another group, and takes the focus along. */
  private moving: string | undefined;

  override focus(): void {
    this.querySelector<HTMLElement>('input[type="search"]')?.focus();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.search.stop();
    this.folders.stop();
  }

  protected override render() {
    const groups = groupChats(this.chats, this.query, this.now(), this.search.has);
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
        @input=${(event: Event) => this.find((event.target as HTMLInputElement).value)}
      />
      <p class="vh" role="status">${this.foundText(groups)}</p>
      ${repeat(
        groups,
        ({ key }) => key,
        group => (group.key === 'archived' ? this.archived(group) : this.group(group)),
      )}
      ${groups.length > 0 || !this.search.isSettled ? nothing : this.none()}
      ${repeat(
        this.sessions,
        ({ agentName }) => agentName,
        list => this.sessionList(list),
      )}
      ${this.otherFolders()}
    </section>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has('chats') || this.moving === undefined) return;
    this.focusRow(this.moving);
    this.moving = undefined;
  }

  private find(query: string): void {
    this.query = query;
    if (this.ask) this.search.find(query, this.ask);
  }

  private foundText(groups: readonly ChatGroup[]): string {
    if (this.query.trim() === '' || !this.search.isSettled) return '';
    const count = groups.reduce((sum, { chats }) => sum + chats.length, 0);
    if (count === 0) return '';
    return count === 1 ? l10n.t('1 chat found') : l10n.t('{0} chats found', count);
  }

  private group({ name, chats }: ChatGroup): TemplateResult {
    return html`<h2 class="group-h">${name}</h2>
      ${this.rows(chats)}`;
  }

  private rows(chats: readonly ChatSummary[]): TemplateResult {
    return html`<ul>
      ${repeat(
        chats,
        ({ chatId }) => chatId,
        chat => this.row(chat),
      )}
    </ul>`;
  }

  /** Folded, but for what is searched. */
  private archived({ name, chats }: ChatGroup): TemplateResult {
    const open = this.opened.has(ARCHIVED) || this.query.trim() !== '';
    const title = `${name} (${chats.length})`;
    return html`<details
      class="fold sessions archived"
      ?open=${open}
      @toggle=${(event: Event) => {
        if (this.query.trim() === '') {
          this.fold(ARCHIVED, (event.target as HTMLDetailsElement).open);
        }
      }}
    >
      <summary><span class="cut" title=${title}>${title}</span>${icon('chevron-right')}</summary>
      ${open ? this.rows(chats) : nothing}
    </details>`;
  }

  private otherFolders(): TemplateResult {
    const open = this.opened.has(FOLDERS);
    const title = l10n.t('Other folders');
    if (open && this.ask) this.folders.find(this.query, this.ask);
    const show = (folderId: string, chatId: string) =>
      emitIntent(this, { type: 'openFolder', folderId, chatId });
    return html`<details
      class="fold sessions"
      ?open=${open}
      @toggle=${(event: Event) => {
        if (this.fold(FOLDERS, (event.target as HTMLDetailsElement).open)) this.folders.stop();
      }}
    >
      <summary><span class="cut" title=${title}>${title}</span>${icon('chevron-right')}</summary>
      ${open ? this.folders.rows(this.query, this.now(), show) : nothing}
    </details>`;
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
      @toggle=${(event: Event) => {
        const isOpen = (event.target as HTMLDetailsElement).open;
        if (this.fold(agentName, isOpen) && isOpen) {
          emitIntent(this, { type: 'listSessions', agentName });
        }
      }}
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

  /** @returns whether that is new */
  private fold(name: string, open: boolean): boolean {
    if (this.opened.has(name) === open) return false;
    const opened = new Set(this.opened);
    if (open) opened.add(name);
    else opened.delete(name);
    this.opened = opened;
    return true;
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
    const { editing, query } = this;
    const { chatId } = chat;
    if (editing?.chatId === chatId) {
      return editing.what === 'rename'
        ? renameRow(chat, title => this.rename(chat, title))
        : this.deleteRow(chat, list);
    }
    return chatRow(chat, {
      isCurrent: chatId === this.currentChatId,
      now: this.now(),
      query,
      preview: list ? undefined : this.search.previewOf(chatId),
      open: () => this.open(chat, list, 'openSession'),
      ...(!list && { openMenu: event => this.openMenu(event, chat) }),
      actions: list
        ? sessionActions(
            chat,
            list,
            () => this.open(chat, list, 'copySession'),
            () => this.edit(chat, 'delete'),
          )
        : moreButton(chat, event => this.openMenu(event, chat)),
    });
  }

  private openMenu(event: Event, chat: ChatSummary): void {
    const row = (event.currentTarget as Element).closest('li');
    const more = row?.querySelector<HTMLElement>('.row-acts > [aria-haspopup]');
    if (!more) return;
    event.preventDefault();
    const items = chatMenu(
      chat,
      listed => this.setListed(chat, listed),
      what => this.edit(chat, what),
    );
    const open = () => openMenu(more, l10n.t('More Actions'), items);
    // A button that is let go would close the menu again.
    if (event instanceof MouseEvent && event.buttons !== 0)
      addEventListener('pointerup', () => setTimeout(open), { once: true });
    else open();
  }

  private setListed({ chatId }: ChatSummary, listed?: Listed): void {
    this.moving = chatId;
    emitIntent(this, { type: 'setListed', chatId, ...(listed && { listed }) });
  }

  private deleteRow(chat: ChatSummary, list?: SessionList): TemplateResult {
    const title = summaryTitle(chat);
    const question = list
      ? l10n.t('Delete "{0}" from {1} permanently?', title, list.agentName)
      : l10n.t('Delete "{0}"?', title);
    return deleteRow(chat.chatId, question, isSure => {
      this.leaveEditing();
      if (!isSure) return;
      emitIntent(
        this,
        list
          ? { type: 'deleteSession', ...sessionOf(chat) }
          : { type: 'deleteChat', chatId: chat.chatId },
      );
    });
  }

  private open(
    chat: ChatSummary,
    list: SessionList | undefined,
    how: 'openSession' | 'copySession',
  ): void {
    const { chatId } = chat;
    emitIntent(this, list ? { type: how, ...sessionOf(chat) } : { type: 'selectChat', chatId });
    const preview = list ? undefined : this.search.previewOf(chatId);
    this.leave(
      preview === undefined ? undefined : { chatId, text: textToFind(preview, this.query) },
    );
  }

  private edit(chat: ChatSummary, what: Editing['what']): void {
    this.editing = { chatId: chat.chatId, what };
    void this.updateComplete.then(() => {
      const input = this.querySelector<HTMLInputElement>('.editing input');
      if (input) input.select();
      else this.querySelector<HTMLElement>('.editing .btn')?.focus();
    });
  }

  private rename(chat: ChatSummary, title = ''): void {
    // Leaving the row takes the input away, which fires `blur` again.
    if (this.editing?.chatId !== chat.chatId) return;
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

  private leave(detail?: FoundIn): void {
    this.dispatchEvent(new CustomEvent('parley-toggle-chats', { bubbles: true, detail }));
  }

  private onKey(event: KeyboardEvent): void {
    const all = this.querySelectorAll<HTMLElement>('.item, .sessions > summary');
    const rows = [...all].filter(row => row.checkVisibility());
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

  /** What is folded away has its heading. */
  private focusRow(chatId: string | undefined): void {
    const row = [...this.querySelectorAll<HTMLElement>('li')].find(
      item => item.dataset['chatId'] === chatId,
    );
    const isArchived = this.chats.some(
      chat => chat.chatId === chatId && chat.listed === 'archived',
    );
    const target =
      row?.querySelector<HTMLElement>('.item') ??
      (isArchived ? this.querySelector<HTMLElement>('.archived > summary') : null);
    target?.focus();
  }
}

/** No agent has such a name: names are no longer than a line. */
const ARCHIVED = '\n';
const FOLDERS = '\n\n';

/** What a row of `sessionRows` stands for. */
function sessionOf({ chatId, agentName }: ChatSummary): {
  readonly agentName: string;
  readonly sessionId: string;
} {
  return { agentName, sessionId: chatId.slice(agentName.length + 1) };
}
