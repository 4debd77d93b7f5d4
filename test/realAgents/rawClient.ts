/**
 * A bare ACP client over a real process: files on disk, commands as child processes, permissions answered
 * by a function. It shows what an agent does without Parley in between.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import * as fs from 'node:fs/promises';
import type * as schema from '../../src/acp/schema/schema';

export interface Launch {
  /** What the program speaks; ACP where nothing is said. */
  readonly type?: 'claude' | 'codex';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface RpcFailure {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** An error answer of the agent. */
export class RpcFailed extends Error {
  constructor(readonly failure: RpcFailure) {
    super(`${failure.code} ${failure.message}`);
  }
}

interface Message {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: RpcFailure;
}

interface Command {
  readonly process: ChildProcess;
  output: string;
  readonly exited: Promise<{ exitCode: number | null; signal: string | null }>;
}

interface Pending {
  readonly method: string;
  readonly settle: (message: Message) => void;
}

type Answer = (request: schema.RequestPermissionRequest) => schema.RequestPermissionOutcome;

export class RawClient {
  readonly updates: schema.SessionUpdate[] = [];
  readonly permissions: schema.RequestPermissionRequest[] = [];
  readonly exited: Promise<number | null>;
  stderr = '';
  /** How permission requests are answered; by default the first option that allows once. */
  answer: Answer = request => choose(request, 'allow_once');

  private readonly events = new EventEmitter();
  private readonly pending = new Map<number, Pending>();
  private readonly commands = new Map<string, Command>();
  private readonly process: ChildProcess;
  private nextId = 0;
  private rest = '';

  /** @param seen hears of every message that the agent sends, and the method that a response answers. */
  constructor(
    launch: Launch,
    cwd: string,
    private readonly seen: (message: Message, answered?: string) => void = () => undefined,
  ) {
    this.process = spawn(launch.command, launch.args, {
      cwd,
      env: { ...process.env, ...launch.env },
      stdio: 'pipe',
      detached: true,
    });
    this.exited = once(this.process, 'exit').then(([code]) => code as number | null);
    this.process.stdout?.setEncoding('utf8').on('data', (chunk: string) => this.read(chunk));
    this.process.stderr?.setEncoding('utf8').on('data', (chunk: string) => (this.stderr += chunk));
    this.process.stdin?.on('error', () => undefined);
    void this.exited.then(code => {
      const error = {
        code: 0,
        message: `exited with ${String(code)}: ${this.stderr.slice(-2000)}`,
      };
      for (const { settle } of this.pending.values()) settle({ error });
      this.pending.clear();
    });
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  /** The agent's prose so far. */
  get text(): string {
    return this.updates
      .map(update =>
        update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text'
          ? update.content.text
          : '',
      )
      .join('');
  }

  /** @throws RpcFailed when the agent answers with an error or goes away. */
  async request<T>(method: string, params: object): Promise<T> {
    const id = this.nextId++;
    const message = await new Promise<Message>(settle => {
      this.pending.set(id, { method, settle });
      this.send({ id, method, params });
    });
    if (message.error) throw new RpcFailed(message.error);
    return message.result as T;
  }

  notify(method: string, params: object): void {
    this.send({ method, params });
  }

  sendLine(line: string): void {
    this.process.stdin?.write(`${line}\n`);
  }

  async initialize(
    capabilities: schema.ClientCapabilities = ALL,
  ): Promise<schema.InitializeResponse> {
    return await this.request('initialize', {
      protocolVersion: 1,
      clientInfo: { name: 'raw-client', title: 'Raw client', version: '1.0.0' },
      clientCapabilities: capabilities,
    });
  }

  async newSession(cwd: string): Promise<schema.NewSessionResponse> {
    return await this.request('session/new', { cwd, mcpServers: [] });
  }

  async prompt(sessionId: string, text: string): Promise<string | undefined> {
    const prompt = [{ type: 'text', text }];
    const response = await this.request<schema.PromptResponse>('session/prompt', {
      sessionId,
      prompt,
    });
    return response.stopReason;
  }

  /** The next update for which `test` holds, or an earlier one. */
  async until(test: (update: schema.SessionUpdate) => boolean): Promise<schema.SessionUpdate> {
    const earlier = this.updates.find(test);
    if (earlier) return earlier;
    for (;;) {
      const [update] = (await once(this.events, 'update')) as [schema.SessionUpdate];
      if (test(update)) return update;
    }
  }

  /** Closes stdin, then ends the process group if that is not enough within `graceMs`. */
  async stop(graceMs = 1000): Promise<void> {
    for (const command of this.commands.values()) killGroup(command.process.pid);
    this.process.stdin?.end();
    const timer = setTimeout(() => killGroup(this.process.pid), graceMs);
    await this.exited;
    clearTimeout(timer);
  }

  private read(chunk: string): void {
    const lines = (this.rest + chunk).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.trim() === '') continue;
      let message: Message;
      try {
        message = JSON.parse(line) as Message;
      } catch {
        continue;
      }
      this.receive(message);
    }
  }

  private receive(message: Message): void {
    if (message.method === undefined) {
      const asked = message.id == null ? undefined : this.pending.get(Number(message.id));
      this.pending.delete(Number(message.id));
      this.seen(message, asked?.method);
      asked?.settle(message);
      return;
    }
    this.seen(message);
    if (message.method === 'session/update') {
      const { update } = message.params as schema.SessionNotification;
      this.updates.push(update);
      this.events.emit('update', update);
      return;
    }
    if (message.id === undefined) return;
    const { id } = message;
    this.carryOut(message.method, message.params).then(
      result => this.send({ id, result }),
      (error: unknown) => this.send({ id, error: asFailure(error) }),
    );
  }

  private async carryOut(method: string, params: unknown): Promise<object> {
    switch (method) {
      case 'session/request_permission': {
        const request = params as schema.RequestPermissionRequest;
        this.permissions.push(request);
        return { outcome: this.answer(request) };
      }
      case 'fs/read_text_file': {
        const { path } = params as schema.ReadTextFileRequest;
        return { content: await fs.readFile(path, 'utf8') };
      }
      case 'fs/write_text_file': {
        const { path, content } = params as schema.WriteTextFileRequest;
        await fs.writeFile(path, content);
        return {};
      }
      case 'terminal/create':
        return { terminalId: this.run(params as schema.CreateTerminalRequest) };
      case 'terminal/output': {
        const { output } = this.command(params);
        return { output, truncated: false };
      }
      case 'terminal/wait_for_exit':
        return await this.command(params).exited;
      case 'terminal/kill':
        killGroup(this.command(params).process.pid);
        return {};
      case 'terminal/release':
        killGroup(this.command(params).process.pid);
        this.commands.delete((params as { terminalId: string }).terminalId);
        return {};
      default:
        throw new RpcFailed({ code: -32601, message: `Unknown method ${method}` });
    }
  }

  private run(request: schema.CreateTerminalRequest): string {
    const { command, args = [], cwd, env = [] } = request;
    const child = spawn(command, args, {
      ...(cwd == null ? {} : { cwd }),
      env: { ...process.env, ...Object.fromEntries(env.map(({ name, value }) => [name, value])) },
      detached: true,
      shell: args.length === 0,
    });
    const exited = new Promise<{ exitCode: number | null; signal: string | null }>(resolve => {
      child.on('close', (exitCode, signal) => resolve({ exitCode, signal }));
      child.on('error', () => resolve({ exitCode: 127, signal: null }));
    });
    const entry: Command = { process: child, output: '', exited };
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (entry.output += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (entry.output += chunk));
    const id = `term-${this.nextId++}`;
    this.commands.set(id, entry);
    return id;
  }

  private command(params: unknown): Command {
    const entry = this.commands.get((params as { terminalId: string }).terminalId);
    if (!entry) throw new RpcFailed({ code: -32002, message: 'There is no such terminal' });
    return entry;
  }

  private send(message: object): void {
    this.sendLine(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }
}

/** Everything that Parley declares too. */
export const ALL: schema.ClientCapabilities = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  session: { configOptions: { boolean: {} }, notices: {} },
};

/** The first option of `kind`; agents name and order theirs as they like. */
export function choose(
  request: schema.RequestPermissionRequest,
  kind: schema.PermissionOptionKind,
): schema.RequestPermissionOutcome {
  const option = request.options.find(candidate => candidate.kind === kind);
  if (!option) throw new Error(`No option ${kind} among ${JSON.stringify(request.options)}`);
  return { outcome: 'selected', optionId: option.optionId };
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}

function asFailure(error: unknown): RpcFailure {
  if (error instanceof RpcFailed) return error.failure;
  const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
  return missing
    ? { code: -32002, message: 'There is no such file' }
    : { code: -32603, message: 'The request failed' };
}
