/** One process of `codex app-server`: JSON-RPC without its version field, a message a line, requests both ways. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Json } from '../../../acp/schema/guards/primitives';
import { AgentProcess, type LaunchSpec } from '../../process/agentProcess';
import type { ProcessTracker } from '../../process/processTracker';
import { number, object, text } from '../inProcess/json';
import {
  JsonLines,
  type LineHandlers,
  type ProgramEnded,
  type ProgramStreams,
} from '../inProcess/jsonLines';
import { OpenRequests } from '../inProcess/openRequests';

export interface ServerHandlers extends Omit<LineHandlers, 'message'> {
  /** Called in the order of arrival; nothing more is read before the promise resolves. Must not throw. */
  notified(method: string, params: Json): Promise<void>;
  /**
   * Answers what the server asks.
   * @param signal aborts when the server does not wait for the answer any more
   * @throws Error what the server is answered
   */
  asked(method: string, params: Json, signal: AbortSignal): Promise<Json>;
}

/** What the server answered instead of a result. */
export class ServerError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
    this.name = 'ServerError';
  }
}

/** The server has too much to do: it may be asked again a little later. */
const OVERLOADED = -32_001;
const PAUSES_MS = [200, 400, 800, 1600];

export class AppServer {
  /** Resolves after all that it said was handled. Never rejects. */
  readonly ended: Promise<ProgramEnded>;
  private readonly lines: JsonLines;
  private readonly requests = new OpenRequests();
  private lastId = 0;

  constructor(
    process: ProgramStreams,
    private readonly handlers: ServerHandlers,
  ) {
    this.lines = new JsonLines(process, {
      ...handlers,
      message: message => this.received(message),
    });
    this.ended = this.lines.ended.then(end => {
      this.requests.close(end);
      return end;
    });
  }

  /** @throws the spawn error (`code` EACCES, ENOENT, …). */
  static async start(
    spec: LaunchSpec,
    processes: ProcessTracker,
    handlers: ServerHandlers,
  ): Promise<AppServer> {
    return new AppServer(await AgentProcess.start(spec, processes), handlers);
  }

  /** @throws ServerError, or ProgramEnded */
  async request(method: string, params: Json = {}): Promise<Json> {
    for (const pauseMs of PAUSES_MS) {
      try {
        return await this.ask(method, params);
      } catch (error) {
        if (!(error instanceof ServerError) || error.code !== OVERLOADED) throw error;
        await pause(pauseMs);
      }
    }
    return this.ask(method, params);
  }

  notify(method: string): void {
    this.lines.write({ method });
  }

  /** Ends it with all it started. Never rejects. */
  stop(): Promise<void> {
    return this.lines.stop();
  }

  private async ask(method: string, params: Json): Promise<Json> {
    if (!this.lines.isOpen) throw await this.ended;
    const id = ++this.lastId;
    return this.requests.ask(keyOf(id), () => this.lines.write({ id, method, params }));
  }

  private async received(message: Json): Promise<void> {
    const method = text(message['method']);
    const { id } = message;
    const params = object(message['params']);
    if (method === undefined) return this.answered(message);
    if (typeof id === 'string' || typeof id === 'number')
      return void this.answer(id, method, params);
    if (method === 'serverRequest/resolved') this.requests.takenBack(keyOf(params['requestId']));
    return this.handlers.notified(method, params);
  }

  private answered({ id, result, error }: Json): void {
    const { code, message } = object(error);
    const outcome =
      error === undefined || error === null
        ? object(result)
        : new ServerError(number(code) ?? 0, text(message) ?? 'Codex gave no reason.');
    this.requests.answered(keyOf(id), outcome);
  }

  private async answer(id: string | number, method: string, params: Json): Promise<void> {
    const { outcome, isTakenBack } = await this.requests.answer(keyOf(id), signal =>
      this.handlers.asked(method, params, signal),
    );
    if (isTakenBack) return;
    const failed = outcome instanceof Error;
    this.lines.write({
      id,
      ...(failed ? { error: { code: -32_601, message: outcome.message } } : { result: outcome }),
    });
  }
}

/** `1` and `"1"` are two. */
function keyOf(id: unknown): string {
  return `${typeof id} ${typeof id === 'string' || typeof id === 'number' ? id : ''}`;
}
