import * as l10n from '@vscode/l10n';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import { isWaiting, type FormValues } from '../../src/session/state/elicitation';
import { mayChoose } from '../../src/session/state/permission';
import { allTurns, waitingRequests } from '../../src/session/state/selectors';
import type { SessionState, Turn } from '../../src/session/state/state';
import { emitIntent } from '../intent';
import { icon } from '../ui/icon';
import { askView } from './askView';
import type { ViewContext } from './context';
import { Folds } from './folds';
import type { Ask } from '../composer/mentionList';
import { Following } from './following';
import { Navigation } from './navigation';
import { PromptEditing } from './promptEditing';
import type { PromptEdit } from './promptEdits';
import { promptName } from './promptView';
import { stepPrompt } from './promptSteps';
import { RequestSettling } from './requestSettling';
import { RequestWatch } from './requestWatch';
import { terminalsOf } from './toolView';
import { turnView } from './turnView';

/** Turns in the document at first, and how many more "Show earlier messages" brings. */
const PAGE = 50;
/** Closed folds of this many turns at the end have their parts in the document. */
const NEAR_TURNS = 5;

/** Said when a request comes into view or leaves it. Bubbles. */
export interface RequestVisibility {
  readonly requestId: string;
  readonly visible: boolean;
}

/**
 * `<parley-transcript .session .now>`: the conversation. It follows the end while the reader is there,
 * keeps what they folded, and tells the frame which requests are out of view.
 */
export class TranscriptElement extends LitElement {
  static override properties = {
    session: { attribute: false },
    now: { attribute: false },
    filled: { attribute: false },
    ask: { attribute: false },
    tail: { attribute: false },
    page: { state: true },
    pinned: { state: true },
    theme: { state: true },
  };

  declare session: SessionState | undefined;
  /** The host's clock, in milliseconds since the epoch. */
  declare now: () => number;
  /** What was filled in into forms before the page was loaded anew, by their ids. */
  declare filled: Readonly<Record<string, FormValues>> | undefined;
  declare ask: Ask | undefined;
  /** What stands below the last turn, such as why the agent is gone. */
  declare tail: unknown;
  /** Turns to show. */
  declare private page: number;
  /** The running turn's prompt has left the view upwards. */
  declare private pinned: boolean;
  declare private theme: number;

  readonly folds = new Folds(() => {
    this.requestUpdate();
    this.dispatchEvent(new CustomEvent('parley-folds', { bubbles: true }));
  });
  private readonly editing = new PromptEditing(this, () => this.toComposer());
  private following: Following | undefined;
  private navigation: Navigation | undefined;
  private requests: RequestWatch | undefined;
  private promptObserver: IntersectionObserver | undefined;
  private observedPrompt: Element | undefined;
  private themeObserver: MutationObserver | undefined;
  private focusedRequest: string | undefined;
  private readonly settling = new RequestSettling(() => this.requestUpdate());

