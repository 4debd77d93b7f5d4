/** What the connections to agents on servers have in common, whichever wire they use. */
import { Readable } from 'node:stream';
import { shownUrl } from '../../base/shownUrl';
import type { Cookies } from './cookies';
import type { NdjsonReaderOptions } from './ndjsonReader';
import type { Transport } from './transport';

export interface RemoteOptions {
  /** Of every HTTP request that is made. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: Cookies;
  /** A longer message ends the connection: it would have to be kept whole, in bytes. */
  readonly maxMessageBytes: number;
  /** Milliseconds until the connection must be open. */
  readonly timeoutMs: number;
}

/** How a connection ended, or failed to open. */
export type RemoteEnd =
  /** The server answered a request with a status that ends it. @property location where it redirects to, as it may be shown */
  | { readonly kind: 'status'; readonly status: number; readonly location?: string }
  /** @property code of the system, of TLS or of the library */
  | { readonly kind: 'error'; readonly code: string; readonly message: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'tooLong' }
  /** It is open, but nobody answers any more. */
  | { readonly kind: 'silent' }
  /** @property evidence what the server said instead of ACP, in a sentence */
  | { readonly kind: 'notAcp'; readonly evidence: string }
  /** @property code of RFC 6455, where there is one */
  | { readonly kind: 'closed'; readonly code?: number; readonly reason: string };

/** A connection was not opened, or cannot go on. */
export class RemoteError extends Error {
  constructor(readonly end: RemoteEnd) {
    super(`The connection has ended: ${JSON.stringify(end)}`);
    this.name = 'RemoteError';
  }
}

/** A connection to an agent on a server. */
export interface RemoteChannel {
  /** Resolves when the connection is closed, whoever closed it. Never rejects. */
  readonly closed: Promise<RemoteEnd>;
  /** To be called once. */
  transport(options: NdjsonReaderOptions): Transport;
  /** Closes the connection; resolves when it is closed. */
  close(): Promise<void>;
}

/** @param location where it redirects to, which may name what only the server may know */
export function statusEnd(status: number, location?: string): RemoteEnd {
  return { kind: 'status', status, ...(location && { location: shownUrl(location) }) };
}

/** How long the other side may take to answer that the connection closes, in milliseconds. */
export const CLOSE_MS = 500;

/** Messages as lines, for the reader that reads the lines of a program: same pace, limits and patience. */
export class MessageLines {
  readonly stream: Readable;
  private isEnded = false;

  /** @param resume reading can go on; called also when it was never paused */
  constructor(
    private readonly pause: () => void,
    resume: () => void,
  ) {
    this.stream = new Readable({ read: resume });
  }

  /** @param message is changed */
  push(message: Buffer): void {
    if (this.isEnded) return;
    // No string of JSON holds a line feed as it is: elsewhere it is as good as a space.
    for (let at = message.indexOf('\n'); at !== -1; at = message.indexOf('\n', at))
      message[at] = 0x20;
    this.stream.push(message);
    if (!this.stream.push('\n')) this.pause();
  }

  /** Nothing more comes; what is pushed yet is dropped. */
  end(): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.stream.push(null);
  }
}

/** `error` as the end of a connection. */
export function endOf(error: unknown): RemoteEnd {
  if (error instanceof RemoteError) return error.end;
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return { kind: 'error', code: typeof code === 'string' ? code : '', message };
}
