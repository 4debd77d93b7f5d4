import { html, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import * as l10n from '@vscode/l10n';
import type { Attachment, SessionState } from '../../src/session/state/state';
import type { Intent } from '../../src/shared/intents';
import type { PanelState } from '../../src/shared/panelState';
import type { AnnouncerElement } from '../a11y/announcer';
import '../a11y/announcer';
import type { ComposerElement, DraftDetail } from '../composer/composer';
import '../composer/composer';
import type { EditorMemory } from '../composer/editorOffer';
import type { Ask } from '../composer/mentionList';
import type { ChosenDetail } from '../footer/choice';
import { withChosen } from '../footer/recentChoices';
import type { FindElement } from '../find/find';
import type { HistoryElement } from '../history/history';
import type { FoundIn } from '../history/marked';
import type { Host, ViewMemory } from '../host';
import type { ThumbnailRequest } from '../imagePreview/fileThumb';
import type { ImagePreviewElement } from '../imagePreview/imagePreview';
import type { FilledDetail } from '../questions/question';
import type { QueryClient } from '../queryClient';
import type { ViewStore } from '../store';
import type { RequestVisibility } from '../transcript/requestWatch';
import type { TranscriptElement } from '../transcript/transcriptElement';
import '../transcript/transcriptElement';
import { LightElement } from '../ui/element';
import { chatBody } from './chatBody';
import type { DockFoldDetail } from './dock';
import type { FirstRunElement } from './firstRun';
import './header';
import { belowChat, belowSubagent } from './belowChat';
import { openForms } from './chatFacts';
import { chatHeader, chatsHeader, firstRunHeader } from './headerViews';
import { OpenSubagents, type ShownSubagent } from './openSubagents';
import { subagentBar } from './subagentBar';

const NO_CHOICES = {};

/** The page: first run, the list of chats, or a chat; and the way of every intent to the host. */
@customElement('parley-app')
export class ParleyApp extends LightElement {
  @state() private showsChats = false;
  @state() private isFinding = false;
  @state() private hiddenRequests: ReadonlySet<string> = new Set();
  private host: Host | undefined;
  private store: ViewStore | undefined;
  private memory: ViewMemory = { viewId: '' };
  /** The transcript whose folds were restored; the next one gets them too. */
  private restored: TranscriptElement | undefined;
  /** What had the focus when the search was opened. */
  private beforeFind: Element | null = null;
  /** What to look for in the chat that comes next. */
  private toFind: FoundIn | undefined;
  /** The chat that is drawn, which the store may be ahead of by a frame: what the user does is about it. */
  private drawnChatId: string | undefined;
  private queries: QueryClient | undefined;
  private readonly askHost: Ask = (query, signal) =>
    this.queries?.ask(query, this.drawnChatId, signal) ??
    Promise.reject(new Error('There is no host.'));
  private readonly now = () => this.store?.now() ?? Date.now();
  private readonly subagents = new OpenSubagents(this, {
    get: () => this.memory.subagents ?? [],
    set: subagents => this.remember({ subagents }),
  });

  /** Called once, before the host learns that the page is ready. */
  connect(host: Host, store: ViewStore, memory: ViewMemory, queries: QueryClient): void {
    this.host = host;
    this.store = store;
    this.queries = queries;
    this.memory = memory;
    this.showsChats = memory.showsChats ?? false;
    store.onDidChange(() => this.refresh());
    store.onDidCommand(command => {
      switch (command.type) {
        case 'showChats':
          return this.setShowsChats(true);
        case 'focusComposer':
          return void this.subagents.leave().then(() => this.focusComposer());
        case 'find':
          return this.find();
        case 'previousPrompt':
        case 'nextPrompt':
          return void this.subagents
            .leave()
            .then(() => this.transcript?.stepPrompt(command.type === 'nextPrompt' ? 1 : -1));
        case 'editPrompt':
          return void this.subagents
            .leave()
            .then(() => this.transcript?.editPrompt(command.turnId));
        case 'answerRequest':
          return void this.answer(command.requestId, command.answer);
      }
    });
    this.addEventListener('parley-intent', event =>
      this.sendIntent((event as CustomEvent<Intent>).detail),
    );
    this.addEventListener('parley-draft', event => {
      const { chatId, text } = (event as CustomEvent<DraftDetail>).detail;
      host.post({ type: 'intent', chatId, intent: { type: 'draft', text } });
    });
    this.addEventListener('parley-toggle-chats', event => {
      this.toFind = (event as CustomEvent<FoundIn | null>).detail ?? undefined;
      if (this.toFind) void this.subagents.leave();
      this.setShowsChats(!this.showsChats);
      if (!this.showsChats && !this.toFind) void this.focusComposer();
    });
    this.addEventListener('parley-focus-composer', () => void this.focusComposer());
    this.addEventListener('parley-dock-fold', event => {
      const { section, open } = (event as CustomEvent<DockFoldDetail>).detail;
      this.remember({ dock: { ...this.memory.dock, [section]: open } });
      this.requestUpdate();
    });
    this.addEventListener('parley-folds', () =>
      this.remember({ folds: this.transcript?.foldState ?? {} }),
    );
    this.addEventListener('parley-chosen', event =>
      this.keepChosen((event as CustomEvent<ChosenDetail>).detail),
    );
    this.addEventListener('parley-editor-memory', event => {
      this.remember((event as CustomEvent<EditorMemory>).detail);
      this.requestUpdate();
    });
    this.addEventListener('parley-prompt-edits', () =>
      this.remember({ promptEdits: this.transcript?.promptEdits ?? {} }),
    );
    this.addEventListener('parley-filled', event => {
      const { requestId, values } = (event as CustomEvent<FilledDetail>).detail;
      const others = openForms(this.memory.forms, this.store?.session);
      this.remember({ forms: { ...others, [requestId]: values } });
    });
    this.addEventListener('parley-request-visibility', event => {
      const { requestId, visible } = (event as CustomEvent<RequestVisibility>).detail;
      const hidden = new Set(this.hiddenRequests);
      if (visible) hidden.delete(requestId);
      else hidden.add(requestId);
      this.hiddenRequests = hidden;
    });
    this.addEventListener('parley-find-close', () => this.closeFind());
    document.addEventListener('keydown', event => {
      if (event.key === 'Escape') this.subagents.onEscape(event, this.subagent);
      const isFind = event.key.toLowerCase() === 'f' && (event.ctrlKey || event.metaKey);
      if (!isFind || event.altKey || event.shiftKey || !this.transcript) return;
      event.preventDefault();
      // VS Code would open the search of the editor as well.
      event.stopPropagation();
      this.find();
    });
    this.addEventListener('parley-preview', event =>
      this.preview((event as CustomEvent<Attachment>).detail),
    );
    this.addEventListener('parley-thumbnail', event => {
      const { attachmentId, done } = (event as CustomEvent<ThumbnailRequest>).detail;
      void this.askHost({ type: 'image', attachmentId }).then(
        ({ data }) => done(data),
        () => done(undefined),
      );
    });
    this.addEventListener(
      'parley-reveal',
      event => void this.reveal((event as CustomEvent<string>).detail),
    );
  }

  protected override willUpdate(): void {
    if (this.showsChats) void import('../history/history');
    const { panel, session } = this.store ?? {};
    if (panel && !session && panel.chatId === undefined) void import('./firstRun');
  }

  protected override render() {
    const { panel, session } = this.store ?? {};
    this.drawnChatId = session?.chatId;
    return html`<main class="panel" aria-label=${l10n.t('Parley chat')}>
        ${panel ? this.route(panel, session) : nothing}
      </main>
      <parley-announcer></parley-announcer>
      <parley-image-preview></parley-image-preview>`;
  }

  protected override updated(): void {
    const { toFind, transcript } = this;
    if (transcript && toFind && toFind.chatId === this.drawnChatId) {
      this.toFind = undefined;
      this.find(toFind.text);
    }
    if (!transcript || transcript === this.restored) return;
    this.restored = transcript;
    if (this.memory.folds) transcript.foldState = this.memory.folds;
    if (this.memory.promptEdits) transcript.promptEdits = this.memory.promptEdits;
  }

  private route(panel: PanelState, session: SessionState | undefined): TemplateResult {
    if (this.showsChats) return this.chats(panel);
    // A chat that is announced but not there yet comes with the next message: nothing flashes before it.
    if (!session) return panel.chatId === undefined ? this.firstRun(panel) : this.blank(panel);
    return this.chat(panel, session);
  }

  private firstRun(panel: PanelState): TemplateResult {
    return html`<parley-header
        .view=${firstRunHeader(panel, l10n.t('Choose an agent'))}
      ></parley-header>
      <parley-first-run
        .agents=${panel.agents}
        .defaultAgent=${panel.defaultAgent}
        .isRestricted=${panel.isRestricted ?? false}
      ></parley-first-run>`;
  }

  private blank(panel: PanelState): TemplateResult {
    return html`<parley-header
      .view=${firstRunHeader(panel, l10n.t('Opening the chat'))}
    ></parley-header>`;
  }

  private chats(panel: PanelState): TemplateResult {
    return html`<parley-header .view=${chatsHeader(panel)}></parley-header>
      <parley-history
        .chats=${panel.chats}
        .sessions=${panel.sessions ?? []}
        .currentChatId=${panel.chatId}
        .ask=${this.askHost}
        .now=${this.now}
      ></parley-history>`;
  }

  private chat(panel: PanelState, session: SessionState): TemplateResult {
    const subagent = this.subagents.shown(session);
    const shown = subagent?.session ?? session;
    const header = chatHeader(panel, session);
    return html`<parley-header .view=${header}></parley-header> ${
        subagent
          ? subagentBar({
              subagent,
              chatTitle: header.title,
              now: this.now,
              onBack: () => void this.subagents.back(subagent),
            })
          : nothing
      }
      ${this.isFinding ? html`<parley-find .transcript=${this.transcript} .session=${shown}></parley-find>` : nothing}
      ${chatBody({
        panel,
        session: shown,
        isSubagent: subagent !== undefined,
        now: this.now,
        filled: this.memory.forms,
        ask: this.askHost,
        onSuggest: prompt => this.composer?.suggest(prompt),
        onShowChats: () => this.setShowsChats(true),
      })}
      ${
        subagent
          ? belowSubagent({ session, shown, hidden: this.hiddenRequests, memory: this.memory })
          : belowChat({
              panel,
              session,
              hidden: this.hiddenRequests,
              memory: this.memory,
              ask: this.askHost,
              now: this.now,
            })
      }`;
  }

  private keepChosen(chosen: ChosenDetail): void {
    const name = this.store?.session?.agent.name;
    if (name === undefined) return;
    const { recentChoices = {} } = this.memory;
    const recent = withChosen(recentChoices[name] ?? NO_CHOICES, chosen);
    this.remember({ recentChoices: { ...recentChoices, [name]: recent } });
  }

  private refresh(): void {
    const { panel, session } = this.store ?? {};
    if (panel) document.body.dataset['host'] = panel.host;
    if (session && session.chatId !== this.memory.chatId) {
      if (this.memory.chatId !== undefined) this.hiddenRequests = new Set();
      this.remember({ chatId: session.chatId, subagents: [] });
    }
    this.requestUpdate();
    void this.updateComplete.then(() =>
      this.querySelector<AnnouncerElement>('parley-announcer')?.follow(
        session,
        this.subagent?.call.toolCallId,
      ),
    );
  }

  private sendIntent(intent: Intent): void {
    const chatId = this.drawnChatId;
    this.host?.post({ type: 'intent', ...(chatId !== undefined && { chatId }), intent });
    if (intent.type === 'newChat') this.setShowsChats(false);
  }

  private setShowsChats(shows: boolean): void {
    if (this.showsChats === shows) return;
    this.showsChats = shows;
    this.remember({ showsChats: shows });
    if (!shows) return;
    void Promise.all([this.updateComplete, customElements.whenDefined('parley-history')]).then(() =>
      this.querySelector<HistoryElement>('parley-history')?.focus(),
    );
  }

  private find(text?: string): void {
    if (!this.transcript) return;
    if (!this.isFinding) this.beforeFind = document.activeElement;
    else if (text === undefined) this.querySelector<HTMLElement>('parley-find')?.focus();
    this.isFinding = true;
    void import('../find/find').then(async () => {
      await this.updateComplete;
      if (text !== undefined) this.querySelector<FindElement>('parley-find')?.find(text);
    });
  }

  /** The focus goes back to where it was. */
  private closeFind(): void {
    this.isFinding = false;
    const before = this.beforeFind;
    this.beforeFind = null;
    if (before instanceof HTMLElement && this.contains(before)) before.focus();
    else void this.focusComposer();
  }

  /** Answers a request that is in view, else shows it. */
  private async answer(requestId: string, answer: 'allow' | 'reject'): Promise<void> {
    const isHere = await this.subagents.leaveFor(requestId, this.subagent);
    this.transcript?.answer(requestId, answer, isHere && !this.hiddenRequests.has(requestId));
  }

  private async reveal(requestId: string): Promise<void> {
    await this.subagents.leaveFor(requestId, this.subagent);
    await this.transcript?.reveal(requestId);
  }

  private preview(attachment: Attachment): void {
    void import('../imagePreview/imagePreview').then(() =>
      this.imagePreview?.open(attachment, this.askHost),
    );
  }

  private async focusComposer(): Promise<void> {
    this.setShowsChats(false);
    if (customElements.get('parley-image-preview')) this.imagePreview?.close();
    await this.updateComplete;
    const firstRun = this.querySelector<FirstRunElement>('parley-first-run');
    if (firstRun) await customElements.whenDefined('parley-first-run');
    const target = this.composer ?? firstRun;
    await target?.updateComplete;
    if (target) target.focus();
    // In a subagent's conversation there is none.
    else this.querySelector<HTMLElement>('.log')?.focus({ preventScroll: true });
  }

  private remember(change: Partial<ViewMemory>): void {
    this.memory = { ...this.memory, ...change };
    this.host?.remember(this.memory);
  }

  /** The subagent that is shown instead of the chat. */
  private get subagent(): ShownSubagent | undefined {
    const session = this.showsChats ? undefined : this.store?.session;
    return session && this.subagents.shown(session);
  }

  private get imagePreview(): ImagePreviewElement | null {
    return this.querySelector<ImagePreviewElement>('parley-image-preview');
  }

  private get composer(): ComposerElement | null {
    return this.querySelector<ComposerElement>('parley-composer');
  }

  private get transcript(): TranscriptElement | null {
    return this.querySelector('parley-transcript');
  }
}
