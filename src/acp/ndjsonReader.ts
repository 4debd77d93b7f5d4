import type { Readable } from 'node:stream';
import type { DataCallback, Disposable, Message } from 'vscode-jsonrpc';
import { AbstractMessageReader } from 'vscode-jsonrpc/node';
import * as l10n from '@vscode/l10n';
import { LineSplitter } from './lineSplitter';
import { TransportError, type TrafficTap } from './transport';

export interface NdjsonReaderOptions {
  /** Longest line accepted, in bytes. A longer one ends the connection: nothing after it can be trusted. */
  readonly maxLineBytes: number;
  /** A line that is no JSON-RPC message: a banner, a log line, half a message. Cut if it is long. */
  onJunk(line: string): void;
  readonly tap?: TrafficTap | undefined;
}

const MAX_JUNK_LENGTH = 2000;
const MEBIBYTE = 1024 * 1024;

/** Reads one JSON-RPC message a line. */
export class NdjsonReader extends AbstractMessageReader {
  private readonly lines: LineSplitter;
  private callback: DataCallback | undefined;
  private closed = false;

  constructor(
    private readonly stream: Readable,
    private readonly options: NdjsonReaderOptions,
  ) {
    super();
    this.lines = new LineSplitter(options.maxLineBytes);
  }

  listen(callback: DataCallback): Disposable {
    this.callback = callback;
    this.stream.on('data', this.onData);
    this.stream.on('end', this.onEnd);
    this.stream.on('close', this.onEnd);
    this.stream.on('error', this.onStreamError);
    return { dispose: () => this.stop() };
  }

  override dispose(): void {
    this.stop();
    super.dispose();
  }

  private readonly onData = (chunk: Buffer): void => {
    if (this.closed || this.lines.push(chunk, this.onLine)) return;
    this.fireError(
      new TransportError(
        l10n.t(
          'The agent sent a message larger than {0} MiB. Raise "parley.limits.lineBytes" to allow it.',
          Math.round((this.options.maxLineBytes / MEBIBYTE) * 10) / 10,
        ),
      ),
    );
    this.close();
    this.stream.destroy();
  };

  private readonly onEnd = (): void => {
    if (this.closed) return;
    const tail = this.lines.end();
    if (tail !== undefined) this.onLine(tail);
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

  private readonly onLine = (line: string): void => {
    if (this.callback === undefined || line === '') return;
    const parsed = parseLine(line);
    if (parsed.junk !== undefined && parsed.junk.trim() !== '') {
      this.options.onJunk(cut(parsed.junk));
    }
    if (parsed.messages.length === 0) return;
    this.options.tap?.({ direction: 'receive', json: parsed.json });
    for (const message of parsed.messages) this.deliver(message);
  };

  private deliver(message: Message): void {
    try {
      this.callback?.(message);
    } catch (error) {
      this.fireError(error);
    }
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
    this.stream.off('data', this.onData);
    this.stream.off('end', this.onEnd);
    this.stream.off('close', this.onEnd);
    if (!this.stream.destroyed) this.stream.resume();
  }
}

interface ParsedLine {
  readonly messages: readonly Message[];
  /** The part of the line that is JSON. */
  readonly json: string;
  readonly junk?: string;
}

/**
 * Finds the message in a line. A batch, which ACP does not have, is taken apart; text before the message
 * (a prompt or progress printed without a line end) is put aside.
 */
function parseLine(line: string): ParsedLine {
  const whole = parseJson(line);
  if (whole !== undefined) {
    const messages = Array.isArray(whole) ? whole : [whole];
    return messages.length > 0 && messages.every(isMessage)
      ? { messages, json: line }
      : { messages: [], json: '', junk: line };
  }
  const start = line.indexOf('{"jsonrpc"', 1);
  if (start !== -1) {
    const json = line.slice(start);
    const message = parseJson(json);
    if (isMessage(message)) {
      const prefix = line.slice(0, start).trim();
      return { messages: [message], json, ...(prefix === '' ? {} : { junk: prefix }) };
    }
  }
  return { messages: [], json: '', junk: line };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * A JSON object that says it is JSON-RPC, or has a method or an id (some agents leave out `jsonrpc`);
 * anything else, like a structured log line, is not for us.
 */
function isMessage(value: unknown): value is Message {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  if ('method' in value) return typeof value.method === 'string';
  return 'id' in value || 'jsonrpc' in value;
}

function cut(line: string): string {
  return line.length > MAX_JUNK_LENGTH ? `${line.slice(0, MAX_JUNK_LENGTH)}…` : line;
}
