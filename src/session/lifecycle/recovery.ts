import * as l10n from '@vscode/l10n';
import { noticeOf } from '../notices';
import type { Environment } from '../ports';
import type { SessionStore } from '../state/store';

/** How often in a row, without a prompt in between. */
const MOST = 3;

/**
 * Which chats take their session up again by themselves after their agent is gone: those in which nothing was asked,
 * since what was asked may have been the cause. They say so in one line.
 */
export class Recovery {
  private count = 0;
  /** The last prompt when it was counted. */
  private after: string | undefined;
  private waiting = false;

  constructor(
    private readonly agentName: string,
    private readonly store: SessionStore,
    private readonly environment: Pick<Environment, 'now' | 'newId'>,
  ) {}

  /** The agent keeps ending, or does not start: the session is resumed once the agent is there again. */
  get isWaiting(): boolean {
    return this.waiting && this.store.state.connection.kind === 'failed';
  }

  /** The agent is gone; whether the session is to be resumed now. */
  begins(): boolean {
    this.waiting = !this.store.state.activeTurn;
    if (!this.waiting) return false;
    const { lastPrompt } = this;
    if (this.after !== lastPrompt) this.count = 0;
    this.after = lastPrompt;
    this.count += 1;
    return this.count <= MOST;
  }

  /** The session is open, however that came. */
  ends(): void {
    this.waiting = false;
  }

  /** Says in the chat that it was resumed. */
  note(): void {
    const { store, environment, agentName } = this;
    if (store.state.turns.length === 0) return;
    const text = l10n.t('{0} quit and was restarted.', agentName);
    const key = `recovered/${this.lastPrompt ?? ''}`;
    store.dispatch({ ...noticeOf(environment, 'info', text), key });
  }

  private get lastPrompt(): string | undefined {
    return this.store.state.turns.findLast(({ prompt }) => prompt)?.id;
  }
}
