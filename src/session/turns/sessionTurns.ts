import * as l10n from '@vscode/l10n';
import { ErrorCode, RequestError } from '../../acp/rpc/errors';
import type * as schema from '../../acp/schema/schema';
import type { Logger } from '../../base/logger';
import type { Disposable } from '../../base/lifecycle';
import type { Composer } from '../composer';
import type { LazyClientRequests } from '../requests/lazyClientRequests';
import type { Notices } from '../notices';
import type { OpenSession } from '../lifecycle/openSession';
import type { Agent, AttachmentSource, Environment } from '../ports';
import { promptFailure } from '../lifecycle/problems';
import { promptContent } from './promptContent';
import { PromptTooLarge, type PromptLimits } from './promptLimits';
import type { SessionConnection } from '../lifecycle/sessionConnection';
import type { Message, TurnEnd } from '../state/state';
import type { SessionStore } from '../state/store';
import { Steering } from './steering';
import { endOf } from '../translate/stopReasons';

/** After this long without an end of the turn, Stop offers to stop the process. */
const FORCE_STOP_AFTER = 5_000;

/** Between a turn and what waits for its end, in milliseconds: agents send the last of a turn after its answer. */
const PAUSE_BETWEEN = 50;

export interface TurnParts {
  readonly agent: Agent;
  readonly store: SessionStore;
  readonly connection: SessionConnection;
  readonly clientRequests: LazyClientRequests;
  readonly notices: Notices;
  readonly attachments: AttachmentSource;
  readonly limits: PromptLimits;
  readonly environment: Environment;
  readonly logger: Logger;
  /** Resolves when the agent may be given the prompt of the turn that has just begun. */
  readonly promptReady?: (() => Promise<void>) | undefined;
  /** Whether a message may go out now, by what was spent; yes by default. */
  readonly mayPrompt?: (() => boolean) | undefined;
  /** Opens the session, and has what waits sent then. */
  connect(): void;
}

interface AcceptedPrompt {
  readonly turnId: string;
  readonly message: Message;
}

/** The turns of one chat, one after the other, and the messages that wait for theirs. */
export class SessionTurns implements Disposable {
  private readonly store: SessionStore;
  private readonly environment: Environment;
  /** Sent first when the turn ends, even a cancelled one: the user pressed Send Now. */
  private urgent: string | undefined;
  private forceStopTimer: Disposable | undefined;
  /** The prompt that the agent has accepted and works on: a state of the agent's reports its end. */
  private accepted: AcceptedPrompt | undefined;
  /** The agent has said that it works since the last prompt was sent. */
  private working = false;
  private pause: Disposable | undefined;
  private readonly steering: Steering;
  /** The agent is idle, and has yet to take in what was said to the turn. */
  private isHeld = false;

  constructor(
    private readonly parts: TurnParts,
    private readonly composer: Composer,
  ) {
    this.store = parts.store;
    this.environment = parts.environment;
    this.steering = new Steering({ ...parts, content: message => promptContent(message, parts) });
  }

  /** Cancels the turn that runs. Twice is once. */
  stop(): void {
    const { activeTurn, cancelling } = this.store.state;
    const session = this.parts.connection.attachedSession;
    if (!activeTurn || cancelling || !session) return;
    this.store.dispatch({ type: 'cancelRequested' });
    this.cancelRequests();
    this.parts.clientRequests.now?.terminals.killTurn(activeTurn.id);
    session.link.cancel({ sessionId: session.sessionId }).catch((error: unknown) => {
      this.parts.logger.warn(`session/cancel was not sent: ${String(error)}`);
    });
    if (this.isHeld) return this.finish({ reason: 'cancelled' });
    this.forceStopTimer = this.environment.after(FORCE_STOP_AFTER, () =>
      this.parts.notices.add(
        'warning',
        l10n.t('{0} is still stopping.', this.parts.agent.name),
        l10n.t('You can wait, or stop its process. The chat is kept.'),
        ['forceStop'],
      ),
    );
  }

