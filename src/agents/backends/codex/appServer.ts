/** One process of `codex app-server`: JSON-RPC without its version field, a message a line, requests both ways. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Json } from '../../../acp/schema/guards/primitives';
import { Deferred } from '../../../base/deferred';
import { AgentProcess, type LaunchSpec } from '../../process/agentProcess';
import type { ProcessTracker } from '../../process/processTracker';
import { number, object, text } from '../inProcess/json';
import {
  JsonLines,
  type LineHandlers,
  type ProgramEnded,
  type ProgramStreams,
} from '../inProcess/jsonLines';

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
  private lastId = 0;
  /** Requests of ours that wait for their answer. */
  private readonly asked = new Map<number, Deferred<Json>>();
  /** Requests of the server that wait for ours, by their keys. */
  private readonly answering = new Map<string, AbortController>();

  constructor(
    process: ProgramStreams,
    private readonly handlers: ServerHandlers,
  ) {
    this.lines = new JsonLines(process, {
      maxLineBytes: () => handlers.maxLineBytes(),
      message: message => this.received(message),
      skipped: bytes => handlers.skipped(bytes),
      output: line => handlers.output(line),
    });
    this.ended = this.lines.ended.then(end => {
      this.close(end);
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
    const answer = new Deferred<Json>();
    this.asked.set(id, answer);
    this.lines.write({ id, method, params });
    return answer.promise;
  }

  private async received(message: Json): Promise<void> {
    const method = text(message['method']);
    const { id } = message;
    const params = object(message['params']);
    if (method === undefined) return this.answered(message);
    if (typeof id === 'string' || typeof id === 'number')
      return void this.answer(id, method, params);
    if (method === 'serverRequest/resolved') {
      this.answering.get(keyOf(params['requestId']))?.abort();
    }
    return this.handlers.notified(method, params);
  }

  private answered({ id, result, error }: Json): void {
    const key = number(id) ?? 0;
    const asked = this.asked.get(key);
    this.asked.delete(key);
    if (error === undefined || error === null) return asked?.resolve(object(result));
    const { code, message } = object(error);
    const words = text(message) ?? 'Codex gave no reason.';
    asked?.reject(new ServerError(number(code) ?? 0, words));
  }

  private async answer(id: string | number, method: string, params: Json): Promise<void> {
    const key = keyOf(id);
    const abort = new AbortController();
    this.answering.set(key, abort);
    let answer: Json;
    try {
      answer = { id, result: await this.handlers.asked(method, params, abort.signal) };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      answer = { id, error: { code: -32_601, message } };
    }
    if (this.answering.get(key) === abort) this.answering.delete(key);
    if (!abort.signal.aborted) this.lines.write(answer);
  }

  private close(end: ProgramEnded): void {
    for (const asked of this.asked.values()) asked.reject(end);
    for (const abort of this.answering.values()) abort.abort();
    this.asked.clear();
  }
}

/** `1` and `"1"` are two. */
function keyOf(id: unknown): string {
  return `${typeof id} ${typeof id === 'string' || typeof id === 'number' ? id : ''}`;
}
