/** The official SDK's server, over each wire that it has, and what can go wrong with a server. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createHttp2Server, type Http2Server } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import {
  createNodeHttpHandler,
  createNodeWebSocketUpgradeHandler,
} from '@agentclientprotocol/sdk/experimental/node';
import { AcpServer, type AgentFactory } from '@agentclientprotocol/sdk/experimental/server';
import { WebSocketServer, type WebSocket } from 'ws';
import { remoteAgent, type RemoteAgentOptions } from './remoteAgent';

/** `http2` is without TLS, as is `http`. */
export type Wire = 'webSocket' | 'http' | 'http2';

export const WIRES: readonly Wire[] = ['webSocket', 'http', 'http2'];

export interface RemoteServer {
  /** Of the agent. */
  readonly url: string;
  /** The requests for the agent, in order; over a WebSocket those that were upgraded to connections. */
  readonly requests: readonly IncomingMessage[];
  /** How many connections were begun. */
  readonly connections: number;
  /** The server's end of the last connection over a WebSocket. */
  socket(): WebSocket;
  /** Ends all connections without a word. */
  breakOff(): void;
  /** Answers of the client to what the agent asked, and what else happened, in order. */
  readonly events: unknown[];
  close(): Promise<void>;
}

export interface RemoteServerOptions extends RemoteAgentOptions {
  readonly wire?: Wire;
  /** By default one that is free. */
  readonly listensAt?: number;
  /** Answers the first request with this status. */
  readonly refuse?: number;
  /** Where it redirects to then. */
  readonly location?: string;
  /** Gets each new connection over a WebSocket instead of the SDK's server. */
  readonly onConnection?: (socket: WebSocket) => void;
  /** Behind the server, in place of the one of `remoteAgent.ts`. */
  readonly agent?: ReturnType<AgentFactory>;
  /** Sees each request for the agent that is not refused. */
  readonly sees?: (request: IncomingMessage) => void;
  /** Sees each request before the SDK's server gets it, which it does once it has resolved with true. */
  readonly onRequest?: (...exchange: Parameters<RequestListener>) => Promise<boolean>;
}

export async function remoteServer(options: RemoteServerOptions = {}): Promise<RemoteServer> {
  const { wire = 'webSocket', refuse, location } = options;
  const requests: IncomingMessage[] = [];
  const events: unknown[] = [];
  const webSockets: WebSocket[] = [];
  const connected = new Set<Socket>();
  const acp = new AcpServer({ createAgent: () => options.agent ?? remoteAgent(events, options) });
  const handle = createNodeHttpHandler(acp);
  const respond: RequestListener = (request, response) => {
    dropPseudoHeaders(request);
    if (!isAgent(request)) return void response.writeHead(404).end();
    requests.push(request);
    if (refuse !== undefined) {
      return void response.writeHead(refuse, location === undefined ? {} : { location }).end();
    }
    options.sees?.(request);
    const isForAcp = options.onRequest?.(request, response) ?? Promise.resolve(true);
    void isForAcp.then(is => is && handle(request, response));
  };
  const http: Server | Http2Server =
    wire === 'http2'
      ? createHttp2Server((request, response) => respond(request as never, response as never))
      : createServer(respond);
  http.on('connection', (socket: Socket) => {
    connected.add(socket);
    socket.on('close', () => connected.delete(socket));
  });
  if (wire === 'webSocket') {
    const upgrade = upgrades(acp, options, webSocket => void webSockets.push(webSocket));
    http.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      const status = isAgent(request) ? refuse : 404;
      if (status === undefined) {
        requests.push(request);
        options.sees?.(request);
        upgrade(request, socket, head);
        return;
      }
      const to = location === undefined ? '' : `Location: ${location}\r\n`;
      socket.end(
        `HTTP/1.1 ${status} Refused\r\n${to}Content-Length: 0\r\nConnection: close\r\n\r\n`,
      );
    });
  }
  http.listen(options.listensAt ?? 0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  return {
    url: `${wire === 'webSocket' ? 'ws' : 'http'}://127.0.0.1:${port}/acp`,
    requests,
    events,
    get connections() {
      return requests.filter(({ headers }) => headers['acp-connection-id'] === undefined).length;
    },
    socket() {
      const last = webSockets.at(-1);
      if (!last) throw new Error('Nobody has connected');
      return last;
    },
    breakOff() {
      for (const socket of connected) socket.destroy();
    },
    async close() {
      await acp.close();
      for (const socket of connected) socket.destroy();
      http.close();
      await once(http, 'close');
    },
  };
}

function isAgent({ url = '' }: IncomingMessage): boolean {
  return new URL(url, 'http://x').pathname === '/acp';
}

/** What HTTP/2 says in headers beside those that everybody means. */
function dropPseudoHeaders(request: IncomingMessage): void {
  const { headers } = request;
  const host = headers[':authority'] ?? headers.host;
  const named = Object.entries(headers).filter(([name]) => !name.startsWith(':'));
  Object.defineProperty(request, 'headers', { value: { host, ...Object.fromEntries(named) } });
}

function upgrades(
  acp: AcpServer,
  { onConnection }: RemoteServerOptions,
  onOpened: (socket: WebSocket) => void,
): (request: IncomingMessage, socket: Socket, head: Buffer) => void {
  const server = new WebSocketServer({ noServer: true });
  const upgradeToAcp = createNodeWebSocketUpgradeHandler(acp, {
    on: (event, listener) => void server.on(event, listener),
    off: (event, listener) => void server.off(event, listener),
    handleUpgrade: (request, socket, head, accept) =>
      server.handleUpgrade(request, socket, head, webSocket => {
        onOpened(webSocket);
        accept(webSocket);
      }),
  });
  return (request, socket, head) => {
    if (onConnection) server.handleUpgrade(request, socket, head, onConnection);
    else upgradeToAcp(request, socket, head);
  };
}
