/** An agent on the official SDK's WebSocket server; what it does in a turn is the first word of the prompt. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { agent, methods, PROTOCOL_VERSION, type AgentApp } from '@agentclientprotocol/sdk';
import { createNodeWebSocketUpgradeHandler } from '@agentclientprotocol/sdk/experimental/node';
import { AcpServer } from '@agentclientprotocol/sdk/experimental/server';
import { WebSocketServer, type WebSocket } from 'ws';

export interface RemoteServer {
  /** Of the agent. */
  readonly url: string;
  /** The requests that were upgraded to connections. */
  readonly requests: readonly IncomingMessage[];
  /** The server's end of the last connection. */
  socket(): WebSocket;
  /** Answers of the client to what the agent asked, and what else happened, in order. */
  readonly events: unknown[];
  close(): Promise<void>;
}

export interface RemoteServerOptions {
  /** Answers an upgrade with this status. */
  readonly refuse?: number;
  /** Gets each new connection instead of the SDK's server. */
  readonly onConnection?: (socket: WebSocket) => void;
  /** What `initialize` answers besides. */
  readonly initialized?: object;
}

export async function remoteServer(options: RemoteServerOptions = {}): Promise<RemoteServer> {
  const requests: IncomingMessage[] = [];
  const events: unknown[] = [];
  const sockets: WebSocket[] = [];
  const webSockets = new WebSocketServer({ noServer: true });
  webSockets.on('connection', (socket: WebSocket) => void sockets.push(socket));
  const acp = new AcpServer({ createAgent: () => app(events, options) });
  const upgradeToAcp = createNodeWebSocketUpgradeHandler(acp, {
    on: (event, listener) => void webSockets.on(event, listener),
    off: (event, listener) => void webSockets.off(event, listener),
    handleUpgrade: (request, socket, head, accept) =>
      webSockets.handleUpgrade(request, socket, head, webSocket => {
        webSockets.emit('connection', webSocket, request);
        accept(webSocket);
      }),
  });
  const http = createServer((_request, response) => response.writeHead(404).end());
  http.on('upgrade', (request: IncomingMessage, socket, head) => {
    const status =
      new URL(request.url ?? '', 'http://x').pathname === '/acp' ? options.refuse : 404;
    if (status !== undefined) {
      socket.end(`HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
      return;
    }
    requests.push(request);
    const { onConnection } = options;
    if (!onConnection) upgradeToAcp(request, socket, head);
    else webSockets.handleUpgrade(request, socket, head, onConnection);
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  return {
    url: `ws://127.0.0.1:${port}/acp`,
    requests,
    events,
    socket() {
      const last = sockets.at(-1);
      if (!last) throw new Error('Nobody has connected');
      return last;
    },
    async close() {
      await acp.close();
      for (const socket of webSockets.clients) socket.terminate();
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
}

function app(events: unknown[], { initialized }: RemoteServerOptions): AgentApp {
  const cancels = new Map<string, () => void>();
  return agent({ name: 'remote' })
    .onRequest(methods.agent.initialize, () => ({
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: 'remote', version: '1' },
      agentCapabilities: {},
      ...initialized,
    }))
    .onRequest(methods.agent.authenticate, ({ params }) => {
      events.push({ authenticated: params.methodId });
      return {};
    })
    .onRequest(methods.agent.session.new, () => ({ sessionId: randomUUID() }))
    .onNotification(methods.agent.session.cancel, ({ params }) => cancels.get(params.sessionId)?.())
    .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
      const { sessionId, prompt } = params;
      const [what = '', ...words] = (prompt[0]?.type === 'text' ? prompt[0].text : '').split(' ');
      const rest = words.join(' ');
      const say = (text: string) =>
        client.notify(methods.client.session.update, {
          sessionId,
          update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
        });
      switch (what) {
        case 'stream':
          for (let index = 0; index < 100; index += 1) await say(`${index} `);
          break;
        case 'ask':
          events.push(
            await client.request(methods.client.session.requestPermission, {
              sessionId,
              toolCall: { toolCallId: 'call', title: 'Do it', kind: 'edit', status: 'pending' },
              options: [
                { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
                { optionId: 'no', name: 'Reject', kind: 'reject_once' },
              ],
            }),
          );
          break;
        case 'copy': {
          const [from = '', to = ''] = words;
          const read = { sessionId, path: from };
          const { content } = await client.request<{ content: string }>(
            methods.client.fs.readTextFile,
            read,
          );
          const write = { sessionId, path: to, content: content.toUpperCase() };
          await client.request(methods.client.fs.writeTextFile, write);
          break;
        }
        case 'wait':
          await say('waiting');
          await new Promise<void>(resolve => cancels.set(sessionId, resolve));
          return { stopReason: 'cancelled' };
        default:
          await say(`${what} ${rest}`.trim());
      }
      return { stopReason: 'end_turn' };
    });
}
