import type { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/logger';
import type { Agent } from '../ports';
import { waitingRequests } from '../state/selectors';
import type { SessionState } from '../state/state';
import type { SessionStore } from '../state/store';

/** Whether the chat must not be put away: its agent works, or waits for the user. */
export function isAtWork(state: SessionState): boolean {
  return (
    state.activeTurn !== undefined || state.queue.length > 0 || waitingRequests(state).length > 0
  );
}

/**
 * Archives the session of a chat with its agent too, where that can. No agent is started for it: it is done
 * when the agent runs. Before a session is opened, it is taken out again (`SessionOpening`).
 */
export class SessionArchiving implements Disposable {
  private readonly listener: Disposable;
  private running: Promise<void> | undefined;

  constructor(
    private readonly agent: Agent,
    private readonly store: SessionStore,
    private readonly logger: Logger,
  ) {
    this.listener = agent.onDidChangeStatus(() => void this.follow());
  }

  /** Never rejects. */
  follow(): Promise<void> {
    this.running ??= this.archive().finally(() => (this.running = undefined));
    return this.running;
  }

  dispose(): void {
    this.listener.dispose();
  }

  private async archive(): Promise<void> {
    const { sessionId, listed, archivedByAgent = false, connection } = this.store.state;
    const isArchived = listed === 'archived';
    const { status } = this.agent;
    if (status.kind !== 'ready' || !status.link.archives) return;
    if (sessionId === undefined || isArchived === archivedByAgent) return;
    if (connection.kind !== 'stopped' && connection.kind !== 'failed') return;
    try {
      await status.link.setArchived({ sessionId }, isArchived);
      this.store.dispatch({ type: 'agentArchived', isArchived });
    } catch (error) {
      this.logger.warn(`${this.agent.name} did not archive the session: ${String(error)}`);
    }
  }
}
