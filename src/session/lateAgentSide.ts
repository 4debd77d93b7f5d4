import { lazily } from '../base/lazily';
import type { Disposable } from '../base/lifecycle';
import type { AgentSide, AgentSideParts } from './requests/agentSide';

/**
 * The side of a chat that its agent sees, loaded while the agent starts: chats that are only read, and an
 * editor that starts, do without it. Until it is there nothing is open of what an agent can ask.
 */
export class LateAgentSide implements Disposable {
  private loaded: AgentSide | undefined;
  private disposed = false;
  /** The same for everyone who asks. */
  readonly load: () => Promise<AgentSide>;

  constructor(parts: AgentSideParts) {
    this.load = lazily(async () => {
      const { AgentSide } = await import('./requests/agentSide');
      const side = new AgentSide(parts);
      if (this.disposed) side.dispose();
      return (this.loaded = side);
    });
  }

  /** Undefined as long as the chat had no agent. */
  get now(): AgentSide | undefined {
    return this.loaded;
  }

  dispose(): void {
    this.disposed = true;
    this.loaded?.dispose();
  }
}
