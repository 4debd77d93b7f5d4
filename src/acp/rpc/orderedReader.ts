import type { DataCallback, Disposable, Message } from 'vscode-jsonrpc';
import { AbstractMessageReader } from 'vscode-jsonrpc/node';
import { admit, type Admitted } from './envelope';
import type { PausableReader } from '../transport/transport';

/** With so many messages waiting nothing more is read: an agent may ask faster than anyone can answer. */
const MAX_WAITING = 5_000;

export interface OrderedReaderHooks {
  /** Handled at once when this returns true; order is kept either way. */
  handleNow(method: string, message: Message): boolean;
  /** Parameters and results with the names and ids of the schema. */
  read(value: unknown): unknown;
  /** Sees what cannot be handled. */
  rejected(reason: string): void;
  /** Whether a response with this id is waited for; one that is not is rejected. */
  isPending(id: number | string): boolean;
}

/**
 * Stands between the transport and `vscode-jsonrpc`, which takes one turn of the event loop for every
 * message: far too slow for streamed updates, and its queue grows faster than it shrinks under a flood.
 * Here, notifications that `handleNow` accepts never enter that queue. What must enter it (requests,
 * responses) goes in one at a time, and everything behind waits until it was dispatched and the promises
 * it settles have run their continuations. So the order of handling is the order of arrival, and the end
 * of the stream is reported only when all before it was handled.
 */
export class OrderedReader extends AbstractMessageReader {
  private callback: DataCallback | undefined;
  private waiting: Admitted[] = [];
  private next = 0;
  /** True while `vscode-jsonrpc` holds a message that it has not dispatched, or whose effects still run. */
  private busy = false;
  private sourceClosed = false;
  private held = false;
  private paused = false;
  private listening: Disposable | undefined;

  constructor(
    private readonly source: PausableReader,
    private readonly hooks: OrderedReaderHooks,
  ) {
    super();
    source.onError(error => this.fireError(error));
    source.onClose(() => {
      this.sourceClosed = true;
      if (!this.busy) this.fireClose();
    });
  }

  listen(callback: DataCallback): Disposable {
    this.callback = callback;
    this.listening = this.source.listen(message =>
      this.receive(admit(message, value => this.hooks.read(value))),
    );
    return { dispose: () => this.stop() };
  }

  /** To be called when `vscode-jsonrpc` has dispatched the message it was given last. */
  dispatched(): void {
    setImmediate(() => this.drain());
  }

  /** Whether to read nothing more for now: the agent does not read what it is answered. */
  hold(held: boolean): void {
    if (this.held === held) return;
    this.held = held;
    this.throttle();
  }

  override dispose(): void {
    this.stop();
    this.source.dispose();
    super.dispose();
  }

  private receive(admitted: Admitted): void {
    if (!this.busy) {
      this.handle(admitted);
      return;
    }
    this.waiting.push(admitted);
    this.throttle();
  }

  private throttle(): void {
    const waiting = this.waiting.length - this.next;
    // Resumed only when half of it is done: not with every message.
    const paused = this.held || waiting > (this.paused ? MAX_WAITING / 2 : MAX_WAITING);
    if (paused === this.paused) return;
    this.paused = paused;
    if (paused) this.source.pause();
    else this.source.resume();
  }

  private handle(admitted: Admitted): void {
    switch (admitted.kind) {
      case 'reject':
        this.hooks.rejected(admitted.reason);
        return;
      case 'notification':
        if (!this.hooks.handleNow(admitted.method, admitted.message))
          this.forward(admitted.message);
        return;
      case 'response':
        if (this.hooks.isPending(admitted.id)) this.forward(admitted.message);
        else
          this.hooks.rejected(
            `a response to a request (${admitted.id}) that does not wait for one`,
          );
        return;
      case 'request':
        this.forward(admitted.message);
        return;
    }
  }

  private forward(message: Message): void {
    if (this.callback === undefined) return;
    this.busy = true;
    this.callback(message);
  }

  private drain(): void {
    this.busy = false;
    while (!this.busy && this.next < this.waiting.length) {
      const admitted = this.waiting[this.next++];
      if (admitted !== undefined) this.handle(admitted);
    }
    if (!this.busy) {
      this.waiting = [];
      this.next = 0;
    }
    this.throttle();
    if (!this.busy && this.sourceClosed) this.fireClose();
  }

  private stop(): void {
    this.callback = undefined;
    this.waiting = [];
    this.next = 0;
    this.listening?.dispose();
  }
}
