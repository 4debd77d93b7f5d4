/** One process of the CLI: a JSON object a line in both directions, with control requests in both directions. */
import { randomUUID } from 'node:crypto';
import type { Json } from '../../../acp/schema/guards/primitives';
import { Deferred } from '../../../base/deferred';
import { AgentProcess, type LaunchSpec } from '../../process/agentProcess';
import type { ProcessTracker } from '../../process/processTracker';
import {
  JsonLines,
  type LineHandlers,
  type ProgramEnded,
  type ProgramStreams,
} from '../inProcess/jsonLines';
import { object, text } from '../inProcess/json';

export interface CliHandlers extends LineHandlers {
  /** Not those of control requests. */
  message(message: Json): Promise<void>;
  /**
   * Answers what the CLI asks.
   * @param signal aborts when the CLI takes its question back
   * @throws Error what the CLI is answered
   */
  asked(request: Json, signal: AbortSignal): Promise<Json>;
}

export class CliProcess {
  /** Resolves after all that it said was handled. Never rejects. */
  readonly ended: Promise<ProgramEnded>;
  private readonly lines: JsonLines;
  /** Requests of ours that wait for their answer. */
  private readonly asked = new Map<string, Deferred<Json>>();
  private readonly ready = new Deferred<void>();
  /** Requests of the CLI that wait for ours. */
  private readonly answering = new Map<string, AbortController>();

  constructor(
    process: ProgramStreams,
    private readonly handlers: CliHandlers,
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
    handlers: CliHandlers,
  ): Promise<CliProcess> {
    return new CliProcess(await AgentProcess.start(spec, processes), handlers);
  }

  /** Does nothing when nobody reads any more. */
  send(message: Json): void {
    this.lines.write(message);
  }

  /** Asks the CLI. @throws ProgramEnded, or Error with its words */
  async request(subtype: string, fields: Json = {}): Promise<Json> {
    const id = randomUUID();
    const answer = new Deferred<Json>();
    if (!this.lines.isOpen) throw await this.ended;
    this.asked.set(id, answer);
    this.send({ type: 'control_request', request_id: id, request: { subtype, ...fields } });
    return answer.promise;
  }

  /** Ends it with all it started. Never rejects. */
  stop(): Promise<void> {
    return this.lines.stop();
  }

  private async received(message: Json): Promise<void> {
    switch (message['type']) {
      case 'control_response':
        return this.answered(object(message['response']));
      case 'control_request':
        return void this.answer(message);
      case 'control_cancel_request':
        return this.answering.get(text(message['request_id']) ?? '')?.abort();
      default:
        return this.handlers.message(message);
    }
  }

  private answered(response: Json): void {
    this.ready.resolve();
    const id = text(response['request_id']) ?? '';
    const asked = this.asked.get(id);
    this.asked.delete(id);
    if (response['subtype'] === 'error') {
      asked?.reject(new Error(text(response['error']) ?? 'The CLI gave no reason.'));
    } else {
      asked?.resolve(object(response['response']));
    }
  }

  private async answer(message: Json): Promise<void> {
    const id = text(message['request_id']);
    if (id === undefined) return;
    const abort = new AbortController();
    this.answering.set(id, abort);
    let response: Json;
    try {
      const answer = await this.handlers.asked(object(message['request']), abort.signal);
      response = { subtype: 'success', request_id: id, response: answer };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      response = { subtype: 'error', request_id: id, error: reason };
    }
    this.answering.delete(id);
    this.send({ type: 'control_response', response });
  }

  /** Resolves when it has answered, so has read what it was started with, or has ended. Never rejects. */
  get isReady(): Promise<void> {
    return this.ready.promise;
  }

  private close(end: ProgramEnded): void {
    this.ready.resolve();
    for (const asked of this.asked.values()) asked.reject(end);
    for (const abort of this.answering.values()) abort.abort();
    this.asked.clear();
  }
}
