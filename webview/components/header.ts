import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import * as l10n from '@vscode/l10n';
import type { Intent } from '../../src/shared/intents';
import { keepOneTabStop, rove } from '../a11y/roving';
import { emitIntent } from '../intent';
import { LightElement } from '../ui/element';
import { icon } from '../ui/icon';
import type { StateLine } from './stateLine';

/** What the header shows; made by the application from the chat or the list of chats. */
export interface HeaderView {
  readonly kind: 'firstRun' | 'chat' | 'chats';
  readonly title: string;
  readonly line: StateLine;
  /** Only for a chat. */
  readonly agent?: {
    readonly chatId: string;
    readonly name: string;
    readonly about: string;
    /** The server that it runs on, if it does not run here. */
    readonly place: string | undefined;
    readonly canFork: boolean;
    readonly canSignOut: boolean;
  };
  /** Other chats that wait for the user. */
  readonly waiting: number;
  /** How many chats there are to show. */
  readonly chats: number;
}

/** Title, state and the actions of a chat. Asks for the list with `parley-toggle-chats`. */
@customElement('parley-header')
export class HeaderElement extends LightElement {
  @property({ attribute: false }) view: HeaderView | undefined;
  @state() private menuOpen = false;
  @state() private isRenaming = false;

  protected override render() {
    const { view } = this;
    if (!view) return nothing;
    const { line } = view;
    return html`<header class="head">
      ${this.mark(view)}
      <div class="names">
        ${this.isRenaming ? this.titleField(view) : this.titleLine(view)}
        <div class="sub" role="status" aria-live="off">
          ${
            view.agent
              ? html`<span class="who hide-xs"
                  ><span class="cut" title=${view.agent.about}>${view.agent.name}</span
                  ><span aria-hidden="true">·</span></span
                >`
              : nothing
          }
          <span class="stands"
            >${view.agent?.place === undefined ? nothing : placeOf(view.agent.place)}
            <span class="is"
              >${
                line.icon
                  ? icon(line.icon, {
                      small: true,
                      spin: line.icon === 'loading',
                      ...(line.tone && { tone: line.tone }),
                    })
                  : nothing
              }
              <span class=${line.icon ? 'now cut' : 'now idle cut'} title=${line.text}
                >${line.text}</span
              ></span
            ></span
          >
        </div>
      </div>
      <div
        class="tools-bar"
        role="toolbar"
        aria-label=${l10n.t('Chat actions')}
        @keydown=${(event: KeyboardEvent) => this.onToolbarKey(event)}
        @focusout=${(event: FocusEvent) => this.onFocusOut(event)}
      >
        ${
          view.kind === 'firstRun'
            ? nothing
            : this.tool('add', l10n.t('New Chat'), () => emitIntent(this, { type: 'newChat' }), {
                narrow: false,
              })
        }
        ${
          view.kind === 'chat' || (view.kind === 'firstRun' && view.chats > 0)
            ? this.chatsButton(view.waiting)
            : nothing
        }
        ${
          view.kind === 'chats'
            ? this.tool('close', l10n.t('Back to chat'), () => this.toggleChats())
            : this.moreButton(view)
        }
      </div>
    </header>`;
  }

  protected override updated(): void {
    keepOneTabStop(this.tools());
  }

  private titleLine(view: HeaderView): TemplateResult {
    return html`<h1
      class="cut"
      title=${view.title}
      @dblclick=${() => {
        if (view.agent) this.rename();
      }}
    >
      ${view.title}
    </h1>`;
  }

  private titleField(view: HeaderView): TemplateResult {
    const done = (input: HTMLInputElement, isSaved: boolean): void => {
      if (!this.isRenaming) return;
      this.isRenaming = false;
      const title = input.value.trim();
      if (!isSaved || !view.agent || title === '' || title === view.title) return;
      emitIntent(this, { type: 'renameChat', chatId: view.agent.chatId, title });
    };
    return html`<input
      class="text title"
      aria-label=${l10n.t('Title of the chat')}
      .value=${view.title}
      @blur=${(event: Event) => done(event.target as HTMLInputElement, true)}
      @keydown=${(event: KeyboardEvent) => {
        if (event.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
        event.preventDefault();
        event.stopPropagation();
        done(event.target as HTMLInputElement, event.key === 'Enter');
        this.querySelector<HTMLElement>('.more')?.focus();
      }}
    />`;
  }

  private rename(): void {
    this.isRenaming = true;
    void this.updateComplete.then(() => {
      const field = this.querySelector<HTMLInputElement>('.title');
      field?.focus();
      field?.select();
    });
  }

  private mark(view: HeaderView): TemplateResult {
    if (!view.agent) {
      const name = view.kind === 'chats' ? 'history' : 'comment-discussion';
      return html`<span class="mark" aria-hidden="true">${icon(name)}</span>`;
    }
    const { name, about, place } = view.agent;
    const there = (who: string) => (place ? l10n.t('{0} on {1}', who, place) : who);
    return html`<button
      type="button"
      class="mark"
      aria-label=${l10n.t('Agent: {0}. Change agent', there(name))}
      title=${l10n.t('{0}. Change agent', there(about))}
      @click=${() => emitIntent(this, { type: 'pickAgent' })}
    >
      ${initial(name)}
    </button>`;
  }

