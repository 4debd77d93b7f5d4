import type { Writable } from 'node:stream';
import type { Message, MessageWriter } from 'vscode-jsonrpc';
import { AbstractMessageWriter } from 'vscode-jsonrpc/node';
import type { TrafficTap } from './transport';

/**
 * Writes one JSON-RPC message a line, in the order of the calls. `write` resolves once the stream has
 * passed the line on, which is how a slow reader is felt. When the agent stops reading (EPIPE, or its
 * stdin is destroyed), `onClose` fires once and every `write` rejects.
 */
export class NdjsonWriter extends AbstractMessageWriter implements MessageWriter {
  private closed = false;

  constructor(
    private readonly stream: Writable,
    private readonly tap?: TrafficTap,
  ) {
    super();
    // Stays for good: a late EPIPE of a disposed connection must not become an uncaught exception.
    stream.on('error', () => this.close());
    stream.on('close', () => this.close());
  }

  async write(message: Message): Promise<void> {
    const json = JSON.stringify(message);
    if (this.closed || !this.stream.writable) throw new Error('The agent no longer reads.');
    this.tap?.({ direction: 'send', json });
    await new Promise<void>((resolve, reject) => {
      this.stream.write(`${json}\n`, error => {
        if (error) reject(error);
        else resolve();
      });
    });
  }

  end(): void {
    if (!this.closed) this.stream.end();
  }

  private close(): void {
    if (this.closed) return;
    this.closed = true;
    this.fireClose();
  }
}
