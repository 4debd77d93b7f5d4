import { terminalOf } from '../state/selectors';
import * as l10n from '@vscode/l10n';
import type * as schema from '../../acp/schema/schema';
import type { Disposable } from '../../base/lifecycle';
import { Composer } from '../composer';
import { changedMessage, type PromptChange } from '../turns/changedMessage';
import { rewind, rewindFor } from '../turns/rewind';
import { isAtWork, SessionArchiving } from './sessionArchiving';
import type { SessionOptions } from './sessionOptions';
import { SessionTurns, type TurnParts } from '../turns/sessionTurns';
import type { RuleSuggestions } from '../requests/requestRules';
import { attachmentsOf, earlierMentions } from '../state/mentions';
import { subagentSessionOf } from '../state/background';
import type { PermissionAnswer } from '../state/permission';
import type { Attachment, Listed, Message, Problem, SessionState } from '../state/state';
import type { SessionStore } from '../state/store';
import { findToolCall } from '../state/toolCalls';
import type { Contents } from '../translate/contents';

export interface SessionParts extends Omit<TurnParts, 'connect'> {
  readonly contents: Contents;
  readonly options: SessionOptions;
}

export interface ModelChoice {
  readonly optionId: string;
  readonly value: string;
}

/** What the user does with one chat. */
export class SessionController implements Disposable {
  readonly store: SessionStore;
  readonly contents: Contents;
  private readonly composer: Composer;
  private readonly turns: SessionTurns;
  private readonly archiving: SessionArchiving;

  constructor(private readonly parts: SessionParts) {
    this.store = parts.store;
    this.contents = parts.contents;
    this.composer = new Composer(parts.store);
    this.archiving = new SessionArchiving(parts.agent, parts.store, parts.logger);
    this.turns = new SessionTurns({ ...parts, connect: () => void this.connect() }, this.composer);
  }

  // ── connection ─────────────────────────────────────────────────────────────────────────────────────

  /** Starts the agent and opens the session, then sends what waits. Never rejects: the chat shows failures. */
  async connect(): Promise<void> {
    if (await this.parts.connection.open()) this.turns.sendNext();
  }

  /** The user does not want to wait for the start, or for a sign-in. */
  cancelStart(): void {
    this.parts.connection.cancelOpening();
  }

  /** Signs in, then goes on with what the user had asked for. */
  async signIn(methodId: string): Promise<void> {
    if (!(await this.parts.connection.signIn(methodId))) return;
    await this.parts.options.resume();
    this.turns.sendNext();
  }

  async signOut(): Promise<void> {
    this.stop();
    await this.parts.agent.signOut();
  }

  /** Stops the agent's process (for every chat that uses it) and starts it again for this one. */
  async restart(): Promise<void> {
    const { agent, connection } = this.parts;
    const wasLost = hasLostAgent(this.store.state);
    await connection.abandonOpening();
    // Where another chat has it already, that one works with it.
    if (!wasLost || agent.status.kind !== 'ready') await agent.stop();
    await this.connect();
  }

  /** The agent has gone away, by itself if there is a problem: then what it was asked last is not lost. */
  agentLost(problem?: Problem): void {
    const { activeTurn, cancelling } = this.store.state;
    this.turns.cancelRequests();
    this.parts.clientRequests.now?.terminals.dispose();
    this.turns.end({ reason: 'interrupted' });
    if (problem && activeTurn?.prompt && !cancelling) this.composer.putBack(activeTurn.prompt);
  }

  /** The session that went away with the agent is there again. */
  recovered(): void {
    this.turns.sendNext();
  }

  /** Ends the chat's session and everything it started. @param why the turn that runs ends */
  async close(why: 'cancelled' | 'interrupted' = 'cancelled'): Promise<void> {
    this.stop();
    this.turns.end({ reason: why });
    await this.parts.connection.close();
    this.agentLost();
  }

  /** What the user calls the chat is its title, with the agent too where that takes it. Undefined takes it away. */
  async rename(title: string | undefined): Promise<void> {
    this.store.dispatch({ type: 'titleChanged', title, byUser: true });
    const { status } = this.parts.agent;
    const { sessionId } = this.store.state;
    if (title === undefined || sessionId === undefined || status.kind !== 'ready') return;
    const { link } = status;
    if (!link.takesTitles) return;
    await link.setTitle({ sessionId, title }).catch((error: unknown) => {
      this.parts.logger.warn(`The agent did not take the title: ${String(error)}`);
    });
  }

