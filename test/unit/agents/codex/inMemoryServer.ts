/** The server's end of the wire, in memory: says what a test has it say. */
import { PassThrough } from 'node:stream';
import { createInterface } from 'node:readline';
import { AppServer } from '../../../../src/agents/backends/codex/appServer';
import { CodexAgent } from '../../../../src/agents/backends/codex/codexAgent';
import { ProcessTracker } from '../../../../src/agents/process/processTracker';
import { Emitter } from '../../../../src/base/event';

export type Message = Readonly<Record<string, unknown>>;

export const THREAD = 'id-1';

const MODELS = [
  {
    model: 'small',
    displayName: 'Small',
    defaultReasoningEffort: 'low',
    supportedReasoningEfforts: [{ reasoningEffort: 'low' }, { reasoningEffort: 'high' }],
  },
  { model: 'plain', displayName: 'Plain' },
];

/** What the server answers to what it is asked. */
const ANSWERS: Readonly<Record<string, Message>> = {
  'model/list': { data: MODELS },
  'skills/list': {
    data: [{ skills: [{ name: 'polish', description: 'Polishes', path: '/s', enabled: true }] }],
  },
  'turn/start': { turn: { id: 'turn' } },
  'review/start': { turn: { id: 'turn' } },
};

const OPENED = {
  thread: { id: THREAD },
  model: 'small',
  approvalPolicy: 'on-request',
  sandbox: { type: 'workspaceWrite', writableRoots: ['/more'], networkAccess: true },
  reasoningEffort: null,
};

export class InMemoryServer {
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  readonly onStderr = new Emitter<string>().event;
  private readonly lines: Message[] = [];
  private end!: (exit: { readonly code: number; readonly signal: null }) => void;
  readonly drained = new Promise<{ readonly code: number; readonly signal: null }>(done => {
    this.end = done;
  });

  /** @param answers in place of the usual ones: a result, or what is answered as an error */
  constructor(private readonly answers: Readonly<Record<string, Message | Error>> = {}) {
    createInterface({ input: this.stdin }).on('line', line => {
      const message = JSON.parse(line) as Message;
      this.lines.push(message);
      const { id, method } = message;
      if (typeof method !== 'string' || id === undefined) return;
      const isOpening = ['thread/start', 'thread/resume', 'thread/fork'].includes(method);
      const answer = this.answers[method] ?? ANSWERS[method] ?? (isOpening ? OPENED : {});
      const error = answer instanceof Error && { code: -32_600, message: answer.message };
      this.say(error ? { id, error } : { id, result: answer });
    });
  }

  say(message: Message): void {
    this.writeLine(JSON.stringify(message));
  }

  notify(method: string, params: Message): void {
    this.say({ method, params: { threadId: THREAD, ...params } });
  }

  writeLine(line: string): void {
    this.stdout.write(`${line}\n`);
  }

  /** The parameters of the last request of that method that came. */
  received(method: string): Message | undefined {
    const last = this.lines.findLast(line => line['method'] === method);
    return last?.['params'] as Message | undefined;
  }

  /** What was answered to a question of that id. */
  answer(id: unknown): Message | undefined {
    return this.lines.find(line => line['id'] === id && line['method'] === undefined);
  }

  stderrTail(): readonly string[] {
    return [];
  }

  stop(): Promise<void> {
    this.exit(0);
    return Promise.resolve();
  }

  exit(code: number): void {
    this.stdout.end();
    this.end({ code, signal: null });
  }
}

/**
 * An agent with these servers, each started when the one before has ended.
 * @param answer of the client to each request
 */
export function agentWith(
  servers: readonly InMemoryServer[],
  answer: (method: string, params: Message) => Message | Promise<Message> = () => ({}),
) {
  const updates: Message[] = [];
  const notified: string[] = [];
  const left = [...servers];
  const agent = new CodexAgent(
    {
      client: {
        update: (sessionId, update) => {
          const from = sessionId === THREAD ? {} : { of: sessionId };
          updates.push({ ...update, ...from });
          return Promise.resolve();
        },
        notify: method => {
          notified.push(method);
          return Promise.resolve();
        },
        request: async (method, params) => answer(method, params as Message),
      },
      spec: { command: 'codex', args: [], env: {}, cwd: '/w' },
      version: '1.0.0',
      clientVersion: '0.0.0',
      processes: new ProcessTracker(),
      maxLineBytes: () => 1 << 20,
      output: () => undefined,
    },
    (_parts, handlers) => {
      const next = left.shift();
      if (!next) throw new Error('No more servers');
      return Promise.resolve(new AppServer(next, handlers));
    },
  );
  const ask = async (method: string, params: Message = {}) =>
    (await agent.request(
      method,
      { sessionId: THREAD, ...params },
      new AbortController().signal,
    )) as Message;
  return { agent, updates, notified, ask };
}

/** The same, with a session open. */
export async function openSession(
  server = new InMemoryServer(),
  answer?: Parameters<typeof agentWith>[1],
  others: readonly InMemoryServer[] = [],
) {
  const made = agentWith([server, ...others], answer);
  const opened = await made.ask('session/new', { cwd: '/w', mcpServers: [] });
  const prompt = (text = 'go') => made.ask('session/prompt', { prompt: [{ type: 'text', text }] });
  return { ...made, server, opened, prompt };
}
