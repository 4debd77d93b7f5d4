/** Chats over a connection in memory: all that stands between an agent's bytes and the state of a chat. */
import { recordingQuestions } from '../session/questions';
import { PassThrough } from 'node:stream';
import { AcpConnection } from '../../../src/acp/rpc/connection';
import type * as schema from '../../../src/acp/schema/schema';
import { stdioTransport } from '../../../src/acp/transport/stdioTransport';
import { AcpAgentLink } from '../../../src/agents/backends/acp/agentLink';
import { SessionRouter } from '../../../src/agents/backends/acp/sessionRouter';
import { Emitter } from '../../../src/base/event';
import { Chats, type Chat } from '../../../src/session/chats';
import { FileError, TerminalError, type Agent, type AgentStatus } from '../../../src/session/ports';
import type { SessionState } from '../../../src/session/state/state';
import { RecordingLogger, type Received } from './rawPeer';

/** No batch takes this long, in milliseconds; one that does hangs. */
const PATIENCE = 20_000;

export class FuzzWorld {
  readonly logger = new RecordingLogger();
  readonly chats: Chats;
  readonly connection: AcpConnection;
  closed = false;
  private readonly stdout = new PassThrough({ highWaterMark: 1 << 26 });
  private readonly stdin = new PassThrough();
  private readonly answering = new Map<string, (request: Received) => void>();
  private readonly waiting: { readonly test: () => boolean; readonly done: () => void }[] = [];
  private readonly responses = new Map<unknown, Received>();
  private readonly router = new SessionRouter(this.logger);
  private readonly agent: Agent;
  private ids = 0;

  /** @param version of the protocol that is asked for */
  constructor(private readonly version: 1 | 2 = 1) {
    this.connection = new AcpConnection(
      stdioTransport(this.stdout, this.stdin, {
        maxLineBytes: 32 * 1024 * 1024,
        onJunk() {},
        tap: ({ direction, json }) => {
          if (direction === 'send') this.sent(JSON.parse(json) as Received);
        },
      }),
      this.router,
      { logger: this.logger },
    );
    this.connection.onDidClose(() => {
      this.closed = true;
      this.check();
    });
    this.stdin.resume();
    this.agent = this.makeAgent();
    this.chats = new Chats({
      files: {
        realPath: path => path,
        read: () => Promise.resolve({ text: 'text', edits: 0 }),
        write: path => Promise.reject(new FileError('readOnly', `${path} is read-only`)),
      },
      // What is made up here must not be run.
      terminals: { create: () => Promise.reject(new TerminalError('No such command')) },
      mirror: { attach: () => ({ dispose() {} }), reveal() {} },
      attachments: { resolve: () => Promise.resolve([]) },
      environment: {
        now: () => this.ids,
        newId: () => `id${(this.ids += 1)}`,
        after: () => ({ dispose() {} }),
      },
      settings: { newSessionSeconds: () => 60, mcpServers: () => Promise.resolve([]) },
      logger: this.logger,
      agent: () => this.agent,
      questions: recordingQuestions(),
      place: () => ({ cwd: '/w', additionalDirectories: [], roots: ['/w'] }),
    });
  }

  /** Has requests of `method` answered; others are answered `{}`. */
  on(method: string, answer: (request: Received) => void): void {
    this.answering.set(method, answer);
  }

  write(bytes: Buffer | string): void {
    this.stdout.write(bytes);
  }

  send(message: object): void {
    this.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** The response to a request of the agent's, once there is one. */
  response(id: string): Received | undefined {
    return this.responses.get(id);
  }

  newChat(): Chat {
    const chat = this.chats.create('Agent');
    if (!chat) throw new Error('No chat');
    chat.store.onDidApply(() => queueMicrotask(() => this.check()));
    return chat;
  }

  /** Resolves when `condition` holds; rejects when it does not come to hold. */
  async until(what: string, condition: () => boolean): Promise<void> {
    if (condition()) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        this.waiting.push({ test: condition, done: resolve });
        timer = setTimeout(() => reject(new Error(`It hangs: ${what}`)), PATIENCE);
      });
    } finally {
      clearTimeout(timer);
    }
    if (this.closed) throw new Error(`The connection closed: ${this.connection.closeReason}`);
  }

  dispose(): void {
    this.chats.dispose();
    this.connection.dispose();
    this.stdout.destroy();
  }

  private check(): void {
    for (const waiter of [...this.waiting]) {
      if (!this.closed && !waiter.test()) continue;
      this.waiting.splice(this.waiting.indexOf(waiter), 1);
      waiter.done();
    }
  }

  private sent(message: Received): void {
    const { id, method } = message;
    if (method === undefined) {
      if (typeof id === 'string' && id.startsWith('check')) this.responses.set(id, message);
      this.check();
    } else if (id !== undefined) {
      const answer = this.answering.get(method);
      if (answer) answer(message);
      else this.send({ id, result: {} });
    }
  }

  private makeAgent(): Agent {
    let status: AgentStatus = { kind: 'stopped' };
    let link: Promise<AcpAgentLink> | undefined;
    const initialize = async (): Promise<AcpAgentLink> => {
      const params: schema.InitializeRequest = { protocolVersion: this.version };
      const initialized = await this.connection.initialize(params);
      const made = new AcpAgentLink(this.connection, this.router, initialized);
      status = { kind: 'ready', link: made };
      return made;
    };
    return {
      name: 'Agent',
      get status() {
        return status;
      },
      onDidChangeStatus: new Emitter<AgentStatus>().event,
      connect: () => (link ??= initialize()),
      lease: () => ({ use() {}, dispose() {} }),
      stop: () => Promise.resolve(),
      authMethods: () => [],
      signIn: () => Promise.resolve(false),
      signOut: () => Promise.resolve(),
    };
  }
}

/** Whether some part of the chat says `text`. */
export function shows({ turns, activeTurn }: SessionState, text: string): boolean {
  const last = activeTurn ?? turns.at(-1);
  return last?.parts.some(part => part.kind === 'text' && part.text.includes(text)) === true;
}
