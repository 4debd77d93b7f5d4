import type { Logger } from '../../base/logger';
import type { SessionConnection } from '../lifecycle/sessionConnection';
import type { Message } from '../state/state';
import type { SessionStore } from '../state/store';
import type { PromptContent } from './promptContent';

export interface SteeringParts {
  readonly store: SessionStore;
  readonly connection: SessionConnection;
  readonly logger: Logger;
  readonly environment: { now(): number };
  /** The message as it goes to the agent. */
  content(message: Message): Promise<PromptContent>;
}

/** What the user says to the turn that runs: one message after the other, and none is lost that is not taken in. */
export class Steering {
  /** How many messages the agent has taken in. */
  taken = 0;
  private open = 0;
  private isRefused = false;
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly parts: SteeringParts) {}

  /** Whether the message would reach the agent in the turn that runs. Commands are for a turn of their own. */
  isPossible({ text }: Message): boolean {
    const { store, connection } = this.parts;
    const { activeTurn, cancelling } = store.state;
    return (
      !!activeTurn && !cancelling && !text.startsWith('/') && !!connection.current?.link.steers
    );
  }

  /** Whether the agent has yet to say what becomes of something. */
  get isOpen(): boolean {
    return this.open > 0;
  }

  /** Resolves when all that was said was taken in, or has come back. Never rejects. */
  get settled(): Promise<void> {
    return this.last;
  }

  say(message: Message): void {
    const { store, environment } = this.parts;
    store.dispatch({ type: 'messageSteered', message, at: environment.now() });
    this.open += 1;
    this.last = this.last.then(() => this.give(message));
  }

  /** What the agent has not taken in waits for the next turn. */
  returnAll(): void {
    const { store } = this.parts;
    for (const { id } of this.waiting().toReversed()) {
      store.dispatch({ type: 'steeringReturned', messageId: id });
    }
  }

  private async give(message: Message): Promise<void> {
    // A later message does not overtake one that came back.
    if (!this.isRefused && (await this.isTaken(message))) {
      this.taken += 1;
      this.parts.store.dispatch({ type: 'steeringTaken', messageId: message.id });
    } else {
      this.isRefused = true;
    }
    this.open -= 1;
    if (this.open > 0) return;
    if (this.isRefused) this.returnAll();
    this.isRefused = false;
  }

  private async isTaken(message: Message): Promise<boolean> {
    const { connection, logger } = this.parts;
    try {
      const content = await this.parts.content(message);
      const session = connection.attachedSession;
      if (!session || !this.waiting().includes(message)) return false;
      const { link, sessionId } = session;
      const isTaken = await link.steer({ sessionId, prompt: content.blocks });
      if (isTaken) content.accepted();
      return isTaken;
    } catch (error) {
      // As a prompt it says what is wrong with it.
      logger.info(`The turn did not take the message: ${String(error)}`);
      return false;
    }
  }

  private waiting(): readonly Message[] {
    const { activeTurn } = this.parts.store.state;
    return (activeTurn?.parts ?? []).flatMap(part =>
      part.kind === 'user' && part.waiting ? [part.message] : [],
    );
  }
}
