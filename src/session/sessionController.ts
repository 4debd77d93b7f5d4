import type * as schema from '../acp/schema';
import type { Disposable } from '../base/lifecycle';
import type { Logger } from '../base/logger';
import * as l10n from '@vscode/l10n';
import type { Contents } from './translate/contents';
import type { LateAgentSide } from './lateAgentSide';
import type { Notices } from './notices';
import type { Agent, AttachmentSource, Environment } from './ports';
import { promptFailure } from './problems';
import type { OpenSession } from './openSession';
import type { SessionConnection } from './sessionConnection';
import { promptContent } from './promptContent';
import { PromptTooLarge, type PromptLimits } from './promptLimits';
import type { SessionOptions } from './sessionOptions';
import type { Attachment, Draft, Message, TurnEnd } from './state/state';
import { endOf } from './translate/stopReasons';
import type { SessionStore } from './state/store';

/** After this long without an end of the turn, Stop offers to stop the process. */
const FORCE_STOP_AFTER = 5_000;

/** Between a turn and what waits for its end, in milliseconds: agents tell the last of a turn after its answer. */
const PAUSE_BETWEEN = 50;

export interface SessionParts {
  readonly agent: Agent;
  readonly store: SessionStore;
  readonly contents: Contents;
  readonly connection: SessionConnection;
  readonly options: SessionOptions;
  readonly side: LateAgentSide;
  readonly notices: Notices;
  readonly attachments: AttachmentSource;
  readonly limits: PromptLimits;
  readonly environment: Environment;
  readonly logger: Logger;
  /** Resolves when the agent may be given the prompt of the turn that has just begun. */
  readonly promptReady?: (() => Promise<void>) | undefined;
}

/** What the user does with one chat: turns, queue, composer, options. */
export class SessionController implements Disposable {
  readonly store: SessionStore;
  readonly contents: Contents;
  private readonly agent: Agent;
  private readonly connection: SessionConnection;
  private readonly options: SessionOptions;
  private readonly side: LateAgentSide;
  private readonly notices: Notices;
  private readonly promptOf: (message: Message) => Promise<schema.ContentBlock[]>;
  private readonly limits: PromptLimits;
  private readonly environment: Environment;
  private readonly logger: Logger;
  private readonly promptReady: (() => Promise<void>) | undefined;
  /** Sent first when the turn ends, even a cancelled one: the user pressed Send Now. */
  private urgent: string | undefined;
  private forceStopTimer: Disposable | undefined;
  private pause: Disposable | undefined;

  constructor(parts: SessionParts) {
    this.store = parts.store;
    this.contents = parts.contents;
    this.agent = parts.agent;
    this.connection = parts.connection;
    this.options = parts.options;
    this.side = parts.side;
    this.notices = parts.notices;
    this.promptOf = message => promptContent(message, parts);
    this.limits = parts.limits;
    this.environment = parts.environment;
    this.logger = parts.logger;
    this.promptReady = parts.promptReady;
  }

  // ── connection ─────────────────────────────────────────────────────────────────────────────────────

  /** Starts the agent and opens the session, then sends what waits. Never rejects: the chat shows failures. */
  async connect(): Promise<void> {
    if (await this.connection.open()) this.sendNext();
  }

  cancelStart(): void {
    this.connection.cancelOpening();
  }

  /** Signs in, then goes on with what the user had asked for. */
  async signIn(methodId: string): Promise<void> {
    if (!(await this.connection.signIn(methodId))) return;
    await this.options.resume();
    this.sendNext();
  }

  async signOut(): Promise<void> {
    this.stop();
    await this.agent.signOut();
  }

  /** Stops the agent's process (for every chat that uses it) and starts it again for this one. */
  async restart(): Promise<void> {
    await this.connection.abandonOpening();
    await this.agent.stop();
    await this.connect();
  }

  /** The agent has gone away. */
  agentLost(): void {
    this.cancelRequests();
    this.side.now?.terminals.dispose();
    this.endTurn({ reason: 'interrupted' });
  }

  /** Ends the chat's session and everything it started. */
  async close(): Promise<void> {
    this.stop();
    this.endTurn({ reason: 'cancelled' });
    await this.connection.close();
    this.agentLost();
  }

  dispose(): void {
    this.forceStopTimer?.dispose();
    this.pause?.dispose();
    this.limits.dispose();
    this.side.dispose();
    this.connection.dispose();
  }

  // ── turns ──────────────────────────────────────────────────────────────────────────────────────────

  /** Sends `text` with what is attached: now, or when the running turn has ended and the agent is there. */
  send(text: string): void {
    const { draft, activeTurn } = this.store.state;
    if (text.trim() === '' && draft.attachments.length === 0) return;
    try {
      this.limits.checkText(text);
    } catch (error) {
      this.replaceDraft({ ...draft, text });
      this.tellNotSent(error);
      return;
    }
    const message = { id: this.environment.newId(), text, attachments: draft.attachments };
    this.replaceDraft({ text: '', attachments: [] });
    this.store.dispatch({ type: 'messageQueued', message });
    if (!activeTurn) this.sendFirst(message);
  }

