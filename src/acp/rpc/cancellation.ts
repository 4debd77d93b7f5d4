import {
  CancellationTokenSource,
  type CancellationStrategy,
  type CancellationToken,
  type RequestMessage,
} from 'vscode-jsonrpc/node';
import { ProtocolMethod } from '../schema/methods';

/**
 * ACP's cancellation for `vscode-jsonrpc`: `$/cancel_request {requestId}` in both directions, where LSP
 * has `$/cancelRequest {id}`. Also knows which requests of ours are open.
 */
export class RequestCancellation {
  /** Ids of our requests that have no response yet. */
  readonly pending = new Set<number | string>();
  private readonly incoming = new Map<number | string, CancellationTokenSource>();

  readonly strategy: CancellationStrategy = {
    receiver: {
      kind: 'request',
      createCancellationTokenSource: (request: RequestMessage) => {
        const source = new CancellationTokenSource();
        if (request.id !== null) this.incoming.set(request.id, source);
        return source;
      },
    },
    sender: {
      enableCancellation: request => {
        if (request.id !== null) this.pending.add(request.id);
      },
      sendCancellation: async (connection, id) => {
        await connection.sendNotification(ProtocolMethod.cancelRequest, { requestId: id });
      },
      cleanup: id => {
        this.pending.delete(id);
      },
    },
  };

  /** The agent cancels a request of its own. Unknown ids are fine: the answer may have crossed. */
  cancelIncoming(id: unknown): void {
    if (typeof id === 'number' || typeof id === 'string') this.incoming.get(id)?.cancel();
  }

  /** The request that was given `token` has been answered. */
  finishIncoming(token: CancellationToken): void {
    for (const [id, source] of this.incoming) {
      if (source.token === token) this.incoming.delete(id);
    }
  }

  /** Nobody waits for the answers any more. */
  cancelAllIncoming(): void {
    const sources = [...this.incoming.values()];
    this.incoming.clear();
    for (const source of sources) source.cancel();
  }
}

/** An `AbortSignal` that follows `token`. */
export function signalOf(token: CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  else token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}
