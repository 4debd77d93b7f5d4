import type { Readable } from 'node:stream';
import type { DataCallback, Disposable, Message } from 'vscode-jsonrpc';
import { AbstractMessageReader } from 'vscode-jsonrpc/node';
import * as l10n from '@vscode/l10n';
import { Framing, headerIn } from './framing';
import { LineSplitter, type LongLine } from './lineSplitter';
import { mayBeMessage, standIn } from './longMessages';
import { messagesInLine, type MessagesInLine } from './messagesInLine';
import { ClientMethod } from '../schema/methods';
import type { ReadingPace } from './readingPace';
import { SpreadMessages, type Spread } from './spreadMessages';
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

const LETTER_C = 0x63;

/** Reads one JSON-RPC message a line, and those that are framed or broken otherwise. */
export class NdjsonReader extends AbstractMessageReader implements PausableReader {
  private readonly lines: LineSplitter;
  private readonly spread = new SpreadMessages();
  /** What a header has told of the length of what follows the headers, in bytes; 0 when none has. */
  private told = 0;
  /** What comes next is as long as a header has told. */
  private inBody = false;
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
    /** Shared with the writer. */
    private readonly framing = new Framing(),
  ) {
    super();
    this.lines = new LineSplitter({
      get maxLineBytes() {
        return options.maxLineBytes;
      },
      onLine: line => this.onLine(line),
      // It may go on for ever: what is no message is told now.
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
    // Kept even when there is nothing of it: it says that reading has to be taken up again.
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
    for (const line of this.spread.take()) this.junk(line);
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
    const isBody = this.inBody;
    this.inBody = false;
    if (line === '') this.endHeaders();
    else if (!isBody && this.isHeader(line)) return;
    else if (this.spread.isOpen) this.goOn(line);
    else {
      const read = messagesInLine(line);
      if (read.messages.length > 0) this.deliverAll(read, isBody);
      // Something else that looked like a header, or a length that was miscounted.
      else if (isBody) for (const part of line.split(/\r?\n/)) this.onLine(part);
      else if (this.spread.begins(line)) this.goOn(line);
      else if (read.junk !== '') this.junk(line);
    }
  }

  /** Takes a header in, if `line` is one. */
  private isHeader(line: string): boolean {
    const first = line.charCodeAt(0) | 0x20;
    if (first !== LETTER_C || !this.framing.mayHaveHeaders) return false;
    const length = headerIn(line);
    this.told ||= length ?? 0;
    return length !== undefined;
  }

  private endHeaders(): void {
    if (this.told === 0) return;
    this.lines.takeNext(this.told);
    this.told = 0;
    this.inBody = true;
  }

  /** A line that belongs to those before it, or ends what they have begun. */
  private goOn(line: string): void {
    // Messages stand at the beginning of a line; what is within one is indented.
    const read = this.spread.isOpen && line.startsWith('{') ? messagesInLine(line) : undefined;
    const isOther = read !== undefined && read.messages.length > 0;
    const spread = isOther ? undefined : this.spread.add(line, this.options.maxLineBytes);
    if (spread) {
      this.handleSpread(spread);
      return;
    }
    for (const before of this.spread.take()) this.junk(before);
    this.onLine(line);
  }

  private handleSpread(spread: Spread): void {
    switch (spread.kind) {
      case 'open':
        return;
      case 'tooLong':
        this.onLongLine(spread.line);
        return;
      case 'whole': {
        const read = messagesInLine(spread.text);
        if (read.messages.length > 0) this.deliverAll(read, false);
        else for (const line of spread.text.split('\n')) this.junk(line);
      }
    }
  }

  private deliverAll({ messages, json, junk }: MessagesInLine, hasHeader: boolean): void {
    this.told = 0;
    if (junk !== undefined) this.junk(junk);
    this.framing.heard(hasHeader);
    this.options.tap?.({ direction: 'receive', json: onOneLine(json) });
    for (const message of messages) this.deliver(message);
  }

  private junk(line: string): void {
    if (line.trim() !== '') this.options.onJunk(cut(line));
  }

  private onLongLine(line: LongLine): void {
    if (this.callback === undefined) return;
    const message = standIn(line, this.options.maxLineBytes);
    const { head, tail, bytes } = line;
    const isBody = this.inBody;
    this.inBody = false;
    if (!message) {
      if (mayBeMessage(head)) this.options.onJunk(cut(head));
      return;
    }
    this.framing.heard(isBody);
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
    const sessionId = this.options.pace && updatedSession(message);
    if (sessionId === undefined) return;
    const wait = this.options.pace?.took(sessionId) ?? 0;
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

/** The session that an update is about; undefined for other messages. */
function updatedSession(message: Message & { readonly method?: unknown }): string | undefined {
  if (message.method !== ClientMethod.sessionUpdate || !('params' in message)) return undefined;
  const { params } = message;
  if (typeof params !== 'object' || params === null || !('sessionId' in params)) return '';
  return typeof params.sessionId === 'string' ? params.sessionId : '';
}

/** No string of JSON holds a line feed as it is. */
function onOneLine(json: string): string {
  return json.includes('\n') ? json.replace(/\s*\n\s*/g, ' ') : json;
}

function cut(line: string): string {
  return line.length > MAX_JUNK_LENGTH ? `${line.slice(0, MAX_JUNK_LENGTH)}…` : line;
}
