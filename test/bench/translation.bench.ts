import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { PassThrough } from 'node:stream';
import { AcpConnection } from '../../src/acp/rpc/connection';
import type { SessionUpdate } from '../../src/acp/schema/schema';
import { ReadingPace } from '../../src/acp/transport/readingPace';
import { stdioTransport } from '../../src/acp/transport/stdioTransport';
import { ClaudeSession } from '../../src/agents/backends/claude/claudeSession';
import { CliProcess } from '../../src/agents/backends/claude/cliProcess';
import { AppServer } from '../../src/agents/backends/codex/appServer';
import { CodexAgent } from '../../src/agents/backends/codex/codexAgent';
import {
  inProcessEndpoint,
  type InProcessAgent,
  type InProcessClient,
} from '../../src/agents/backends/inProcess/agentSide';
import { ProcessTracker } from '../../src/agents/process/processTracker';
import { nullLogger } from '../../src/base/logger';
import { InMemoryCli } from '../unit/agents/claude/inMemoryCli';
import { InMemoryServer, THREAD } from '../unit/agents/codex/inMemoryServer';
import { chat, chunksOf, handlersWith, repeat, SESSION, updateLine, type Row } from './wire.bench';

const MEGABYTE = 1024 * 1024;
const ROUNDS = 7;
const SIZE = 4 * MEGABYTE;
const MAX_LINE = 32 * MEGABYTE;
const LAST = 'the last of it';
const PIECE = 'x'.repeat(24);
const PROMPT = [{ type: 'text', text: 'go' }];

interface Direct {
  readonly stdout: PassThrough;
  readonly agent: InProcessAgent;
  begin(): Promise<void>;
}

/** A product that is spoken to without an adapter. */
interface Product {
  readonly start: (client: InProcessClient) => Direct;
  /** What it says, by what that is. */
  readonly says: Readonly<Record<string, readonly string[]>>;
  readonly last: object;
}

/**
 * What a message of Claude Code or Codex costs from their own words to the state of the chat, in processor time of the
 * extension host: against the updates that become of it when an adapter, a process of its own, sends those.
 * A ratio of 1 is no dearer than the adapter.
 */
export async function benchTranslation(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, product] of Object.entries(PRODUCTS)) {
    for (const [what, lines] of Object.entries(product.says)) {
      const said = bytesOf([...repeat(lines, SIZE), JSON.stringify(product.last)]);
      const updates: SessionUpdate[] = [];
      await direct(product, said, update => updates.push(update));
      const adapted = bytesOf(updates.map(update => updateLine(update)));
      const times: { direct: number; adapted: number }[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        times.push({
          direct: await direct(product, said, chat()),
          adapted: await throughAdapter(adapted, chat()),
        });
      }
      const best = (of: 'direct' | 'adapted') => Math.min(...times.map(time => time[of]));
      rows.push({
        name: `${name}, ${what}: against an adapter's updates`,
        value: best('direct') / best('adapted'),
        unit: '×',
        note: `${updates.length} updates, ${best('direct').toFixed(0)} of ${best('adapted').toFixed(0)} ms`,
      });
    }
  }
  return rows;
}

/** A second for each update: no pace is too quick. */
let seconds = 0;

function direct(
  { start }: Product,
  said: Buffer,
  update: (update: SessionUpdate) => void,
): Promise<number> {
  let started: Direct | undefined;
  const endpoint = inProcessEndpoint('Agent', nullLogger, client => {
    started = start(client);
    return started.agent;
  });
  const transport = endpoint.transport({
    maxLineBytes: MAX_LINE,
    onJunk() {},
    tap() {},
    pace: new ReadingPace({ perMinute: () => 0, now: () => (seconds += 1) * 1000, onSlowed() {} }),
  });
  return timed(transport, update, async () => {
    if (!started) throw new Error('It was not started.');
    await started.begin();
    await write(started.stdout, said);
  });
}

function throughAdapter(said: Buffer, update: (update: SessionUpdate) => void): Promise<number> {
  const cli = new InMemoryCli();
  const options = { maxLineBytes: MAX_LINE, onJunk() {} };
  return timed(stdioTransport(cli.stdout, cli.stdin, options), update, () =>
    write(cli.stdout, said),
  );
}

