/** A real server on loopback, with a list of agents in the shape of the public one, and with servers' faults. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import list from '../../../fixtures/registry.json';

/** What the server does with a request instead of answering it. */
export type Fault = 'slow' | 'silent' | 'cut' | 'loop' | 'error' | 'html' | 'insecure' | 'endless';

export interface RegistryServer {
  readonly origin: string;
  readonly listAddress: string;
  /** Served at `/files/<name>`. */
  readonly files: Map<string, Buffer>;
  readonly requests: string[];
  /** By path: until it is removed. */
  readonly faults: Map<string, Fault>;
  /** The agents of the list; change them to publish others. `{base}` is the server. */
  agents: Record<string, unknown>[];
  close(): Promise<void>;
}

/** @param t closes it when the test has ended */
export async function registryServer(t?: TestContext): Promise<RegistryServer> {
  const files = new Map<string, Buffer>();
  const faults = new Map<string, Fault>();
  const requests: string[] = [];
  const http = createServer((request, response) => answer(request, response));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const server: RegistryServer = {
    origin,
    listAddress: `${origin}/registry.json`,
    files,
    requests,
    faults,
    agents: structuredClone(list.agents),
    async close() {
      http.closeAllConnections();
      http.close();
      await once(http, 'close').catch(() => undefined);
    },
  };
  t?.after(() => {
    http.closeAllConnections();
    http.close();
  });
  return server;

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '';
    requests.push(path);
    const fault = faults.get(path);
    if (fault) return misbehave(fault, path, response);
    const body = bodyOf(path);
    if (!body) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-length': body.length }).end(body);
  }

  function bodyOf(path: string): Buffer | undefined {
    if (path !== '/registry.json') return files.get(path) ?? files.get(path.replace('/files/', ''));
    const text = JSON.stringify({ version: '1.0.0', agents: server.agents })
      .replaceAll('{base}', origin)
      .replace(
        /"archive":"([^"]*)"([^}]*)"\{sha256\}"/g,
        (_all, archive: string, between: string) => {
          const file = files.get(archive.split('/').at(-1) ?? '') ?? Buffer.alloc(0);
          return `"archive":"${archive}"${between}"${createHash('sha256').update(file).digest('hex')}"`;
        },
      );
    return Buffer.from(text);
  }

  function misbehave(fault: Fault, path: string, response: ServerResponse): void {
    const body = bodyOf(path) ?? Buffer.alloc(1000);
    switch (fault) {
      case 'silent':
        return;
      case 'slow':
        response.writeHead(200, { 'content-length': body.length });
        response.write(body.subarray(0, 10));
        return;
      case 'cut':
        response.writeHead(200, { 'content-length': body.length });
        response.write(body.subarray(0, body.length / 2), () => response.destroy());
        return;
      case 'loop':
        response.writeHead(302, { location: path }).end();
        return;
      case 'insecure':
        response.writeHead(302, { location: 'http://198.51.100.1/elsewhere' }).end();
        return;
      case 'error':
        response.writeHead(500).end('no');
        return;
      case 'html':
        response.writeHead(200).end('<html>Sign in to this network</html>');
        return;
      case 'endless': {
        response.writeHead(200);
        const more = (): void => {
          if (!response.destroyed) response.write(Buffer.alloc(1_000_000), more);
        };
        more();
      }
    }
  }
}
