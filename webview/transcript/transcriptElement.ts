import * as l10n from '@vscode/l10n';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { FormValues } from '../../src/session/state/elicitation';
import { ownParts } from '../../src/session/state/lanes';
import { mayChoose } from '../../src/session/state/permission';
import { allTurns, waitingRequests } from '../../src/session/state/selectors';
import type { SessionState, Turn } from '../../src/session/state/state';
import type { Ask } from '../composer/mentionList';
import { emitIntent } from '../intent';
import { icon } from '../ui/icon';
import { holderOf, type ViewContext } from './context';
import { Folds } from './folds';
import { Following } from './following';
import { Groups } from './groups';
import { Navigation } from './navigation';
import { PromptEditing } from './promptEditing';
import type { PromptEdit } from './promptEdits';
import { readTurn, steppedTo } from './promptSteps';
import { promptName } from './promptView';
import { PromptWatch } from './promptWatch';
import { railPrompts } from './railPrompts';
import { RequestSettling } from './requestSettling';
import { RequestWatch, type RequestVisibility } from './requestWatch';
import { turnList } from './turnList';
import { Scrolling } from './window/scrolling';
import { stepsTo } from './window/places';
import { Windows } from './window/windows';

/** In a shorter conversation every prompt is near. */
const MIN_PROMPTS = 3;

/**
 * `<parley-transcript .session .now>`: the conversation. It follows the end while the reader is there,
 * keeps what they folded, and tells the frame which requests are out of view.
 */
export class TranscriptElement extends LitElement {
  static override properties = {
    session: { attribute: false },
    isSubagent: { attribute: false },
    now: { attribute: false },
    filled: { attribute: false },
    ask: { attribute: false },
    tail: { attribute: false },
    pinned: { state: true },
    reading: { state: true },
    theme: { state: true },
  };

  declare session: SessionState | undefined;
  /** What is shown is a subagent's conversation: the prompts that are being changed are not in it. */
  declare isSubagent: boolean;
  /** The host's clock, in milliseconds since the epoch. */
  declare now: () => number;
  /** What was typed into forms before the page was loaded again, by their ids. */
  declare filled: Readonly<Record<string, FormValues>> | undefined;
  declare ask: Ask | undefined;
  /** What stands below the last turn, such as why the agent is gone. */
  declare tail: unknown;
  /** The running turn's prompt has left the view upwards. */
  declare private pinned: boolean;
  /** The turn at the top of the view. */
  declare private reading: string | undefined;
  declare private theme: number;

  readonly folds = new Folds(() => {
    this.requestUpdate();
    this.dispatchEvent(new CustomEvent('parley-folds', { bubbles: true }));
  });
  private readonly editing = new PromptEditing(this, () => this.toComposer());
  private following: Following | undefined;
  private navigation: Navigation | undefined;
  private requests: RequestWatch | undefined;
  private prompts: PromptWatch | undefined;
  private scrolling: Scrolling | undefined;
  private readonly windows = new Windows(() => this.following?.isOn ?? true);
  private readonly groups = new Groups();
  private themeObserver: MutationObserver | undefined;
  private focusedRequest: string | undefined;
  private hadFocus = false;
  private readonly settling = new RequestSettling(() => this.requestUpdate());

  constructor() {
    super();
    this.now = Date.now;
    this.tail = nothing;
    this.isSubagent = false;
    this.pinned = false;
    this.theme = 0;
  }

  /** What the reader opened and closed, to keep over a reload. */
  get foldState(): Readonly<Record<string, boolean>> {
    return this.folds.toJSON();
  }

  set foldState(saved: Readonly<Record<string, boolean>>) {
    this.folds.restore(saved);
  }

  /** Prompts that are being changed, to keep over a reload. */
  get promptEdits(): Readonly<Record<string, PromptEdit>> {
    return this.editing.toJSON();
  }

  set promptEdits(saved: Readonly<Record<string, PromptEdit>>) {
    this.editing.restore(saved);
  }

  /** Opens a prompt for changes in its place, and puts the caret there. */
  async editPrompt(turnId: string): Promise<void> {
    const turn = this.session && allTurns(this.session).find(({ id }) => id === turnId);
    if (!turn?.prompt) return;
    await this.bring(turnId);
    this.editing.start(turnId, turn.prompt);
  }

  /**
   * Has a turn, or a part of it, in the document, and lets the reader stay there.
   * @param open what of it is to be open
   * @returns its element
   */
  async bring(
    turnId: string,
    partId?: string,
    open: readonly string[] = [],
  ): Promise<HTMLElement | null> {
    this.following?.release();
    const { session, windows, folds } = this;
    const steps = session && stepsTo(session, turnId, partId, this.groups);
    if (!steps) return null;
    for (const { list, row, fold } of steps) {
      if (fold !== undefined) folds.set(fold, true);
      windows.want(list, row);
    }
    for (const fold of open) folds.set(fold, true);
    this.requestUpdate();
    await this.updateComplete;
    const turn = this.querySelector<HTMLElement>(`[data-turn-id="${CSS.escape(turnId)}"]`);
    if (partId === undefined) return turn;
    return turn?.querySelector<HTMLElement>(`[data-id="${CSS.escape(partId)}"]`) ?? turn;
  }

