import type { MessageReader, MessageWriter } from 'vscode-jsonrpc';

/** A reader that can be paused: whoever writes it has to wait in the end. */
export interface PausableReader extends MessageReader {
  /** Nothing more is delivered until `resume`, except when the stream ends. */
  pause(): void;
  resume(): void;
}

/**
 * Whole messages to and from one agent. The reader must deliver in order, and fire `onClose` once nothing
 * more can come; an error that ends the stream is fired just before as a `TransportError`.
 */
export interface Transport {
  readonly reader: PausableReader;
  readonly writer: MessageWriter;
}

/** An error that ends a transport. Its message says why, in words a user can read. */
export class TransportError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'TransportError';
  }
}

/** One message on the wire, as the raw line without its end. May hold secrets: mask before showing. */
export interface Traffic {
  readonly direction: 'send' | 'receive';
  readonly json: string;
}

/** Sees every message, before it is handled or once it was handed to the stream. Must not throw. */
export type TrafficTap = (traffic: Traffic) => void;
