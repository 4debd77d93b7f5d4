/** The CLI's end of the wire, in memory: says what a test has it say. */
import { PassThrough } from 'node:stream';
import { createInterface } from 'node:readline';
import { ClaudeSession } from '../../../../src/agents/backends/claude/claudeSession';
import { CliProcess, type CliHandlers } from '../../../../src/agents/backends/claude/cliProcess';
import { Emitter } from '../../../../src/base/event';

type Message = Readonly<Record<string, unknown>>;

export class InMemoryCli {
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  readonly onStderr = new Emitter<string>().event;
  private readonly lines: Message[] = [];
  private end!: (exit: { readonly code: number; readonly signal: null }) => void;
  readonly drained = new Promise<{ readonly code: number; readonly signal: null }>(done => {
    this.end = done;
  });

  /** @param answers false for one that never answers */
  constructor(answers = true) {
    createInterface({ input: this.stdin }).on('line', line => {
      const message = JSON.parse(line) as Message;
      this.lines.push(message);
      // All that Parley asks is answered with what the test says that the CLI offers.
      if (!answers || message['type'] !== 'control_request') return;
      const response = { subtype: 'success', request_id: message['request_id'], response: OFFERS };
      this.say({ type: 'control_response', response });
    });
  }

  say(message: Message): void {
    this.writeLine(JSON.stringify(message));
  }

  writeLine(line: string): void {
    this.stdout.write(`${line}\n`);
  }

  ask(id: string, request: Message): void {
    this.say({ type: 'control_request', request_id: id, request });
  }

  /** The last message of that type that came. */
  received(type: string): Message | undefined {
    return this.lines.findLast(line => line['type'] === type);
  }

  /** What was answered to a question of that id. */
  answer(id: string): Message | undefined {
    const responses = this.lines.flatMap(({ response }) => (isMessage(response) ? [response] : []));
    return responses.find(response => response['request_id'] === id);
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

const OFFERS = {
  commands: [{ name: 'review', description: 'Reviews', argumentHint: '<what>' }],
  models: [
    { value: 'default', displayName: 'Default', supportsAutoMode: true },
    {
      value: 'large',
      displayName: 'Large',
      supportsEffort: true,
      supportedEffortLevels: ['low', 'high'],
    },
  ],
};

/** A session with that CLI, not open yet. @param answer of the client to each request */
export function sessionWith(
  cli: InMemoryCli,
  answer: (method: string, params: Message) => Message = () => ({}),
) {
  const updates: Message[] = [];
  const started: string[][] = [];
  const session = new ClaudeSession(
    {
      id: 'session',
      cwd: '/w',
      mayBypass: false,
      maxLineBytes: () => 1 << 20,
      client: {
        update: (_sessionId, update) => {
          updates.push(update as Message);
          return Promise.resolve();
        },
        notify: () => Promise.resolve(),
        request: (method, params) => Promise.resolve(answer(method, params as Message)),
      },
      start: (args: readonly string[], handlers: CliHandlers) => {
        started.push([...args]);
        return Promise.resolve(new CliProcess(cli, handlers));
      },
      isStored: () => Promise.resolve(true),
      output: () => undefined,
    },
    [],
  );
  return { session, updates, started };
}

/** A session with that CLI. @param answer see `sessionWith` */
export async function openSession(
  cli: InMemoryCli,
  answer?: (method: string, params: Message) => Message,
) {
  const made = sessionWith(cli, answer);
  const opened = (await made.session.open(['--session-id', 'session'])) as Message;
  return { ...made, opened };
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null;
}