  /** Brings a request into view and puts the focus on its first option. */
  async reveal(requestId: string): Promise<void> {
    const ask = this.askOf(requestId) ?? (await this.bringRequest(requestId));
    if (!ask) return;
    this.following?.release();
    const room = ask.closest('.log')?.clientHeight ?? 0;
    ask.scrollIntoView({ block: ask.offsetHeight > room - 40 ? 'start' : 'nearest' });
    // A second press of the key that asked for it must not answer it.
    const field = ask.querySelector<HTMLElement>('.field :is(input, textarea, select)');
    (field ?? ask).focus({ preventScroll: true });
  }

  private askOf(requestId: string): HTMLElement | null {
    return this.querySelector<HTMLElement>(`.ask[data-request-id="${CSS.escape(requestId)}"]`);
  }

  private async bringRequest(requestId: string): Promise<HTMLElement | null> {
    const { session } = this;
    const request = session?.permissions.find(({ id }) => id === requestId);
    const turn = session && request && holderOf(session, request.toolCallId);
    const part = turn?.parts.findLast(
      each => each.kind === 'tool' && each.toolCallId === request?.toolCallId,
    );
    if (turn && part) await this.bring(turn.id, part.id);
    return this.askOf(requestId);
  }

  /** Answers a request of this view that the reader could read, with its option for this once; else shows it. */
  answer(requestId: string, answer: 'allow' | 'reject', isVisible: boolean): void {
    const request = this.session?.permissions.find(({ id }) => id === requestId);
    if (!request) return;
    const option = request.options.findIndex(({ kind }) => kind === `${answer}_once`);
    const chosen = request.options[option];
    const isRead = isVisible && this.settling.isSettled;
    if (isRead && chosen && mayChoose(request, chosen)) {
      const { revision } = request;
      emitIntent(this, { type: 'answerPermission', requestId, revision, option });
    } else void this.reveal(requestId);
  }

  /** The previous or the next prompt gets the focus, from where the reader is. */
  async stepPrompt(step: -1 | 1): Promise<void> {
    const log = this.querySelector<HTMLElement>('.log');
    const turnId = log && this.session && steppedTo(log, this.session, step);
    if (turnId) await this.goToPrompt(turnId);
  }

  /** Brings a prompt to the top of the view and puts the focus there. */
  async goToPrompt(turnId: string): Promise<void> {
    const turn = await this.bring(turnId);
    const prompt = turn?.querySelector<HTMLElement>(':scope > .prompt') ?? turn;
    prompt?.focus({ preventScroll: true });
    prompt?.scrollIntoView({ block: 'start' });
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.themeObserver = new MutationObserver(() => {
      this.theme += 1;
    });
    const attributes = {
      attributes: true,
      attributeFilter: ['class', 'style', 'data-vscode-theme-id'],
    };
    this.themeObserver.observe(document.body, attributes);
    this.themeObserver.observe(document.documentElement, attributes);
    if (this.hasUpdated) this.attach();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.themeObserver?.disconnect();
    this.following?.dispose();
    this.navigation?.dispose();
    this.requests?.dispose();
    this.prompts?.dispose();
    this.scrolling?.dispose();
    this.settling.dispose();
  }

  protected override firstUpdated(): void {
    this.attach();
  }

  private attach(): void {
    const log = this.querySelector<HTMLElement>('.log');
    const turns = this.querySelector<HTMLElement>('.turns');
    if (!log || !turns) return;
    this.following = new Following(log, turns, () => this.requestUpdate());
    this.navigation = new Navigation(log, edge => this.toEdge(edge));
    this.requests = new RequestWatch(log, (requestId, visible) => {
      this.dispatchEvent(
        new CustomEvent<RequestVisibility>('parley-request-visibility', {
          detail: { requestId, visible },
          bubbles: true,
        }),
      );
    });
    this.prompts = new PromptWatch(log, isAbove => {
      this.pinned = isAbove;
    });
    this.scrolling = new Scrolling(log, turns, () => {
      if (this.windows.look(log)) this.requestUpdate();
      this.reading = readTurn(log)?.dataset['turnId'];
    });
    this.afterRender();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    this.editing.beforeRender();
    this.hadFocus = this.querySelector('.log')?.contains(document.activeElement) ?? false;
    if (!changed.has('session')) return;
    const before = changed.get('session');
    const { session } = this;
    if (session && session.elicitations.length > 0) void import('../questions/question');
    if (before?.chatId === session?.chatId) this.settling.update(before, session);
    else {
      if (before) this.settling.begin();
      this.windows.clear();
      this.groups.clear();
    }
    const sent = session?.activeTurn?.prompt;
    const isNew = sent && sent.id !== before?.activeTurn?.prompt?.id;
    // A message that waited goes by itself: the reader may be elsewhere.
    const isQueued = before?.queue.some(({ id }) => id === sent?.id);
    if ((isNew && !isQueued) || before?.chatId !== session?.chatId) this.following?.toEnd();
    const focused = document.activeElement?.closest<HTMLElement>('.ask[data-request-id]');
    this.focusedRequest =
      focused && this.contains(focused) ? focused.dataset['requestId'] : undefined;
  }

