/** The scripted model on loopback: answers in whichever API the agent speaks. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropic } from './anthropic';
import type { Conversation, Reply } from './conversation';
import type { Dialect } from './dialect';
import { EventStream } from './eventStream';
import { gemini } from './gemini';
import { asObject, type Json } from './json';
import { openaiChat } from './openaiChat';
import { openaiResponses } from './openaiResponses';
import { replyTo } from './scripts';

const DIALECTS: readonly Dialect[] = [openaiChat, openaiResponses, anthropic, gemini];

/** What agents ask for besides answers. */
const SIDE_ANSWERS: readonly (readonly [RegExp, Json])[] = [
  [/\/messages\/count_tokens$/, { input_tokens: 100 }],
  [/:countTokens$/, { totalTokens: 100 }],
  [
    /\/models(?:\/[^:]*)?$/,
    {
      object: 'list',
      data: [{ id: 'scripted', object: 'model', type: 'model', display_name: 'Scripted' }],
      models: [],
      has_more: false,
    },
  ],
];

export interface Exchange {
  readonly path: string;
  /** Undefined when no dialect knows the path. */
  readonly dialect?: string;
  readonly conversation?: Conversation;
  readonly reply?: Reply;
  /** True once the agent hung up before the answer was complete. */
  hungUp: boolean;
}

export interface ScriptedModel {
  readonly port: number;
  /** Everything asked so far, oldest first. */
  readonly exchanges: readonly Exchange[];
  close(): Promise<void>;
}

/** @param pauseMs between two pieces of a streamed answer. */
export async function startScriptedModel(pauseMs = 10): Promise<ScriptedModel> {
  const exchanges: Exchange[] = [];
  const server = createServer((request, response) => {
    void answer(request, response, exchanges, pauseMs).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    exchanges,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  exchanges: Exchange[],
  pauseMs: number,
): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://localhost').pathname;
  const body = await readBody(request);
  const side = SIDE_ANSWERS.find(([pattern]) => pattern.test(path));
  if (side) return sendJson(response, 200, side[1]);
  const dialect = DIALECTS.find(candidate => candidate.matches(path));
  if (!dialect) {
    exchanges.push({ path, hungUp: false });
    return sendJson(response, 404, { error: { message: 'not found', type: 'not_found' } });
  }
  const conversation = dialect.read(body);
  const reply = replyTo(conversation);
  const exchange: Exchange = { path, dialect: dialect.name, conversation, reply, hungUp: false };
  exchanges.push(exchange);
  response.on('close', () => (exchange.hungUp = !response.writableEnded));
  switch (reply.kind) {
    case 'silence':
      return;
    case 'status': {
      const error = { message: `scripted status ${reply.status}`, type: 'api_error' };
      return sendJson(response, reply.status, { type: 'error', error });
    }
    case 'answer': {
      if (!dialect.wantsStream(body, path)) {
        return sendJson(response, 200, dialect.whole(reply.answer, body));
      }
      const out = new EventStream(response, pauseMs);
      await dialect.stream(reply.answer, body, out);
      await out.end();
    }
  }
}

async function readBody(request: IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    return asObject(JSON.parse(Buffer.concat(chunks).toString('utf8')));
  } catch {
    return {};
  }
}

function sendJson(response: ServerResponse, status: number, body: Json): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