  /** Cancels the running turn and sends this message, which waits, next. */
  sendNow(messageId: string): void {
    this.urgent = messageId;
    if (this.store.state.activeTurn) this.stop();
    else if (this.parts.connection.current) this.sendNext();
    else this.parts.connect();
  }

  showNotSent(error: unknown): void {
    const detail = error instanceof Error ? error.message : String(error);
    const text = l10n.t('The message is too large and was not sent.');
    this.parts.notices.add('error', text, detail);
  }

  dispose(): void {
    this.forceStopTimer?.dispose();
    this.pause?.dispose();
    this.parts.limits.dispose();
  }

  /**
   * Sends `message` now, or when what runs and what waits before it is done.
   * @param how `steer`: to the turn that runs, where the agent takes that
   */
  send(message: Message, how: 'steer' | 'queue' = 'queue'): void {
    if (how === 'steer' && this.steering.isPossible(message) && this.mayGo()) {
      this.steering.say(message);
      return;
    }
    this.store.dispatch({ type: 'messageQueued', message });
    if (!this.store.state.activeTurn) this.sendFirst(message);
  }

  /** What the user has just sent goes before what was left in the queue, but not before what waits to go out. */
  private sendFirst(message: Message): void {
    if (!this.parts.limits.isWaiting) this.urgent = message.id;
    if (this.parts.connection.current) this.sendNext();
    else this.parts.connect();
  }

  /** Sends what waits, if anything does and the agent is free. */
  sendNext(): void {
    const { queue, activeTurn } = this.store.state;
    const session = this.parts.connection.current;
    const message = queue.find(({ id }) => id === this.urgent) ?? queue[0];
    if (!message || activeTurn || !session) return;
    if (!this.mayGo()) return;
    this.urgent = undefined;
    this.store.dispatch({ type: 'messageUnqueued', messageId: message.id });
    void this.runTurn(session, message);
  }

  /** Whether the limits let one more message out now; else it is sent when they do. */
  private mayGo(): boolean {
    if (this.parts.mayPrompt?.() === false) return false;
    return this.parts.limits.admit(
      () => this.sendNext(),
      ({ text, detail }) => this.parts.notices.add('info', text, detail),
    );
  }

  private async runTurn(session: OpenSession, message: Message): Promise<void> {
    const turnId = this.environment.newId();
    this.store.dispatch({
      type: 'turnStarted',
      turnId,
      prompt: message,
      at: this.environment.now(),
    });
    this.parts.notices.release();
    const isCurrent = () => this.isCurrent(turnId);
    this.accepted = undefined;
    this.working = false;
    try {
      const content = await promptContent(message, this.parts);
      await this.trackingReady();
      if (!isCurrent()) return;
      if (this.store.state.cancelling) return this.finish({ reason: 'cancelled' });
      const { link, sessionId } = session;
      const { stopReason, usage } = await link.prompt({ sessionId, prompt: content.blocks });
      content.accepted();
      if (stopReason === undefined) this.accepted = { turnId, message };
      else {
        // The agent says of each message whether it has reached the turn.
        await this.steering.settled;
        await this.ended(turnId, message, { state: 'idle', stopReason, ...(usage && { usage }) });
      }
    } catch (error) {
      await this.failed(turnId, message, error);
    }
  }

  /** The agent says what it does. Idle ends the turn whose prompt it has accepted. */
  stateChanged(update: schema.StateUpdate): void {
    if (update.state !== 'idle') {
      this.working = true;
      return;
    }
    const { accepted } = this;
    // What is said once more, before the work on this prompt has begun, is of the one before.
    if (!accepted || !(this.working || update.stopReason !== undefined)) return;
    this.accepted = undefined;
    void this.idle(accepted, update);
  }