  protected override updated(): void {
    this.afterRender();
    // What had the focus may be out of the document now: the keyboard stays in the conversation.
    const isLost = this.hadFocus && document.activeElement === document.body;
    if (isLost) this.querySelector<HTMLElement>('.log')?.focus({ preventScroll: true });
  }

  private afterRender(): void {
    this.navigation?.refresh();
    this.requests?.watch(
      this.querySelectorAll<HTMLElement>('.ask[data-request-id]'),
      // Questions are always in the document, a moment later.
      (this.session?.permissions ?? []).map(({ id }) => id),
    );
    this.moveFocus();
    if (!this.isSubagent) this.editing.afterRender(this.session);
    this.prompts?.watch(this.querySelector('.turn.live > .prompt') ?? undefined);
    this.scrolling?.lookSoon();
  }

  /** Home and End go to what may be out of the document. */
  private async toEdge(edge: 'start' | 'end'): Promise<void> {
    const { session } = this;
    const turn = session && allTurns(session).at(edge === 'start' ? 0 : -1);
    if (!turn) return;
    const part = ownParts(turn).at(edge === 'start' ? 0 : -1);
    // A prompt is there with its turn.
    await this.bring(turn.id, edge === 'start' && turn.prompt ? undefined : part?.id);
  }

  /** When the request that had the focus is answered, the next one gets it, else the composer. */
  private moveFocus(): void {
    const id = this.focusedRequest;
    this.focusedRequest = undefined;
    const waiting = this.session ? waitingRequests(this.session) : [];
    if (id === undefined || waiting.some(request => request.id === id)) return;
    // Not to its first option: the key that answered one request must not answer the next.
    const next = this.querySelector<HTMLElement>('.ask[data-request-id]');
    if (next) next.focus();
    else this.toComposer();
  }

  private toComposer(): void {
    this.dispatchEvent(new CustomEvent('parley-focus-composer', { bubbles: true }));
  }

  protected override render(): TemplateResult {
    const { session } = this;
    return html`${this.pinned && session?.activeTurn?.prompt ? this.pinbar(session.activeTurn) : nothing}
      <section
        class="log"
        role="log"
        aria-label=${l10n.t('Conversation')}
        aria-live="off"
        tabindex="0"
      >
        <div class="turns" @parley-question-drawn=${() => this.afterRender()}>
          ${session ? turnList(this.context(session), this.filled) : nothing}${this.tail}
        </div>
      </section>
      ${session ? this.rail(session) : nothing}
      ${
        this.following && !this.following.isOn
          ? html`<button type="button" class="btn latest" @click=${() => this.following?.toEnd()}>
              ${icon('arrow-down', { small: true })}${l10n.t('Latest')}
            </button>`
          : nothing
      }`;
  }

  private context(session: SessionState): ViewContext {
    return {
      session,
      folds: this.folds,
      windows: this.windows,
      groups: this.groups,
      now: () => this.now(),
      theme: this.theme,
      send: intent => emitIntent(this, intent),
      isSettled: this.settling.isSettled,
      edits: this.editing,
      ask: this.ask,
      toComposer: () => this.toComposer(),
    };
  }

  private rail(session: SessionState): TemplateResult | typeof nothing {
    const prompts = railPrompts(session);
    if (prompts.length < MIN_PROMPTS) return nothing;
    void import('./promptRail');
    return html`<parley-prompt-rail
      .prompts=${prompts}
      .current=${this.reading}
      @parley-go-to-prompt=${(event: CustomEvent<string>) => void this.goToPrompt(event.detail)}
    ></parley-prompt-rail>`;
  }

  private pinbar(turn: Turn): TemplateResult {
    const text = promptName(turn.prompt).replaceAll('`', '');
    return html`<button
      type="button"
      class="pinbar"
      title=${l10n.t('Go to this prompt: {0}', text)}
      @click=${() => {
        this.following?.release();
        this.querySelector('.turn.live > .prompt')?.scrollIntoView({ block: 'start' });
      }}
    >
      ${icon('arrow-up', { small: true })}<span class="cut">${text}</span>
    </button>`;
  }
}

customElements.define('parley-transcript', TranscriptElement);

declare global {
  interface HTMLElementTagNameMap {
    'parley-transcript': TranscriptElement;
  }
}
