import http from 'node:http';
import https from 'node:https';
import { KEEP_ALIVE_MS } from '../keepAlive';
import type { HttpAnswer, HttpHeaders, HttpRequests } from './httpRequests';

/**
 * Requests by Node's `http` and `https`, with HTTP/1.1: in the extension host VS Code has these use its proxy
 * settings and certificates.
 */
export class Http1Requests implements HttpRequests {
  /** Found out by the system, which then ends the requests. */
  readonly silence = new Promise<void>(() => undefined);
  private readonly open = new Set<http.ClientRequest>();

  constructor(private readonly url: URL) {}

  async send(method: string, headers: HttpHeaders, body?: string): Promise<HttpAnswer> {
    try {
      return await this.sendOnce(method, headers, body);
    } catch (error) {
      if (!(error instanceof StaleSocketError)) throw error;
      return this.sendOnce(method, headers, body);
    }
  }

  close(): void {
    for (const request of this.open) request.destroy();
  }

  private sendOnce(method: string, headers: HttpHeaders, body?: string): Promise<HttpAnswer> {
    const { request: start } = this.url.protocol === 'https:' ? https : http;
    return new Promise((resolve, reject) => {
      const length = body !== undefined && { 'content-length': Buffer.byteLength(body) };
      const request = start(this.url, { method, headers: { ...headers, ...length } });
      this.open.add(request);
      request.on('socket', socket => void socket.setKeepAlive(true, KEEP_ALIVE_MS));
      request.on('response', answer => {
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: answer });
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        const isStale = request.reusedSocket && error.code === 'ECONNRESET';
        reject(isStale ? new StaleSocketError() : error);
      });
      request.on('close', () => this.open.delete(request));
      request.end(body);
    });
  }
}

/** The server has closed a connection that was kept open, just as another request was sent on it. */
class StaleSocketError extends Error {}
