import { PassThrough, Readable } from 'node:stream';
import { RequestError } from '../../src/acp/rpc/errors';
import type { ClientHandlers } from '../../src/acp/rpc/clientHandlers';
import { AcpConnection } from '../../src/acp/rpc/connection';
import { stdioTransport } from '../../src/acp/transport/stdioTransport';
import type { SessionUpdate } from '../../src/acp/schema/schema';
import { nullLogger } from '../../src/base/logger';
import { Contents } from '../../src/session/translate/contents';
import { initialSession } from '../../src/session/state/initialSession';
import { SessionStore } from '../../src/session/state/store';
import { Translator } from '../../src/session/translate/translate';
import { UpdateCoalescer } from '../../src/session/turns/updateCoalescer';
import { loadTranscript, transcriptPaths } from '../golden/transcript';

export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly note?: string;
}

const PIPE_CHUNK = 64 * 1024;
const ROUNDS = 7;

/**
 * What the wire costs: bytes of `session/update` lines, in chunks as a pipe gives them, through framing,
 * parsing, ordering and guards up to the handler ("wire"), and on through translation and reducer ("state"),
 * against `JSON.parse` of the same lines. A ratio of 1 is as fast as `JSON.parse` alone; the budget is 0.5
 * all the way.
 */
export async function benchWire(): Promise<Row[]> {
  const recorded = recordedUpdates();
  return [
    ...(await compare('recorded updates', repeat(recorded, 8 * 1024 * 1024))),
    ...(await compare('24-character chunks', repeat([chunkOf(24)], 4 * 1024 * 1024))),
    ...(await compare('1 MB tool output', repeat([toolOutput(1024 * 1024)], 32 * 1024 * 1024))),
  ];
}

async function compare(name: string, lines: readonly string[]): Promise<Row[]> {
  const bytes = Buffer.from(lines.map(line => `${line}\n`).join(''));
  const parse: number[] = [];
  const wire: number[] = [];
  const state: number[] = [];
  // In turns, and the best of each: whatever else the machine does hits all alike.
  for (let round = 0; round < ROUNDS; round++) {
    parse.push(parseAlone(bytes));
    wire.push(await throughConnection(bytes, lines.length, () => undefined));
    state.push(await throughConnection(bytes, lines.length, chat()));
  }
  const mebibytes = bytes.length / (1024 * 1024);
  const rows = (what: string, times: readonly number[]): Row[] => [
    {
      name: `${what}, ${name}: speed against JSON.parse`,
      value: Math.min(...parse) / Math.min(...times),
      unit: '×',
    },
    { name: `${what}, ${name}`, value: mebibytes / (Math.min(...times) / 1000), unit: 'MiB/s' },
  ];
  return [...rows('wire', wire), ...rows('state', state)];
}

/**
 * Applies updates to the state of a chat, as a running turn does. Recorded updates come again and again,
 * so a turn ends after as many as are long for one.
 */
export function chat(turn = TURN): (update: SessionUpdate) => void {
  let ids = 0;
  const environment = {
    now: () => ids,
    newId: () => `id${(ids += 1)}`,
    after: () => ({ dispose() {} }),
  };
  const store = new SessionStore(
    initialSession({ chatId: 'c', agentName: 'Agent', cwd: '/w', at: 0 }),
  );
  const translator = new Translator(new Contents(), environment);
  const intake = new UpdateCoalescer(store, translator, environment);
  store.dispatch({ type: 'sessionStarted', sessionId: SESSION });
  let count = 0;
  return update => {
    if (count++ % turn === 0) {
      intake.flush();
      startTurn(store, environment.newId());
    }
    intake.take(update, SESSION);
  };
}

/**
 * What a tool call costs in a turn with very many, each announced and then changed: the last thousands against
 * the first. A ratio of 1 is as quick at the end as at the beginning.
 */
