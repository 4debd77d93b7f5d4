import {
  CancellationTokenSource,
  createMessageConnection,
  ResponseError,
  type CancellationToken,
  type Message,
  type MessageConnection,
  type MessageWriter,
  type NotificationMessage,
} from 'vscode-jsonrpc/node';
import * as l10n from '@vscode/l10n';
import { Emitter } from '../../base/event';
import type { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/logger';
import { RequestCancellation, signalOf } from './cancellation';
import type { Compatibility } from '../compat/compatibility';
import { ErrorCode, RequestError } from './errors';
import { LeftOut } from '../transport/longMessages';
import { ProtocolMethod } from '../schema/methods';
import { OrderedReader } from './orderedReader';
import { TransportError, type Transport } from '../transport/transport';

export interface RpcHandlers {
  /** Synchronous; called in the order of arrival. */
  notification(method: string, params: unknown): void;
  /** @throws RequestError: what the other side gets. Anything else: "Internal error". */
  request(method: string, params: unknown, signal: AbortSignal): Promise<unknown>;
}

/** After the agent stops reading, how long its last messages are waited for, in milliseconds. */
const LAST_WORDS_MS = 250;

/** With so many messages on the way to an agent that does not read them, it is not read any more either. */
const MAX_UNREAD = 10_000;

/** `vscode-jsonrpc` with what ACP needs of it. Knows no method but cancellation. */
export class RpcPeer implements Disposable {
  /** Whether the agent gets to know that a request of ours is not waited for any more. */
  cancelRequests = true;

  private readonly cancellation = new RequestCancellation();
  private readonly reader: OrderedReader;
  private readonly rpc: MessageConnection;
  private readonly didClose = new Emitter<void>();
  private state: 'open' | 'closed' | 'disposed' = 'open';
  private reason: string | undefined;
  /** A message was lost on the way to the agent: nothing that is sent now can be answered. */
  private cannotWrite = false;
  private unread = 0;
  private lastWords: ReturnType<typeof setTimeout> | undefined;

  readonly onDidClose = this.didClose.event;

  constructor(
    transport: Transport,
    private readonly handlers: RpcHandlers,
    private readonly logger: Logger,
    private readonly shapes: Pick<Compatibility, 'read' | 'write'>,
  ) {
    this.reader = new OrderedReader(transport.reader, {
      read: value => shapes.read(value),
      handleNow: (method, message) =>
        this.notified(method, (message as NotificationMessage).params),
      rejected: reason => this.logger.warn(`Ignored from the agent: ${reason}`),
      isPending: id => this.cancellation.pending.has(id),
    });
    this.reader.onError(error => this.readFailed(error));
    this.reader.onClose(() => this.close());
    transport.writer.onClose(() => this.writerClosed());
    // The connection learns of the writer's end from us, once the agent's last messages were read.
    const { writer } = transport;
    this.rpc = createMessageConnection(
      this.reader,
      {
        onError: writer.onError,
        onClose: () => ({ dispose() {} }),
        write: message => this.write(writer, message),
        end: () => writer.end(),
        dispose: () => writer.dispose(),
      },
      {
        error: message => this.logInternal(message),
        warn: message => this.logInternal(message),
        info: message => this.logInternal(message),
        log: message => this.logInternal(message),
      },
      {
        cancellationStrategy: this.cancellation.strategy,
        messageStrategy: {
          handleMessage: (message, next) => {
            try {
              return next(message);
            } finally {
              this.reader.dispatched();
            }
          },
        },
      },
    );
    this.rpc.onRequest((method, params, token) => this.requested(method, params, token));
    this.rpc.listen();
  }

  /** Why the connection closed, for the user; undefined when the stream just ended. */
  get closeReason(): string | undefined {
    return this.reason;
  }

  /**
   * Sends a request and waits for its response. When `signal` aborts, the wait ends at once and the agent
   * gets `$/cancel_request`; a response that comes later is dropped.
   * @throws RequestError with the agent's code, `requestCancelled` or `connectionClosed`.
   */
  async request(method: string, raw: object, signal?: AbortSignal): Promise<unknown> {
    if (this.state !== 'open') throw this.closedError();
    if (signal?.aborted === true) throw cancelledError();
    const params = this.shapes.write(raw);
    try {
      if (signal === undefined) return await this.rpc.sendRequest<unknown>(method, params);
      return await this.abortable(method, params, signal);
    } catch (error) {
      throw this.toRequestError(error);
    }
  }

  /** @throws RequestError `connectionClosed` when it cannot be sent. */
  async notify(method: string, params: object): Promise<void> {
    if (this.state !== 'open') throw this.closedError();
    try {
      await this.rpc.sendNotification(method, this.shapes.write(params));
    } catch (error) {
      throw this.toRequestError(error);
    }
  }

  dispose(): void {
    if (this.state === 'disposed') return;
    this.state = 'disposed';
    this.release();
    this.didClose.dispose();
  }

  private async abortable(method: string, params: object, signal: AbortSignal): Promise<unknown> {
    const source = new CancellationTokenSource();
    const answer = this.rpc.sendRequest<unknown>(method, params, source.token);
    let abort: (() => void) | undefined;
    const aborted = new Promise<never>((_, reject) => {
      abort = () => {
        if (this.cancelRequests) source.cancel();
        reject(cancelledError());
      };
      signal.addEventListener('abort', abort, { once: true });
    });
    try {
      return await Promise.race([answer, aborted]);
    } finally {
      if (abort !== undefined) signal.removeEventListener('abort', abort);
    }
  }

  /** Handles every notification; true when nothing is left to do. */
  private notified(method: string, params: unknown): boolean {
    if (this.state === 'disposed') return true;
    try {
      if (method === ProtocolMethod.cancelRequest) {
        const id = typeof params === 'object' && params !== null && 'requestId' in params;
        if (id) this.cancellation.cancelIncoming(params.requestId);
      } else {
        this.handlers.notification(method, params);
      }
    } catch (error) {
      this.logger.error(`Handling "${method}" failed`, error);
    }
    return true;
  }

  private async requested(
    method: string,
    params: unknown,
    token: CancellationToken,
  ): Promise<unknown> {
    try {
      if (params instanceof LeftOut) {
        throw new RequestError(ErrorCode.invalidRequest, params.refusal);
      }
      return (await this.handlers.request(method, params, signalOf(token))) ?? null;
    } catch (error) {
      const refusal = error instanceof RequestError ? error : RequestError.internal();
      if (refusal !== error) this.logger.error(`Answering "${method}" failed`, error);
      throw new ResponseError(refusal.code, refusal.message, refusal.data);
    } finally {
      this.cancellation.finishIncoming(token);
    }
  }

  private async write(writer: MessageWriter, message: Message): Promise<void> {
    this.unread += 1;
    this.reader.hold(this.unread > MAX_UNREAD);
    try {
      await writer.write(message);
    } catch (error) {
      this.cannotWrite = true;
      throw error;
    } finally {
      this.unread -= 1;
      this.reader.hold(this.unread > MAX_UNREAD);
    }
  }

  private readFailed(error: Error): void {
    if (error instanceof TransportError) this.reason ??= error.message;
    this.logger.warn(`Reading from the agent: ${error.message}`);
  }

  /** The agent stopped reading, usually because it ended: what it said last may still be on its way. */
  private writerClosed(): void {
    if (this.state !== 'open' || this.lastWords !== undefined) return;
    this.lastWords = setTimeout(() => this.close(), LAST_WORDS_MS);
  }

  private close(): void {
    if (this.state !== 'open') return;
    this.state = 'closed';
    this.release();
    this.didClose.fire();
  }

  private release(): void {
    clearTimeout(this.lastWords);
    this.cancellation.cancelAllIncoming();
    this.rpc.dispose();
    this.cancellation.pending.clear();
  }

  private toRequestError(error: unknown): RequestError {
    if (error instanceof RequestError) return error;
    if (this.state !== 'open' || this.cannotWrite) return this.closedError();
    if (error instanceof ResponseError) {
      return new RequestError(error.code, error.message, error.data);
    }
    this.logger.error('Sending to the agent failed', error);
    return this.closedError();
  }

  private closedError(): RequestError {
    return new RequestError(
      ErrorCode.connectionClosed,
      this.reason ?? l10n.t('The connection to the agent is closed.'),
    );
  }

  private logInternal(message: string): void {
    if (this.state === 'open') this.logger.debug(`vscode-jsonrpc: ${message}`);
  }
}

function cancelledError(): RequestError {
  return new RequestError(ErrorCode.requestCancelled, 'Request cancelled');
}