  private tool(
    iconName: string,
    label: string,
    onClick: () => void,
    options: { readonly narrow?: boolean; readonly title?: string; readonly extra?: unknown } = {},
  ): TemplateResult {
    return html`<button
      type="button"
      class=${options.narrow === false ? 'icon hide-xs' : 'icon'}
      tabindex="-1"
      aria-label=${label}
      title=${options.title ?? label}
      @click=${onClick}
    >
      ${icon(iconName)}${options.extra}
    </button>`;
  }

  private chatsButton(waiting: number): TemplateResult {
    const label =
      waiting > 0 ? l10n.t('Show Chats, {0} waiting for you', waiting) : l10n.t('Show Chats');
    return this.tool('history', label, () => this.toggleChats(), {
      title: l10n.t('Show Chats…'),
      extra: waiting > 0 ? html`<span class="count" aria-hidden="true">${waiting}</span>` : nothing,
    });
  }

  private moreButton(view: HeaderView): TemplateResult {
    return html`<button
        type="button"
        class="icon more"
        tabindex="-1"
        aria-label=${l10n.t('More Actions')}
        title=${l10n.t('More Actions…')}
        aria-haspopup="menu"
        aria-expanded=${this.menuOpen}
        @click=${() => (this.menuOpen ? this.closeMenu() : this.openMenu())}
      >
        ${icon('ellipsis')}
      </button>
      ${this.menuOpen ? this.menu(view) : nothing}`;
  }

  private menu(view: HeaderView): TemplateResult {
    const action = (label: string, run: () => void, className = '') =>
      html`<button
        type="button"
        role="menuitem"
        class=${className}
        tabindex="-1"
        @click=${() => {
          this.closeMenu();
          run();
        }}
      >
        ${label}
      </button>`;
    const item = (label: string, intent: Intent, className = '') =>
      action(label, () => emitIntent(this, intent), className);
    return html`<div
      class="menu"
      role="menu"
      aria-label=${l10n.t('More Actions')}
      @keydown=${(event: KeyboardEvent) => this.onMenuKey(event)}
    >
      ${
        view.kind === 'chat'
          ? html`${item(l10n.t('New Chat'), { type: 'newChat' }, 'only-xs')}
              ${item(l10n.t('New Chat With…'), { type: 'pickAgent' })}
              ${item(l10n.t('Open Chat in Editor'), { type: 'openInEditor' })}
              ${action(l10n.t('Rename Chat'), () => this.rename())}
              ${view.agent?.canFork ? item(l10n.t('Duplicate Chat'), { type: 'forkChat' }) : nothing}
              ${item(l10n.t('Export Chat as Markdown'), { type: 'exportChat' })}
              <div role="separator"></div>
              ${item(l10n.t('Restart Agent'), { type: 'restartAgent' })}
              ${view.agent?.canSignOut ? item(l10n.t('Sign Out'), { type: 'signOut' }) : nothing}`
          : nothing
      }
      ${item(l10n.t('Edit Agents'), { type: 'editAgents' })}
      ${item(l10n.t('Show Log'), { type: 'showLog' })}
    </div>`;
  }

  private toggleChats(): void {
    this.dispatchEvent(new CustomEvent('parley-toggle-chats', { bubbles: true }));
  }

  private openMenu(): void {
    this.menuOpen = true;
    void this.updateComplete.then(() => this.menuItems().at(0)?.focus());
  }

  private closeMenu(): void {
    this.menuOpen = false;
    this.querySelector<HTMLElement>('.more')?.focus();
  }

  private tools(): HTMLElement[] {
    return [...this.querySelectorAll<HTMLElement>('.tools-bar > button')];
  }

  private menuItems(): HTMLElement[] {
    return [...this.querySelectorAll<HTMLElement>('.menu [role="menuitem"]')].filter(
      item => item.getClientRects().length > 0,
    );
  }

  private onToolbarKey(event: KeyboardEvent): void {
    if (event.target instanceof Element && event.target.closest('.menu')) return;
    if (event.key === 'ArrowDown' && (event.target as Element).matches('.more')) {
      event.preventDefault();
      this.openMenu();
      return;
    }
    rove(event, this.tools(), 'horizontal');
  }

  private onMenuKey(event: KeyboardEvent): void {
    if (event.key === 'Escape' || event.key === 'Tab') {
      if (event.key === 'Escape') event.preventDefault();
      event.stopPropagation();
      this.closeMenu();
      return;
    }
    rove(event, this.menuItems(), 'vertical');
  }

  private onFocusOut(event: FocusEvent): void {
    const next = event.relatedTarget;
    if (next instanceof Node && this.contains(next)) return;
    this.menuOpen = false;
  }
}

/** The letter that stands for an agent: more of them would be words that its button does not have in its name. */
export function initial(name: string): string {
  return [...name.trim()][0]?.toLocaleUpperCase() ?? '?';
}

/** Where the agent runs; cut at its start, since names of hosts say at their end whose they are. */
function placeOf(place: string): TemplateResult {
  const says = l10n.t('Runs on {0}', place);
  return html`<span class="at" title=${says}
    ><span class="vh">${says}</span
    ><span class="cut" aria-hidden="true"><bdo dir="ltr">${place}</bdo></span
    ><span aria-hidden="true">·</span></span
  >`;
}