/** Milliseconds until the last of it has come. */
async function timed(
  transport: ReturnType<typeof stdioTransport>,
  update: (update: SessionUpdate) => void,
  say: () => Promise<void>,
): Promise<number> {
  let end: () => void;
  const ended = new Promise<void>(done => (end = done));
  const handlers = handlersWith(each => {
    update(each);
    if ('content' in each && JSON.stringify(each).includes(LAST)) end();
  });
  const connection = new AcpConnection(transport, handlers, { logger: nullLogger });
  const before = process.cpuUsage();
  await say();
  await ended;
  const { user, system } = process.cpuUsage(before);
  connection.dispose();
  return (user + system) / 1000;
}

async function write(stream: PassThrough, bytes: Buffer): Promise<void> {
  for (const chunk of chunksOf(bytes)) {
    if (!stream.write(chunk)) await once(stream, 'drain');
  }
}

function bytesOf(lines: readonly string[]): Buffer {
  return Buffer.from(lines.map(line => `${line}\n`).join(''));
}

const recorded = (file: string, isSaid: (message: Record<string, unknown>) => boolean) =>
  readFileSync(resolve(`test/fixtures/${file}.ndjson`), 'utf8')
    .split('\n')
    .filter(line => line !== '' && isSaid(JSON.parse(line) as Record<string, unknown>));

const PRODUCTS: Readonly<Record<string, Product>> = {
  'Claude Code': {
    start: startClaude,
    says: {
      '24-character pieces': [claudePiece(PIECE)],
      'a recorded session': recorded('streamJson', ({ type }) => !/^control_/.test(String(type))),
    },
    last: { type: 'assistant', message: { content: [{ type: 'text', text: LAST }] } },
  },
  Codex: {
    start: startCodex,
    says: {
      '24-character pieces': [codexPiece(PIECE)],
      'a recorded session': recorded('appServer', ({ id }) => id === undefined),
    },
    last: {
      method: 'item/completed',
      params: { threadId: THREAD, item: { type: 'agentMessage', id: 'last', text: LAST } },
    },
  },
};

/** As the CLI says it, with all that it adds. */
function claudePiece(text: string): string {
  return JSON.stringify({
    type: 'stream_event',
    event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    session_id: '87c76d79-8281-4f23-8965-6acc25efcc41',
    parent_tool_use_id: null,
    uuid: 'c56f1650-04d7-4b83-a3a0-0a8a3c5a9c11',
  });
}

function codexPiece(delta: string): string {
  const params = { threadId: THREAD, turnId: 'turn', itemId: 'message', delta };
  return JSON.stringify({ method: 'item/agentMessage/delta', params });
}

function startClaude(client: InProcessClient): Direct {
  const cli = new InMemoryCli();
  const session = new ClaudeSession(
    {
      id: SESSION,
      cwd: '/w',
      client,
      mayBypass: false,
      maxLineBytes: () => MAX_LINE,
      start: (_args, handlers) => Promise.resolve(new CliProcess(cli, handlers)),
      isStored: () => Promise.resolve(true),
      output() {},
    },
    [],
  );
  return {
    stdout: cli.stdout,
    agent: {
      request: () => Promise.resolve({}),
      notification() {},
      output: () => [],
      stop: () => session.close(),
    },
    async begin() {
      await session.open([]);
      void session.prompt(PROMPT);
    },
  };
}

function startCodex(client: InProcessClient): Direct {
  const server = new InMemoryServer();
  const agent = new CodexAgent(
    {
      client,
      spec: { command: 'codex', args: [], env: {}, cwd: '/w' },
      version: '1.0.0',
      clientVersion: '0.0.0',
      processes: new ProcessTracker(),
      maxLineBytes: () => MAX_LINE,
      output() {},
    },
    (_parts, handlers) => Promise.resolve(new AppServer(server, handlers)),
  );
  const { signal } = new AbortController();
  return {
    stdout: server.stdout,
    agent,
    async begin() {
      await agent.request('session/new', { cwd: '/w', mcpServers: [] }, signal);
      void agent.request('session/prompt', { sessionId: THREAD, prompt: PROMPT }, signal);
    },
  };
}