  /** Cancels the running turn, or the start. Twice is once. */
  stop(): void {
    const { activeTurn, cancelling, connection } = this.store.state;
    if (!activeTurn) {
      if (connection.kind === 'starting') this.cancelStart();
      return;
    }
    const session = this.connection.current;
    if (cancelling || !session) return;
    this.store.dispatch({ type: 'cancelRequested' });
    this.cancelRequests();
    this.side.now?.terminals.killTurn(activeTurn.id);
    session.link.cancel({ sessionId: session.sessionId }).catch((error: unknown) => {
      this.logger.warn(`session/cancel was not sent: ${String(error)}`);
    });
    this.forceStopTimer = this.environment.after(FORCE_STOP_AFTER, () =>
      this.notices.tell(
        'warning',
        l10n.t('{0} has not stopped yet.', this.agent.name),
        l10n.t('You can wait, or stop its process. The chat stays.'),
        ['forceStop'],
      ),
    );
  }

  /** Stops the agent's process: the way out when it does not answer. */
  async forceStop(): Promise<void> {
    await this.agent.stop();
  }

  /** Once more what failed: the start, or the last prompt. */
  async retry(): Promise<void> {
    if (!this.connection.current) return this.connect();
    const last = this.store.state.turns.findLast(turn => turn.prompt !== undefined)?.prompt;
    if (last) this.sendMessage({ ...last, id: this.environment.newId() });
  }

  /**
   * Takes the conversation back to before a turn: its prompt goes back to the composer, and the agent begins
   * anew with the next message, to which what was said before is attached (the protocol has no way to take a
   * session back). Does nothing while a turn runs.
   */
  async rewind(turnId: string): Promise<void> {
    const isThere = () => this.store.state.turns.some(({ id }) => id === turnId);
    if (!isThere() || this.store.state.activeTurn) return;
    await this.connection.close();
    const { turns, draft, activeTurn } = this.store.state;
    const prompt = turns.find(({ id }) => id === turnId)?.prompt;
    if (!isThere() || activeTurn) return;
    this.store.dispatch({ type: 'transcriptRewound', turnId });
    const conversation = this.store.state.turns.length > 0 ? [this.conversation()] : [];
    this.replaceDraft({
      text: [prompt?.text ?? '', draft.text].filter(text => text !== '').join('\n'),
      attachments: [
        ...conversation,
        ...[...(prompt?.attachments ?? []), ...draft.attachments].filter(
          ({ kind }) => kind !== 'conversation',
        ),
      ],
    });
    if (conversation.length === 0) return;
    this.notices.tell(
      'info',
      l10n.t('The conversation was taken back to here.'),
      l10n.t(
        '{0} begins anew with your next message. What is above goes along with it, unless you remove it.',
        this.agent.name,
      ),
    );
  }

  private conversation(): Attachment {
    const label = l10n.t('Conversation so far');
    return { id: this.environment.newId(), kind: 'conversation', label, title: label };
  }

  /** Sends `text` by itself; what stands in the composer stays there. Waits for a running turn to end. */
  sendApart(text: string): void {
    this.sendMessage({ id: this.environment.newId(), text, attachments: [] });
  }

  /** Asks the agent to go on after a turn that was cut short. */
  continueTurn(): void {
    this.sendMessage({ id: this.environment.newId(), text: l10n.t('Continue'), attachments: [] });
  }

  answerPermission(requestId: string, optionId: string): void {
    this.side.now?.permissions.answer(requestId, optionId);
  }

  /**
   * Answers the oldest waiting request for this once. False when none waits or the agent offers no such
   * option: what lasts is only ever chosen by its name.
   */
  answerOldest(answer: 'allow' | 'reject'): boolean {
    const request = this.store.state.permissions[0];
    if (!request) return false;
    return this.side.now?.permissions.answerByKind(request.id, `${answer}_once`) ?? false;
  }

  /** See `ElicitationDesk.answer`. */
  async answerElicitation(requestId: string, action: string, values?: string): Promise<void> {
    await this.side.now?.elicitations.answer(requestId, action, values);
  }

  private cancelRequests(): void {
    this.side.now?.cancelRequests();
  }

  private sendMessage(message: Message): void {
    this.store.dispatch({ type: 'messageQueued', message });
    if (!this.store.state.activeTurn) this.sendFirst(message);
  }

  /** What the user has just sent goes before what was left in the queue, but not before what waits to go out. */
  private sendFirst(message: Message): void {
    if (!this.limits.isWaiting) this.urgent = message.id;
    if (this.connection.current) this.sendNext();
    else void this.connect();
  }