export async function benchToolCalls(): Promise<Row[]> {
  const apply = chat(Infinity);
  const times = Array.from({ length: CALLS / STEP }, (_, step) => {
    const start = process.cpuUsage();
    for (let n = step * STEP; n < (step + 1) * STEP; n++) {
      const toolCallId = `call-${n}`;
      apply({ sessionUpdate: 'tool_call', toolCallId, title: 'Edit', kind: 'edit' });
      apply({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' });
    }
    const { user, system } = process.cpuUsage(start);
    return (user + system) / STEP;
  });
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  return Promise.resolve([
    { name: `call ${CALLS} against the first thousands`, value: last / first, unit: '×' },
    { name: `a call at the end of ${CALLS}`, value: last, unit: 'µs' },
  ]);
}

const CALLS = 50_000;
const STEP = 5_000;
export const SESSION = 's';

/** Updates in a turn; a transcript has a hundred or so. */
const TURN = 1000;

function startTurn(store: SessionStore, turnId: string): void {
  store.dispatch({ type: 'turnEnded', end: { reason: 'end_turn' }, planPartId: 'plan', at: 0 });
  const prompt = { id: turnId, text: 'go', attachments: [] };
  store.dispatch({ type: 'turnStarted', turnId, prompt, at: 0 });
}

/** The least that has to be done: find the lines, decode and parse them. */
function parseAlone(bytes: Buffer): number {
  const start = performance.now();
  let from = 0;
  let parsed = 0;
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
    if (JSON.parse(bytes.toString('utf8', from, end)) !== null) parsed++;
    from = end + 1;
  }
  const time = performance.now() - start;
  if (parsed === 0) throw new Error('nothing was parsed');
  return time;
}

async function throughConnection(
  bytes: Buffer,
  expected: number,
  update: (update: SessionUpdate) => void,
): Promise<number> {
  let handled = 0;
  const stdout = Readable.from(chunksOf(bytes), { objectMode: false });
  const start = performance.now();
  const connection = new AcpConnection(
    stdioTransport(stdout, new PassThrough(), { maxLineBytes: 32 * 1024 * 1024, onJunk() {} }),
    handlersWith(each => {
      handled++;
      update(each);
    }),
    { logger: nullLogger },
  );
  await new Promise<void>(resolve => connection.onDidClose(resolve));
  const time = performance.now() - start;
  connection.dispose();
  if (handled !== expected) throw new Error(`${handled} of ${expected} updates were handled`);
  return time;
}

/** Of a client that is told updates and asked nothing. */
export function handlersWith(update: (update: SessionUpdate) => void): ClientHandlers {
  const refuse = (): Promise<never> => Promise.reject(RequestError.internal());
  return {
    sessionUpdate: params => update(params.update),
    requestPermission: refuse,
    readTextFile: refuse,
    writeTextFile: refuse,
    createTerminal: refuse,
    terminalOutput: refuse,
    waitForTerminalExit: refuse,
    killTerminal: refuse,
    releaseTerminal: refuse,
    createElicitation: refuse,
    completeElicitation() {},
  };
}

function recordedUpdates(): string[] {
  return transcriptPaths()
    .flatMap(path => loadTranscript(path).entries)
    .flatMap(entry =>
      entry.kind === 'notification' && entry.from === 'agent' && entry.method === 'session/update'
        ? [JSON.stringify({ jsonrpc: '2.0', method: entry.method, params: entry.params })]
        : [],
    );
}

function chunkOf(length: number): string {
  return updateLine({
    sessionUpdate: 'agent_message_chunk',
    content: { type: 'text', text: 'x'.repeat(length) },
  });
}

function toolOutput(length: number): string {
  const text = 'a line of output, "quoted"\n'.repeat(Math.ceil(length / 27));
  return updateLine({
    sessionUpdate: 'tool_call_update',
    toolCallId: 'call',
    content: [{ type: 'content', content: { type: 'text', text } }],
  });
}

export function updateLine(update: object): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    method: 'session/update',
    params: { sessionId: '0f5b1d6e-0c4f-4f8e-9a54-0d4f4b5a9c11', update },
  });
}

export function repeat(lines: readonly string[], bytes: number): string[] {
  const repeated: string[] = [];
  for (let size = 0, index = 0; size < bytes; index++) {
    const line = lines[index % lines.length] ?? '';
    repeated.push(line);
    size += line.length + 1;
  }
  return repeated;
}

export function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += PIPE_CHUNK) {
    yield bytes.subarray(from, from + PIPE_CHUNK);
  }
}
