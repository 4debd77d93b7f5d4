import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Message, MessageWriter } from 'vscode-jsonrpc';
import { AbstractMessageWriter } from 'vscode-jsonrpc/node';
import { WebSocket, type RawData } from 'ws';
import { NdjsonReader, type NdjsonReaderOptions } from './ndjsonReader';
import type { TrafficTap, Transport } from './transport';

export interface WebSocketOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** A longer message closes the connection: it would have to be kept whole, in bytes. */
  readonly maxMessageBytes: number;
  /** Milliseconds until the connection must be open. */
  readonly timeoutMs: number;
}

/** How a connection ended, or failed to open. */
export type WebSocketEnd =
  /** The server answered the request to open with another status than 101. */
  | { readonly kind: 'status'; readonly status: number }
  /** @property code of the system, of TLS or of `ws` */
  | { readonly kind: 'error'; readonly code: string; readonly message: string }
  | { readonly kind: 'timeout' }
  /** Codes are those of RFC 6455. */
  | { readonly kind: 'closed'; readonly code: number; readonly reason: string };

/** A connection was not opened. */
export class WebSocketError extends Error {
  constructor(readonly end: WebSocketEnd) {
    super(`The WebSocket was not opened: ${JSON.stringify(end)}`);
    this.name = 'WebSocketError';
  }
}

/** After this time without traffic the system asks whether the other machine is still there, in milliseconds. */
const KEEP_ALIVE_MS = 30_000;

/** How long the other side may take to answer that the connection closes, in milliseconds. */
const CLOSE_MS = 500;

const NORMAL_CLOSURE = 1000;

/**
 * JSON-RPC over a WebSocket: each text message is one message. It is read as lines of an agent's output
 * are, with the same pace, limits and patience with what is no message.
 */
export class WebSocketChannel {
  /** Resolves when the connection is closed, whoever closed it. Never rejects. */
  readonly closed: Promise<WebSocketEnd>;
  private readonly incoming: Readable;
  private failure: WebSocketEnd | undefined;
  private onBinary: (bytes: number) => void = () => undefined;

  private constructor(private readonly socket: WebSocket) {
    this.incoming = new Readable({
      read: () => {
        if (socket.isPaused) socket.resume();
      },
    });
    socket.on('message', (data, isBinary) => this.received(data, isBinary));
    socket.on('upgrade', ({ socket: tcp }) => void tcp.setKeepAlive(true, KEEP_ALIVE_MS));
    socket.on('error', error => {
      this.failure ??= { kind: 'error', code: codeOf(error), message: error.message };
    });
    this.closed = new Promise(resolve => {
      socket.on('close', (code, reason) => {
        this.incoming.push(null);
        resolve(this.failure ?? { kind: 'closed', code, reason: reason.toString() });
      });
    });
  }

  /**
   * @throws WebSocketError; SyntaxError or TypeError for a URL or headers that cannot be used; the signal's
   * reason when aborted.
   */
  static async open(
    url: string,
    { headers, maxMessageBytes, timeoutMs }: WebSocketOptions,
    signal: AbortSignal,
  ): Promise<WebSocketChannel> {
    const socket = new WebSocket(url, { headers: { ...headers }, maxPayload: maxMessageBytes });
    const channel = new WebSocketChannel(socket);
    const fail = (failure: WebSocketEnd) => {
      channel.failure ??= failure;
      socket.terminate();
    };
    const timer = setTimeout(() => fail({ kind: 'timeout' }), timeoutMs);
    const abort = () => socket.terminate();
    signal.addEventListener('abort', abort, { once: true });
    socket.on('unexpected-response', (_request, response: IncomingMessage) =>
      fail({ kind: 'status', status: response.statusCode ?? 0 }),
    );
    try {
      const opened = new Promise<undefined>(resolve => socket.on('open', () => resolve(undefined)));
      const end = await Promise.race([opened, channel.closed]);
      signal.throwIfAborted();
      if (end) throw new WebSocketError(end);
      return channel;
    } catch (error) {
      socket.terminate();
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }

  transport(options: NdjsonReaderOptions): Transport {
    this.onBinary = bytes => options.onJunk(`(a binary message of ${bytes} bytes)`);
    return {
      reader: new NdjsonReader(this.incoming, options),
      writer: new WebSocketWriter(this.socket, options.tap),
    };
  }

  /** Closes the connection; resolves when it is closed. */
  async close(): Promise<void> {
    // Nobody may be reading any more, and the end comes after what was not read.
    this.incoming.resume();
    this.socket.resume();
    this.socket.close(NORMAL_CLOSURE);
    const timer = setTimeout(() => this.socket.terminate(), CLOSE_MS);
    await this.closed;
    clearTimeout(timer);
  }

  private received(data: RawData, isBinary: boolean): void {
    const bytes = Buffer.isBuffer(data) ? data : Buffer.concat([data].flat().map(asBuffer));
    if (isBinary) {
      this.onBinary(bytes.length);
      return;
    }
    // No string of JSON holds a line feed as it is: elsewhere it is as good as a space.
    for (let at = bytes.indexOf('\n'); at !== -1; at = bytes.indexOf('\n', at)) bytes[at] = 0x20;
    this.incoming.push(bytes);
    if (!this.incoming.push('\n')) this.socket.pause();
  }
}

/** One message a frame, in the order of the calls; `write` resolves when it was handed to the system. */
class WebSocketWriter extends AbstractMessageWriter implements MessageWriter {
  constructor(
    private readonly socket: WebSocket,
    private readonly tap?: TrafficTap,
  ) {
    super();
    socket.on('close', () => this.fireClose());
  }

  async write(message: Message): Promise<void> {
    const json = JSON.stringify(message);
    if (this.socket.readyState !== WebSocket.OPEN) throw new Error('The agent no longer reads.');
    this.tap?.({ direction: 'send', json });
    await new Promise<void>((resolve, reject) => {
      this.socket.send(json, error => {
        if (error) reject(error);
        else resolve();
      });
    });
  }

  end(): void {
    this.socket.close(NORMAL_CLOSURE);
  }
}

function asBuffer(data: Buffer | ArrayBuffer): Buffer {
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