  constructor() {
    super();
    this.now = Date.now;
    this.tail = nothing;
    this.page = PAGE;
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
  editPrompt(turnId: string): void {
    const all = this.session ? allTurns(this.session) : [];
    const index = all.findIndex(({ id }) => id === turnId);
    const prompt = all[index]?.prompt;
    if (!prompt) return;
    this.page = Math.max(this.page, all.length - index);
    this.following?.release();
    this.editing.start(turnId, prompt);
  }

  /** Brings a request into view and puts the focus on its first option. */
  reveal(requestId: string): void {
    const ask = this.querySelector<HTMLElement>(`.ask[data-request-id="${CSS.escape(requestId)}"]`);
    if (!ask) return;
    this.following?.release();
    const room = ask.closest('.log')?.clientHeight ?? 0;
    ask.scrollIntoView({ block: ask.offsetHeight > room - 40 ? 'start' : 'nearest' });
    // A second press of the key that asked for it must not answer it.
    const field = ask.querySelector<HTMLElement>('.field :is(input, textarea, select)');
    (field ?? ask).focus({ preventScroll: true });
  }

  /** Answers a request of this view that the reader could read, with its option for this once; else shows it. */
  answer(requestId: string, answer: 'allow' | 'reject', isVisible: boolean): void {
    const request = this.session?.permissions.find(({ id }) => id === requestId);
    if (!request) return;
    const option = request.options.findIndex(({ kind }) => kind === `${answer}_once`);
    const chosen = request.options[option];
    if (!isVisible || !chosen || !mayChoose(request, chosen)) this.reveal(requestId);
    else if (this.settling.isSettled) {
      const { revision } = request;
      emitIntent(this, { type: 'answerPermission', requestId, revision, option });
    }
  }

  /**
   * Puts all of the conversation into the document, the folded and the earlier too, or takes it out again; not the turn
   * that holds `place`, and those after it.
   */
  async showAll(isAll: boolean, place?: Element | null): Promise<void> {
    const turns = [...this.querySelectorAll('article.turn')];
    const at = turns.findIndex(turn => turn.contains(place ?? null));
    if (at >= 0) this.page = Math.max(this.page, turns.length - at);
    this.folds.isAllThere = isAll;
    await this.updateComplete;
  }

  /** Lets the reader stay where they are brought to. */
  stay(): void {
    this.following?.release();
  }

  /** The previous or the next prompt gets the focus, from where the reader is. */
  stepPrompt(step: -1 | 1): void {
    this.stay();
    const log = this.querySelector<HTMLElement>('.log');
    if (log) stepPrompt(log, step);
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
    this.promptObserver?.disconnect();
    this.observedPrompt = undefined;
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
    this.navigation = new Navigation(log);
    this.requests = new RequestWatch(log, (requestId, visible) => {
      this.dispatchEvent(
        new CustomEvent<RequestVisibility>('parley-request-visibility', {
          detail: { requestId, visible },
          bubbles: true,
        }),
      );
    });
    this.promptObserver = new IntersectionObserver(
      ([entry]) => {
        if (!entry) return;
        const top = entry.rootBounds?.top ?? 0;
        this.pinned = !entry.isIntersecting && entry.boundingClientRect.bottom <= top + 1;
      },
      { root: log },
    );
    this.afterRender();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    this.editing.beforeRender();
    if (!changed.has('session')) return;
    const before = changed.get('session');
    const { session } = this;
    if (session && session.elicitations.length > 0) void import('../questions/question');
    if (before?.chatId === session?.chatId) this.settling.update(before, session);
    else this.page = PAGE;
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
  }

  private afterRender(): void {
    this.navigation?.refresh();
    this.requests?.watch(this.querySelectorAll<HTMLElement>('.ask[data-request-id]'));
    this.moveFocus();
    this.editing.afterRender(this.session);
    const prompt = this.querySelector('.turn.live > .prompt') ?? undefined;
    if (prompt === this.observedPrompt) return;
    if (this.observedPrompt) this.promptObserver?.unobserve(this.observedPrompt);
    this.observedPrompt = prompt;
    if (prompt) this.promptObserver?.observe(prompt);
    else this.pinned = false;
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
        <div class="turns">${session ? this.turns(session) : nothing}${this.tail}</div>
      </section>
      ${
        this.following && !this.following.isOn
          ? html`<button type="button" class="btn latest" @click=${() => this.following?.toEnd()}>
              ${icon('arrow-down', { small: true })}${l10n.t('Latest')}
            </button>`
          : nothing
      }`;
  }

  private turns(session: SessionState): unknown {
    const context: ViewContext = {
      session,
      folds: this.folds,
      now: () => this.now(),
      theme: this.theme,
      send: intent => emitIntent(this, intent),
      isSettled: this.settling.isSettled,
      edits: this.editing,
      ask: this.ask,
      toComposer: () => this.toComposer(),
    };
    const all = allTurns(session);
    const shown = this.folds.isAllThere ? all : all.slice(-this.page);
    const hidden = all.length - shown.length;
    const last = all.at(-1);
    return html`${hidden > 0 ? this.earlier(hidden) : nothing}
    ${repeat(
      shown,
      turn => turn.id,
      (turn, index) => {
        const place = {
          latest: turn === last,
          near: shown.length - index <= NEAR_TURNS,
          live: turn === session.activeTurn,
        };
        if (place.latest) return turnView(context, turn, place);
        return guard(
          [
            turn,
            place.near,
            place.live,
            context.theme,
            foldsOf(this.folds, turn),
            this.editing.isOpen(turn.id) && session.draft.attachments,
            ...openTerminals(context, turn),
            ...this.requestsIn(session, turn),
          ],
          () => turnView(context, turn, place),
        );
      },
    )}
    ${repeat(
      homeless(session, shown),
      request => request.id,
      request =>
        guard(
          [
            request,
            session.permissions,
            this.settling.isSettled,
            this.theme,
            this.folds.revision(request.id),
          ],
          () => askView(context, request),
        ),
    )}
    ${this.questions(session)}`;
  }

  private questions({ elicitations, agent, permissions }: SessionState): unknown {
    if (elicitations.length === 0) return nothing;
    const first = permissions.length === 0 ? elicitations.find(isWaiting)?.id : undefined;
    return repeat(
      elicitations,
      request => request.id,
      request =>
        html`<parley-question
          .request=${request}
          .agentName=${agent.name}
          .first=${request.id === first}
          .filled=${this.filled?.[request.id]}
        ></parley-question>`,
    );
  }

  private requestsIn(session: SessionState, turn: Turn): readonly unknown[] {
    const { permissions } = session;
    const here = turn.parts.some(
      part =>
        part.kind === 'tool' && permissions.some(request => request.toolCallId === part.toolCallId),
    );
    return here ? [permissions, session.activeTurn, this.settling.isSettled] : [];
  }

  private earlier(hidden: number): TemplateResult {
    return html`<button
      type="button"
      class="btn plain earlier"
      @click=${(event: Event) => {
        const log = (event.currentTarget as HTMLElement).closest<HTMLElement>('.log');
        const fromEnd = log ? log.scrollHeight - log.scrollTop : 0;
        this.following?.release();
        this.page += PAGE;
        void this.updateComplete.then(() => {
          if (log) log.scrollTop = log.scrollHeight - fromEnd;
        });
      }}
    >
      ${hidden === 1 ? l10n.t('Show 1 earlier message') : l10n.t('Show {0} earlier messages', hidden)}
    </button>`;
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

/** Requests whose tool call is in none of the turns shown. */
function homeless(session: SessionState, shown: readonly Turn[]): SessionState['permissions'] {
  if (session.permissions.length === 0) return [];
  const calls = new Set(
    shown.flatMap(turn =>
      turn.parts.flatMap(part => (part.kind === 'tool' ? [part.toolCallId] : [])),
    ),
  );
  return session.permissions.filter(request => !calls.has(request.toolCallId));
}

function foldsOf(folds: Folds, turn: Turn): number {
  const prompt = turn.prompt ? folds.revision(turn.prompt.id) : 0;
  return turn.parts.reduce(
    (sum, part) => sum + folds.revision(part.id),
    prompt + folds.revision(turn.id),
  );
}

/** Commands of an earlier turn that still run: their output goes on. */
function openTerminals(context: ViewContext, turn: Turn): readonly unknown[] {
  return turn.parts
    .flatMap(part => (part.kind === 'tool' ? terminalsOf(context, part) : []))
    .filter(terminal => terminal.exit === undefined);
}

customElements.define('parley-transcript', TranscriptElement);

declare global {
  interface HTMLElementTagNameMap {
    'parley-transcript': TranscriptElement;
  }
}
