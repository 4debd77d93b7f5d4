/** HTTP requests to one address, whichever version of HTTP they are made with. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { Http1Requests } from './http1Requests';
import { Http2Requests, http2Session } from './http2Requests';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Has to be read, or destroyed. */
  readonly body: Readable;
}

/** Names are in small letters. */
export type HttpHeaders = Readonly<Record<string, string>>;

export interface HttpRequests {
  /** Resolves with the head of the answer. @throws Error of the system, of TLS or of Node */
  send(method: string, headers: HttpHeaders, body?: string): Promise<HttpAnswer>;
  /** Resolves when the server is found to be gone, though nobody has said so. */
  readonly silence: Promise<void>;
  /** Breaks off whatever is on its way. */
  close(): void;
}

/**
 * HTTP/2 where the server speaks it, and HTTP/1.1 where it does not.
 * @param triesHttp2 false where HTTP/2 cannot be had, as through a proxy
 * @throws the signal's reason when aborted
 */
export async function httpRequests(
  url: URL,
  triesHttp2: boolean,
  signal: AbortSignal,
): Promise<HttpRequests> {
  const session = triesHttp2 ? await http2Session(url, signal) : undefined;
  return session ? new Http2Requests(session, url) : new Http1Requests(url);
}

export function isOk(status: number): boolean {
  return status >= 200 && status < 300;
}
