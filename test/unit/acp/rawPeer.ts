import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import type { ClientHandlers } from '../../../src/acp/rpc/clientHandlers';
import { AcpConnection } from '../../../src/acp/rpc/connection';
import { RequestError } from '../../../src/acp/rpc/errors';
import { stdioTransport } from '../../../src/acp/transport/stdioTransport';
import type { TrafficTap } from '../../../src/acp/transport/transport';
import type { Logger } from '../../../src/base/logger';

export type Received = Record<string, unknown> & {
  readonly id?: number | string | null;
  readonly method?: string;
};

/** Keeps what was logged as `level: message`, errors with their causes. */
export class RecordingLogger implements Logger {
  readonly entries: string[] = [];
  readonly causes: unknown[] = [];
  trace(message: string): void {
    this.entries.push(`trace: ${message}`);
  }
  debug(message: string): void {
    this.entries.push(`debug: ${message}`);
  }
  info(message: string): void {
    this.entries.push(`info: ${message}`);
  }
  warn(message: string): void {
    this.entries.push(`warn: ${message}`);
  }
  error(message: string, cause?: unknown): void {
    this.entries.push(`error: ${message}`);
    this.causes.push(cause);
  }
  /** Entries of a level, or several. */
  at(...levels: string[]): string[] {
    return this.entries.filter(entry => levels.some(level => entry.startsWith(`${level}: `)));
  }
}

/** Refuses everything and drops updates; override what a test is about. */
export function handlers(overrides: Partial<ClientHandlers> = {}): ClientHandlers {
  const refuse = (): Promise<never> =>
    Promise.reject(RequestError.invalidParams('not part of this test'));
  return {
    sessionUpdate() {},
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
    ...overrides,
  };
}

/** An agent written out by hand: raw lines over a real pair of streams. */
export class RawPeer {
  readonly toClient = new PassThrough();
  readonly toAgent = new PassThrough();
  readonly logger = new RecordingLogger();
  readonly junk: string[] = [];
  readonly connection: AcpConnection;
  private readonly received: Received[] = [];
  private readonly waiting: ((message: Received) => void)[] = [];

  constructor(
    overrides: Partial<ClientHandlers> = {},
    options: { readonly maxLineBytes?: number; readonly tap?: TrafficTap } = {},
  ) {
    createInterface({ input: this.toAgent }).on('line', line => {
      const message = JSON.parse(line) as Received;
      const waiter = this.waiting.shift();
      if (waiter) waiter(message);
      else this.received.push(message);
    });
    this.connection = new AcpConnection(
      stdioTransport(this.toClient, this.toAgent, {
        maxLineBytes: options.maxLineBytes ?? 32 * 1024 * 1024,
        onJunk: line => this.junk.push(line),
        tap: options.tap,
      }),
      handlers(overrides),
      { logger: this.logger },
    );
  }

  /** The next message from the client. */
  next(): Promise<Received> {
    const message = this.received.shift();
    if (message) return Promise.resolve(message);
    return new Promise(resolve => this.waiting.push(resolve));
  }

  /** Sends each as a line, all in one chunk. Strings go as they are. */
  send(...messages: (string | object)[]): void {
    const lines = messages.map(message =>
      typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message }),
    );
    this.toClient.write(lines.map(line => `${line}\n`).join(''));
  }

  /** Sends a request and waits for its response. */
  async ask(method: string, params: unknown, id: number | string = 'ask'): Promise<Received> {
    this.send({ id, method, params });
    return this.next();
  }

  update(update: unknown, sessionId = 's'): void {
    this.send({ method: 'session/update', params: { sessionId, update } });
  }
}

export const text = (value: string): object => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text: value },
});
