import http2, { type ClientHttp2Session } from 'node:http2';
import { Deferred } from '../../../base/deferred';
import { orAborted } from '../../../base/orAborted';
import { KeepAlive } from '../keepAlive';
import { RemoteError } from '../remoteChannel';
import type { HttpAnswer, HttpHeaders, HttpRequests } from './httpRequests';

/** About one step of the way, and not allowed in HTTP/2; `:authority` says the host. */
const HTTP1_HEADERS: ReadonlySet<string> = new Set([
  ...['connection', 'host', 'http2-settings', 'keep-alive', 'proxy-connection'],
  ...['te', 'transfer-encoding', 'upgrade'],
]);

/** Requests as streams of one connection, with HTTP/2. */
export class Http2Requests implements HttpRequests {
  readonly silence: Promise<void>;

  constructor(
    private readonly session: ClientHttp2Session,
    private readonly url: URL,
  ) {
    const silence = new Deferred<void>();
    this.silence = silence.promise;
    const ask = () => session.ping(() => keepAlive.answered());
    const keepAlive = new KeepAlive(ask, () => silence.resolve());
    // What it means for the requests, each of them says.
    session.on('error', () => undefined);
    session.on('close', () => keepAlive.dispose());
  }

  send(method: string, headers: HttpHeaders, body?: string): Promise<HttpAnswer> {
    const allowed = Object.entries(headers).filter(([name]) => !HTTP1_HEADERS.has(name));
    return new Promise((resolve, reject) => {
      const stream = this.session.request({
        ...Object.fromEntries(allowed),
        ':method': method,
        ':path': `${this.url.pathname}${this.url.search}`,
      });
      stream.on('response', answered => {
        resolve({ status: answered[':status'] ?? 0, headers: answered, body: stream });
      });
      stream.on('error', reject);
      stream.on('close', () => reject(new RemoteError({ kind: 'closed', reason: '' })));
      if (body !== undefined) stream.end(body);
    });
  }

  close(): void {
    this.session.destroy();
  }
}

/**
 * A connection to a server that speaks HTTP/2: with TLS it says so in the handshake, without TLS it is just spoken to.
 * @returns undefined when the server does not, or is not reached like this
 * @throws the signal's reason when aborted
 */
export async function http2Session(
  url: URL,
  signal: AbortSignal,
): Promise<ClientHttp2Session | undefined> {
  const session = http2.connect(url.origin);
  let isSpoken = false;
  try {
    isSpoken = await orAborted(
      new Promise<boolean>(resolve => {
        session.on('remoteSettings', () => resolve(true));
        session.on('error', () => resolve(false));
        session.on('close', () => resolve(false));
      }),
      signal,
    );
  } finally {
    if (!isSpoken) session.destroy();
  }
  return isSpoken && !session.destroyed ? session : undefined;
}
