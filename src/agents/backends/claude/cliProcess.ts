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
import { OpenRequests } from '../inProcess/openRequests';

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
  private readonly requests = new OpenRequests();
  private readonly ready = new Deferred<void>();

  constructor(
    process: ProgramStreams,
    private readonly handlers: CliHandlers,
  ) {
    this.lines = new JsonLines(process, {
      ...handlers,
      message: message => this.received(message),
    });
    this.ended = this.lines.ended.then(end => {
      this.ready.resolve();
      this.requests.close(end);
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
    if (!this.lines.isOpen) throw await this.ended;
    const id = randomUUID();
    return this.requests.ask(id, () =>
      this.send({ type: 'control_request', request_id: id, request: { subtype, ...fields } }),
    );
  }

  /** Resolves when it has answered, so has read what it was started with, or has ended. Never rejects. */
  get isReady(): Promise<void> {
    return this.ready.promise;
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
        return this.requests.takenBack(text(message['request_id']) ?? '');
      default:
        return this.handlers.message(message);
    }
  }

  private answered(response: Json): void {
    this.ready.resolve();
    const outcome =
      response['subtype'] === 'error'
        ? new Error(text(response['error']) ?? 'The CLI gave no reason.')
        : object(response['response']);
    this.requests.answered(text(response['request_id']) ?? '', outcome);
  }

  private async answer(message: Json): Promise<void> {
    const id = text(message['request_id']);
    if (id === undefined) return;
    const { outcome } = await this.requests.answer(id, signal =>
      this.handlers.asked(object(message['request']), signal),
    );
    const response =
      outcome instanceof Error
        ? { subtype: 'error', request_id: id, error: outcome.message }
        : { subtype: 'success', request_id: id, response: outcome };
    this.send({ type: 'control_response', response });
  }
}
