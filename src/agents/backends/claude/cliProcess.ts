/** One process of the CLI: a JSON object a line in both directions, with control requests in both directions. */
import { randomUUID } from 'node:crypto';
import { LineSplitter } from '../../../acp/transport/lineSplitter';
import { isObject, type Json } from '../../../acp/schema/guards/primitives';
import { Deferred } from '../../../base/deferred';
import { AgentProcess, type LaunchSpec, type ProcessExit } from '../../process/agentProcess';
import type { ProcessTracker } from '../../process/processTracker';
import { object, text } from './json';

export interface CliHandlers {
  /** Longest line that is read, in bytes. Read for each line. */
  readonly maxLineBytes: () => number;
  /** Called in the order of arrival; nothing more is read before the promise resolves. Must not throw. */
  message(message: Json): Promise<void>;
  /**
   * Answers what the CLI asks.
   * @param signal aborts when the CLI takes its question back
   * @throws Error what the CLI is answered
   */
  asked(request: Json, signal: AbortSignal): Promise<Json>;
  /** A line was longer than that and was skipped. */
  skipped(bytes: number): void;
  /** A line is no message, or stderr. */
  output(line: string): void;
}

/** What is needed of its process. */
export type CliStreams = Pick<
  AgentProcess,
  'stdin' | 'stdout' | 'onStderr' | 'stderrTail' | 'drained' | 'stop'
>;

/** The CLI has ended, or did so before it answered. */
export class CliEnded extends Error {
  constructor(
    readonly exit: ProcessExit,
    readonly output: readonly string[],
  ) {
    super('The CLI has ended');
    this.name = 'CliEnded';
  }
}

export class CliProcess {
  /** Resolves after all that it said was handled. Never rejects. */
  readonly ended: Promise<CliEnded>;
  /** Requests of ours that wait for their answer. */
  private readonly asked = new Map<string, Deferred<Json>>();
  /** Requests of the CLI that wait for ours. */
  private readonly answering = new Map<string, AbortController>();
  private isOpen = true;

  constructor(
    private readonly process: CliStreams,
    private readonly handlers: CliHandlers,
  ) {
    process.onStderr(line => handlers.output(line));
    const read = this.read();
    this.ended = process.drained.then(async exit => {
      await read;
      const end = new CliEnded(exit, process.stderrTail());
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

  /** @throws CliEnded when nobody reads any more. */
  send(message: Json): void {
    this.write(message);
  }

  /** Asks the CLI. @throws CliEnded, or Error with its words */
  async request(subtype: string, fields: Json = {}): Promise<Json> {
    const id = randomUUID();
    const answer = new Deferred<Json>();
    if (!this.isOpen) throw await this.ended;
    this.asked.set(id, answer);
    this.write({ type: 'control_request', request_id: id, request: { subtype, ...fields } });
    return answer.promise;
  }

  /** Ends it with all it started. Never rejects. */
  stop(): Promise<void> {
    return this.process.stop();
  }

  private write(message: Json): void {
    if (this.isOpen) this.process.stdin.write(`${JSON.stringify(message)}\n`);
  }

  private async read(): Promise<void> {
    const { handlers } = this;
    let handled: Promise<void> = Promise.resolve();
    const lines = new LineSplitter({
      get maxLineBytes() {
        return handlers.maxLineBytes();
      },
      onLine: line => {
        handled = handled.then(() => this.received(line));
      },
      onLongLineBegun: () => undefined,
      onLongLine: ({ bytes }) => handlers.skipped(bytes),
      wantsMore: () => true,
    });
    try {
      for await (const chunk of this.process.stdout) {
        lines.push(chunk as Buffer);
        await handled;
      }
    } catch {
      // A pipe that breaks says no more than the end of the process does.
    }
    lines.end();
    await handled;
  }

  private async received(line: string): Promise<void> {
    const message = parsed(line);
    if (!message) {
      if (line.trim() !== '') this.handlers.output(line);
      return;
    }
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
    this.write({ type: 'control_response', response });
  }

  private close(end: CliEnded): void {
    this.isOpen = false;
    for (const asked of this.asked.values()) asked.reject(end);
    for (const abort of this.answering.values()) abort.abort();
    this.asked.clear();
  }
}

function parsed(line: string): Json | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
