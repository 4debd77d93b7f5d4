import type { Readable } from 'node:stream';
import type { DataCallback, Disposable, Message } from 'vscode-jsonrpc';
import { AbstractMessageReader } from 'vscode-jsonrpc/node';
import * as l10n from '@vscode/l10n';
import { fieldsOf } from '../../base/isRecord';
import { LineSplitter, type LongLine } from './lineSplitter';
import { mayBeMessage, standIn } from './longMessages';
import { messagesInLine, type MessagesInLine } from './messagesInLine';
import { ClientMethod } from '../schema/methods';
import type { ReadingPace } from './readingPace';
import { TransportError, type PausableReader, type TrafficTap } from './transport';

export interface NdjsonReaderOptions {
  /** Longest line that is read, in bytes; a message takes the place of a longer one. Asked for each line. */
  readonly maxLineBytes: number;
  /** A line that is no JSON-RPC message: a banner, a log line, half a message. Cut if it is long. */
  onJunk(line: string): void;
  readonly tap?: TrafficTap | undefined;
  /** How fast updates are read; as fast as they come by default. */
  readonly pace?: ReadingPace | undefined;
}

const MAX_JUNK_LENGTH = 2000;

/** Reads one JSON-RPC message a line, and those that stand in a line in another way. */
export class NdjsonReader extends AbstractMessageReader implements PausableReader {
  private readonly lines: LineSplitter;
  private callback: DataCallback | undefined;
  private closed = false;
  private paused = false;
  /** Runs while the pace has reading wait. */
  private rest: ReturnType<typeof setTimeout> | undefined;
  /** What came while, or before, reading was interrupted. */
  private held: Buffer | undefined;
  /** Nothing more comes: what is there is read without a pause. */
  private ending = false;

  constructor(
    private readonly stream: Readable,
    private readonly options: NdjsonReaderOptions,
  ) {
    super();
    this.lines = new LineSplitter({
      get maxLineBytes() {
        return options.maxLineBytes;
      },
      onLine: line => this.onLine(line),
      // It may go on for ever: what is no message is reported now.
      onLongLineBegun: head => {
        if (this.callback && !mayBeMessage(head)) this.options.onJunk(cut(head));
      },
      onLongLine: line => this.onLongLine(line),
      wantsMore: () => this.ending || !this.interrupted,
    });
    options.pace?.onDidHurry(() => this.endRest());
  }

  listen(callback: DataCallback): Disposable {
    this.callback = callback;
    this.stream.on('data', this.onData);
    this.stream.on('end', this.onEnd);
    this.stream.on('close', this.onEnd);
    this.stream.on('error', this.onStreamError);
    return { dispose: () => this.stop() };
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
    this.readOn();
  }

  override dispose(): void {
    this.stop();
    super.dispose();
  }

  private get interrupted(): boolean {
    return this.paused || this.rest !== undefined;
  }

  private readonly onData = (chunk: Buffer): void => {
    if (this.closed) return;
    if (this.held) this.held = Buffer.concat([this.held, chunk]);
    else this.read(chunk);
  };

  private read(chunk: Buffer): void {
    const taken = this.lines.push(chunk);
    if (this.closed || !this.interrupted) return;
    // Kept even when there is nothing of it: it says that reading has to be resumed.
    this.held = chunk.subarray(taken);
    this.stream.pause();
  }

  private readOn(): void {
    const { held } = this;
    if (!held || this.closed || this.interrupted) return;
    this.held = undefined;
    this.read(held);
    if (!this.interrupted) this.stream.resume();
  }

  private endRest(): void {
    if (this.rest === undefined) return;
    clearTimeout(this.rest);
    this.rest = undefined;
    this.readOn();
  }

  private readonly onEnd = (): void => {
    if (this.closed) return;
    this.ending = true;
    if (this.held) this.lines.push(this.held);
    this.lines.end();
    this.close();
  };

  private readonly onStreamError = (error: Error): void => {
    if (this.closed) return;
    this.fireError(
      new TransportError(l10n.t('Reading from the agent failed: {0}', error.message), {
        cause: error,
      }),
    );
    this.close();
  };

  private onLine(line: string): void {
    if (this.callback === undefined) return;
    const read = messagesInLine(line);
    if (read.messages.length > 0) this.deliverAll(read);
    else if (read.junk !== undefined) this.junk(read.junk);
  }

  private deliverAll({ messages, json, junk }: MessagesInLine): void {
    if (junk !== undefined) this.junk(junk);
    this.options.tap?.({ direction: 'receive', json });
    for (const message of messages) this.deliver(message);
  }

  private junk(line: string): void {
    if (line.trim() !== '') this.options.onJunk(cut(line));
  }

  private onLongLine(line: LongLine): void {
    if (this.callback === undefined) return;
    const message = standIn(line, this.options.maxLineBytes);
    const { head, tail, bytes } = line;
    if (!message) {
      if (mayBeMessage(head)) this.options.onJunk(cut(head));
      return;
    }
    const json = `${head}… (${bytes} bytes, left out) …${tail}`;
    this.options.tap?.({ direction: 'receive', json });
    this.deliver(message);
  }

  private deliver(message: Message): void {
    try {
      this.callback?.(message);
    } catch (error) {
      this.fireError(error);
    }
    const update = this.options.pace && updateIn(message);
    if (!update) return;
    const wait = this.options.pace?.took(update.sessionId, update.isPiece) ?? 0;
    if (wait > 0) this.rest ??= setTimeout(() => this.endRest(), wait);
  }

  private close(): void {
    if (this.closed) return;
    this.stop();
    this.fireClose();
  }

  /** Stops listening but lets the stream run dry, so that an agent that is still writing can end. */
  private stop(): void {
    this.closed = true;
    this.callback = undefined;
    clearTimeout(this.rest);
    this.held = undefined;
    this.stream.off('data', this.onData);
    this.stream.off('end', this.onEnd);
    this.stream.off('close', this.onEnd);
    if (!this.stream.destroyed) this.stream.resume();
  }
}

/** The session that an update is about, and whether it goes on with a message; undefined for other messages. */
function updateIn(
  message: Message & { readonly method?: unknown; readonly params?: unknown },
): { readonly sessionId: string; readonly isPiece: boolean } | undefined {
  if (message.method !== ClientMethod.sessionUpdate || !('params' in message)) return undefined;
  const { sessionId, update } = fieldsOf(message.params);
  const kind = fieldsOf(update)['sessionUpdate'];
  return {
    sessionId: typeof sessionId === 'string' ? sessionId : '',
    isPiece: typeof kind === 'string' && kind.endsWith('_chunk'),
  };
}

function cut(line: string): string {
  return line.length > MAX_JUNK_LENGTH ? `${line.slice(0, MAX_JUNK_LENGTH)}…` : line;
}
