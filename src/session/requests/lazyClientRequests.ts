import { lazy } from '../../base/lazy';
import type { Disposable } from '../../base/lifecycle';
import type { ClientRequestHandler, ClientRequestHandlerParts } from './clientRequestHandler';

/**
 * The side of a chat that its agent sees, loaded while the agent starts: chats that are only read, and an
 * editor that starts, do without it. Until it is there nothing is open of what an agent can ask.
 */
export class LazyClientRequests implements Disposable {
  private loaded: ClientRequestHandler | undefined;
  private disposed = false;
  /** The same for everyone who asks. */
  readonly load: () => Promise<ClientRequestHandler>;

  constructor(parts: ClientRequestHandlerParts) {
    this.load = lazy(async () => {
      const { ClientRequestHandler } = await import('./clientRequestHandler');
      const side = new ClientRequestHandler(parts);
      if (this.disposed) side.dispose();
      return (this.loaded = side);
    });
  }

  /** Undefined as long as the chat had no agent. */
  get now(): ClientRequestHandler | undefined {
    return this.loaded;
  }

  dispose(): void {
    this.disposed = true;
    this.loaded?.dispose();
  }
}