  /** Puts the chat elsewhere in the list. To archive one ends its session, unless it is at work. */
  async setListed(listed: Listed | undefined): Promise<void> {
    if (listed === 'archived' && isAtWork(this.store.state)) return;
    // Keeps an agent that runs for this session alone until it has archived the session.
    const lease = this.parts.agent.lease();
    try {
      if (listed === 'archived') await this.close();
      this.store.dispatch({ type: 'listedChanged', listed });
      await this.archiving.follow();
    } finally {
      lease.dispose();
    }
  }

  dispose(): void {
    this.archiving.dispose();
    this.turns.dispose();
    this.parts.clientRequests.dispose();
    this.parts.connection.dispose();
  }

  // ── turns ──────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Sends `text` with what is attached: now, or when the running turn has ended and the agent is there.
   * @param how `steer`: to the running turn, where the agent takes that
   */
  send(text: string, how: 'steer' | 'queue' = 'steer'): void {
    const { draft } = this.store.state;
    const attachments = attachmentsOf(text, draft.attachments, earlierMentions(this.store.state));
    if (text.trim() === '' && attachments.length === 0) return;
    try {
      this.parts.limits.checkText(text);
    } catch (error) {
      this.composer.replace({ ...draft, text });
      this.turns.showNotSent(error);
      return;
    }
    this.composer.replace({ text: '', attachments: [] });
    this.turns.send(this.message(text, attachments), how);
  }

  /** Sends `text` by itself; what stands in the composer stays there. Waits for a running turn to end. */
  sendApart(text: string): void {
    this.turns.send(this.message(text));
  }

  /** Asks the agent to go on after a turn that was cut short. */
  continueTurn(): void {
    this.turns.send(this.message(l10n.t('Continue')));
  }

  /** Cancels the running turn, or the start. Twice is once. */
  stop(): void {
    const { activeTurn, connection } = this.store.state;
    if (activeTurn) this.turns.stop();
    else if (connection.kind === 'starting') this.cancelStart();
  }

  /** Stops the agent's process: the way out when it does not answer Stop. At any other time it is none. */
  async forceStop(): Promise<void> {
    if (!this.store.state.cancelling) return;
    await this.parts.agent.stop();
  }

  /** Once more what failed: the start, or the last prompt. */
  async retry(): Promise<void> {
    if (!(await this.parts.connection.wake())) return this.connect();
    const { turns, activeTurn } = this.store.state;
    const last = turns.findLast(turn => turn.prompt !== undefined);
    if (activeTurn || !last?.prompt || last.end?.reason !== 'failed') return;
    this.turns.send(this.message(last.prompt.text, last.prompt.attachments));
  }

  /** See `rewind`. */
  rewind(turnId: string): Promise<void> {
    return rewind(this.parts, this.composer, turnId);
  }

  /** See `changedMessage`. When it is too large to be sent, the chat says so. */
  changedPrompt(turnId: string, change: PromptChange = {}): Message | undefined {
    const changed = changedMessage(this.store.state, turnId, change);
    if (!changed) return undefined;
    try {
      this.parts.limits.checkText(changed.text);
    } catch (error) {
      this.turns.showNotSent(error);
      return undefined;
    }
    return this.message(changed.text, changed.attachments);
  }

  /**
   * Takes the conversation back to before a turn, and sends `message` in the place of its prompt.
   * @param model what answers it, where the agent offers a choice
   */
  async resend(turnId: string, message: Message, model?: ModelChoice): Promise<void> {
    const sent = await rewindFor(this.parts, message, turnId);
    if (!sent) return;
    // What was pasted for this prompt goes with it.
    for (const { id, forTurn } of this.store.state.draft.attachments) {
      if (forTurn === turnId) this.composer.remove(id);
    }
    // The session that opens for the message gets the options that the chat shows.
    if (model) this.store.dispatch({ type: 'configValueChanged', ...model });
    this.turns.send(sent);
  }

  private message(text: string, attachments: Message['attachments'] = []): Message {
    return { id: this.parts.environment.newId(), text, attachments };
  }

