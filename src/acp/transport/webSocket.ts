import type { IncomingMessage } from 'node:http';
import type { Message, MessageWriter } from 'vscode-jsonrpc';
import { AbstractMessageWriter } from 'vscode-jsonrpc/node';
import { WebSocket, type RawData } from 'ws';
import { KeepAlive } from './keepAlive';
import { NdjsonReader, type NdjsonReaderOptions } from './ndjsonReader';
import {
  CLOSE_MS,
  endOf,
  MessageLines,
  RemoteError,
  statusEnd,
  type RemoteChannel,
  type RemoteEnd,
  type RemoteOptions,
} from './remoteChannel';
import type { TrafficTap, Transport } from './transport';

const NORMAL_CLOSURE = 1000;

/** JSON-RPC over a WebSocket: each text message is one message. */
export class WebSocketChannel implements RemoteChannel {
  readonly closed: Promise<RemoteEnd>;
  private readonly lines: MessageLines;
  private failure: RemoteEnd | undefined;
  private onBinary: (bytes: number) => void = () => undefined;

  private constructor(
    private readonly socket: WebSocket,
    { cookies }: RemoteOptions,
  ) {
    this.lines = new MessageLines(
      () => socket.pause(),
      () => {
        if (socket.isPaused) socket.resume();
      },
    );
    socket.on('message', (data, isBinary) => this.received(data, isBinary));
    socket.on('upgrade', ({ headers }) => cookies.store(headers['set-cookie']));
    socket.on('open', () => this.keepAlive());
    socket.on('error', error => {
      const end = endOf(error);
      const isTooLong = end.kind === 'error' && end.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
      this.failure ??= isTooLong ? { kind: 'tooLong' } : end;
    });
    this.closed = new Promise(resolve => {
      socket.on('close', (code, reason) => {
        this.lines.end();
        resolve(this.failure ?? { kind: 'closed', code, reason: reason.toString() });
      });
    });
  }

  /**
   * @throws RemoteError; SyntaxError or TypeError for a URL or headers that cannot be used; the signal's
   * reason when aborted.
   */
  static async open(
    url: string,
    options: RemoteOptions,
    signal: AbortSignal,
  ): Promise<WebSocketChannel> {
    const { cookies, headers, maxMessageBytes, timeoutMs } = options;
    const socket = new WebSocket(url, {
      headers: cookies.addTo(headers),
      maxPayload: maxMessageBytes,
    });
    const channel = new WebSocketChannel(socket, options);
    const timer = setTimeout(() => channel.fail({ kind: 'timeout' }), timeoutMs);
    const abort = () => socket.terminate();
    signal.addEventListener('abort', abort, { once: true });
    socket.on('unexpected-response', (_request, response: IncomingMessage) => {
      channel.fail(statusEnd(response.statusCode ?? 0, response.headers.location));
    });
    try {
      const opened = new Promise<undefined>(resolve => socket.on('open', () => resolve(undefined)));
      const end = await Promise.race([opened, channel.closed]);
      signal.throwIfAborted();
      if (end) throw new RemoteError(end);
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
      reader: new NdjsonReader(this.lines.stream, options),
      writer: new WebSocketWriter(this.socket, options.tap),
    };
  }

  async close(): Promise<void> {
    // Nobody may be reading any more, and the end comes after what was not read.
    this.lines.stream.resume();
    this.socket.resume();
    this.socket.close(NORMAL_CLOSURE);
    const timer = setTimeout(() => this.socket.terminate(), CLOSE_MS);
    await this.closed;
    clearTimeout(timer);
  }

  private keepAlive(): void {
    const { socket } = this;
    const ask = () => {
      // An answer would wait behind what is not read.
      if (socket.isPaused || socket.readyState !== WebSocket.OPEN) return false;
      socket.ping();
      return true;
    };
    const keepAlive = new KeepAlive(ask, () => this.fail({ kind: 'silent' }));
    socket.on('pong', () => keepAlive.answered());
    socket.on('message', () => keepAlive.answered());
    socket.on('close', () => keepAlive.dispose());
  }

  private fail(failure: RemoteEnd): void {
    this.failure ??= failure;
    this.socket.terminate();
  }

  private received(data: RawData, isBinary: boolean): void {
    const bytes = Buffer.isBuffer(data) ? data : Buffer.concat([data].flat().map(asBuffer));
    if (isBinary) this.onBinary(bytes.length);
    else this.lines.push(bytes);
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