  private async idle(accepted: AcceptedPrompt, update: schema.StateUpdate): Promise<void> {
    const { turnId, message } = accepted;
    const { steering } = this;
    if (steering.isOpen && !this.store.state.cancelling) {
      const { taken } = steering;
      this.isHeld = true;
      await steering.settled;
      this.isHeld = false;
      // The agent goes on with what it has taken in since: it is the same turn, with the same checkpoint.
      if (steering.taken > taken && this.isCurrent(turnId)) {
        this.accepted = accepted;
        return;
      }
    }
    await this.ended(turnId, message, update);
  }

  private async ended(turnId: string, message: Message, update: schema.StateUpdate): Promise<void> {
    const { stopReason = 'end_turn', error, usage } = update;
    if (stopReason === 'error') {
      const { code = ErrorCode.internal, message: text = '', data } = error ?? {};
      return this.failed(turnId, message, new RequestError(code, text, data));
    }
    if (!this.isCurrent(turnId)) return;
    await this.written();
    if (this.isCurrent(turnId)) this.finish(endOf(stopReason), usage?.totalTokens);
  }

  private async failed(turnId: string, message: Message, error: unknown): Promise<void> {
    if (!this.isCurrent(turnId)) return;
    await this.written();
    if (!this.isCurrent(turnId)) return;
    // The agent itself being gone is reported by `agentLost`, with its cause.
    if (!this.parts.connection.attachedSession) return this.end({ reason: 'interrupted' });
    // Some agents answer a cancelled prompt with an error.
    if (this.store.state.cancelling) return this.finish({ reason: 'cancelled' });
    this.fail(error, message);
  }

  private isCurrent(turnId: string): boolean {
    return this.store.state.activeTurn?.id === turnId;
  }

  /** What the agent began to write before its answer is of its turn; some agents do not wait for it. */
  private async written(): Promise<void> {
    this.cancelRequests();
    await this.parts.clientRequests.now?.written();
  }

  /** An agent that cannot be followed can still be talked to. */
  private async trackingReady(): Promise<void> {
    try {
      await this.parts.promptReady?.();
    } catch (error) {
      this.parts.logger.error('The turn is not tracked', error);
      this.parts.notices.add(
        'warning',
        l10n.t('The changes of this answer cannot be reviewed.'),
        l10n.t('See the log for the cause. Reload the window to try again.'),
        ['showLog'],
      );
    }
  }

  private finish(end: TurnEnd, tokens?: number): void {
    this.end(end, tokens);
    if (end.reason === 'cancelled' && this.urgent === undefined) return;
    if (this.store.state.queue.length === 0) return;
    this.pause = this.environment.after(PAUSE_BETWEEN, () => this.sendNext());
  }

  private fail(error: unknown, message: Message): void {
    if (error instanceof PromptTooLarge) {
      this.showNotSent(error);
      this.end({ reason: 'failed' });
      this.composer.putBack(message);
      return;
    }
    const { text, detail } = promptFailure(
      this.parts.agent.name,
      error,
      this.parts.connection.attachedSession?.link.network,
    );
    if (this.parts.connection.asksForSignIn(error)) {
      this.end({ reason: 'failed' });
      this.store.dispatch({ type: 'messageQueued', message });
      this.urgent = message.id;
      this.parts.connection.requireSignIn(error);
      return;
    }
    this.parts.notices.add('error', text, detail, ['retry', 'showLog']);
    this.end({ reason: 'failed' });
  }

  /** Ends the turn that runs, and answers what still waits for the user. */
  end(end: TurnEnd, tokens?: number): void {
    this.forceStopTimer?.dispose();
    this.cancelRequests();
    this.isHeld = false;
    this.steering.returnAll();
    this.store.dispatch({
      type: 'turnEnded',
      end,
      ...(tokens !== undefined && { tokens }),
      planPartId: this.environment.newId(),
      at: this.environment.now(),
    });
  }

  /** Whatever waits for the user is answered as cancelled. */
  cancelRequests(): void {
    this.parts.clientRequests.now?.cancelRequests();
  }
}