  private sendNext(): void {
    const { queue, activeTurn } = this.store.state;
    const session = this.connection.current;
    const message = queue.find(({ id }) => id === this.urgent) ?? queue[0];
    if (!message || activeTurn || !session) return;
    const mayGo = this.limits.admit(
      () => this.sendNext(),
      ({ text, detail }) => this.notices.tell('info', text, detail),
    );
    if (!mayGo) return;
    this.urgent = undefined;
    this.store.dispatch({ type: 'messageUnqueued', messageId: message.id });
    void this.runTurn(session, message);
  }

  private async runTurn(session: OpenSession, message: Message): Promise<void> {
    const turnId = this.environment.newId();
    this.store.dispatch({
      type: 'turnStarted',
      turnId,
      prompt: message,
      at: this.environment.now(),
    });
    const isCurrent = () => this.store.state.activeTurn?.id === turnId;
    try {
      const prompt = await this.promptOf(message);
      if (this.promptReady) await this.promptReady();
      if (!isCurrent()) return;
      if (this.store.state.cancelling) return this.finish({ reason: 'cancelled' });
      const { link, sessionId } = session;
      const response = await link.prompt({ sessionId, prompt });
      if (isCurrent()) this.finish(endOf(response.stopReason));
    } catch (error) {
      if (!isCurrent()) return;
      // The agent itself being gone is told by `agentLost`, with its cause.
      if (this.connection.current === undefined) return this.endTurn({ reason: 'interrupted' });
      // Some agents answer a cancelled prompt with an error.
      if (this.store.state.cancelling) return this.finish({ reason: 'cancelled' });
      this.fail(error, message);
    }
  }

  private finish(end: TurnEnd): void {
    this.endTurn(end);
    if (end.reason === 'cancelled' && this.urgent === undefined) return;
    if (this.store.state.queue.length === 0) return;
    this.pause = this.environment.after(PAUSE_BETWEEN, () => this.sendNext());
  }

  private fail(error: unknown, message: Message): void {
    if (error instanceof PromptTooLarge) {
      this.tellNotSent(error);
      this.endTurn({ reason: 'failed' });
      this.backToComposer(message);
      return;
    }
    const { text, detail } = promptFailure(this.agent.name, error);
    if (this.connection.asksForSignIn(error)) {
      this.endTurn({ reason: 'failed' });
      this.store.dispatch({ type: 'messageQueued', message });
      this.urgent = message.id;
      this.connection.requireSignIn(error);
      return;
    }
    this.notices.tell('error', text, detail, ['retry', 'showLog']);
    this.endTurn({ reason: 'failed' });
  }

  private endTurn(end: TurnEnd): void {
    this.forceStopTimer?.dispose();
    this.cancelRequests();
    this.store.dispatch({
      type: 'turnEnded',
      end,
      planPartId: this.environment.newId(),
      at: this.environment.now(),
    });
  }

  // ── queue and composer ─────────────────────────────────────────────────────────────────────────────

  /** Cancels the running turn and sends this message next. */
  sendNow(messageId: string): void {
    if (!this.queued(messageId)) return;
    this.urgent = messageId;
    if (this.store.state.activeTurn) this.stop();
    else if (this.connection.current) this.sendNext();
    else void this.connect();
  }

  /** Puts a waiting message back into the composer, before what stands there. */
  editQueued(messageId: string): void {
    const message = this.queued(messageId);
    if (!message) return;
    this.store.dispatch({ type: 'messageUnqueued', messageId });
    this.backToComposer(message);
  }

  dropQueued(messageId: string): void {
    this.store.dispatch({ type: 'messageUnqueued', messageId });
  }

  typeDraft(text: string, viewId: string): void {
    this.store.dispatch({ type: 'draftTyped', text, viewId });
  }

  attach(attachment: Attachment): void {
    this.store.dispatch({ type: 'attachmentAdded', attachment });
  }

  removeAttachment(attachmentId: string): void {
    this.store.dispatch({ type: 'attachmentRemoved', attachmentId });
  }

  private backToComposer(message: Message): void {
    const { draft } = this.store.state;
    this.replaceDraft({
      text: [message.text, draft.text].filter(text => text !== '').join('\n'),
      attachments: [...message.attachments, ...draft.attachments],
    });
  }

  private tellNotSent(error: unknown): void {
    const detail = error instanceof Error ? error.message : String(error);
    const text = l10n.t('The message was not sent: it is too large.');
    this.notices.tell('error', text, detail);
  }

  private queued(messageId: string): Message | undefined {
    return this.store.state.queue.find(({ id }) => id === messageId);
  }

  private replaceDraft(draft: Pick<Draft, 'text' | 'attachments'>): void {
    this.store.dispatch({ type: 'draftReplaced', ...draft });
  }

  // ── terminals ──────────────────────────────────────────────────────────────────────────────────────

  async killTerminal(terminalId: string): Promise<void> {
    await this.side.now?.terminals.kill(terminalId);
  }

  // ── options ────────────────────────────────────────────────────────────────────────────────────────

  /** See `SessionOptions.set`. */
  setConfig(optionId: string, value: string | boolean): Promise<void> {
    return this.options.set(optionId, value);
  }
}