  /** See `SessionTurns.stateChanged`. */
  stateChanged(update: schema.StateUpdate): void {
    this.turns.stateChanged(update);
  }

  // ── what the agent asks ────────────────────────────────────────────────────────────────────────────

  /** See `PendingPermissions.answer`. */
  answerPermission(answer: PermissionAnswer): boolean {
    return this.parts.clientRequests.now?.permissions.answer(answer) ?? false;
  }

  /** See `PendingPermissions.review`. */
  reviewPermission(requestId: string, revision: number): void {
    this.parts.clientRequests.now?.permissions.review(requestId, revision);
  }

  /** See `PendingPermissions.suggestions`. */
  ruleSuggestions(requestId: string): RuleSuggestions | undefined {
    return this.parts.clientRequests.now?.permissions.suggestions(requestId);
  }

  /** See `PendingPermissions.opened`. */
  openedContents(refs: readonly string[]): void {
    this.parts.clientRequests.now?.permissions.opened(refs);
  }

  /** See `ElicitationDesk.answer`. */
  async answerElicitation(requestId: string, action: string, values?: string): Promise<void> {
    await this.parts.clientRequests.now?.elicitations.answer(requestId, action, values);
  }

  /** Also one of the agent's own that it says can be stopped. */
  async killTerminal(terminalId: string): Promise<void> {
    const session = this.parts.connection.attachedSession;
    const terminal = terminalOf(this.store.state, terminalId);
    if (terminal?.cancels && session) {
      const { link, sessionId } = session;
      await link.cancelTerminal({ sessionId, terminalId }).catch(this.notStopped);
    } else if (terminal?.owned) {
      await this.parts.clientRequests.now?.terminals.kill(terminalId);
    }
  }

  /** Stops a tool call, or a subagent, of which the agent says that it can be. */
  async cancelToolCall(toolCallId: string): Promise<void> {
    const session = this.parts.connection.attachedSession;
    if (!session || !findToolCall(this.store.state, toolCallId)?.cancels) return;
    const { link, sessionId } = session;
    const subagent = subagentSessionOf(toolCallId);
    const asked =
      subagent === undefined
        ? link.cancelToolCall({ sessionId, toolCallId })
        : link.cancelSubagent({ sessionId: subagent });
    await asked.catch(this.notStopped);
  }

  private readonly notStopped = (error: unknown): void => {
    const text = l10n.t('{0} could not stop it.', this.parts.agent.name);
    this.parts.notices.add('warning', text, error instanceof Error ? error.message : undefined);
  };

  // ── queue, composer and options ────────────────────────────────────────────────────────────────────

  /** Cancels the running turn and sends this message next. */
  sendNow(messageId: string): void {
    if (this.queued(messageId)) this.turns.sendNow(messageId);
  }

  /** Puts a waiting message back into the composer, before what stands there. */
  editQueued(messageId: string): void {
    const message = this.queued(messageId);
    if (!message) return;
    this.dropQueued(messageId);
    this.composer.putBack(message);
  }

  dropQueued(messageId: string): void {
    this.store.dispatch({ type: 'messageUnqueued', messageId });
  }

  /** @param before the waiting message that it is then sent before; the last when there is none */
  moveQueued(messageId: string, before?: string): void {
    this.store.dispatch({
      type: 'messageMoved',
      messageId,
      ...(before !== undefined && { before }),
    });
  }

  typeDraft(text: string, viewId: string): void {
    this.composer.type(text, viewId);
    // An agent that was let go is there when the message is written.
    void this.parts.connection.wake();
  }

  attach(attachment: Attachment): void {
    this.composer.attach(attachment);
  }

  removeAttachment(attachmentId: string): void {
    this.composer.remove(attachmentId);
  }

  /** See `SessionOptions.set`. */
  setConfig(optionId: string, value: string | boolean): Promise<void> {
    return this.parts.options.set(optionId, value);
  }

  private queued(messageId: string): Message | undefined {
    return this.store.state.queue.find(({ id }) => id === messageId);
  }
}

/** The card says that the agent crashed, or that its connection was lost, and not that it does not start. */
function hasLostAgent({ connection }: SessionState): boolean {
  return connection.kind === 'failed' && connection.problem.actions.includes('restart');
}
