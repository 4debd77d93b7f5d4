/** A program that speaks in lines of JSON in both directions. */
import { LineSplitter } from '../../../acp/transport/lineSplitter';
import { isObject, type Json } from '../../../acp/schema/guards/primitives';
import { toJson } from '../../../base/json';
import type { AgentProcess, ProcessExit } from '../../process/agentProcess';

export interface LineHandlers {
  /** Longest line that is read, in bytes. Read for each line. */
  readonly maxLineBytes: () => number;
  /** Called in the order of arrival; nothing more is read before the promise resolves. Must not throw. */
  message(message: Json): Promise<void> | void;
  /** A line was longer than that and was skipped. */
  skipped(bytes: number): void;
  /** A line is no message, or stderr. */
  output(line: string): void;
}

/** What is needed of its process. */
export type ProgramStreams = Pick<
  AgentProcess,
  'stdin' | 'stdout' | 'onStderr' | 'stderrTail' | 'drained' | 'stop'
>;

/** The program has ended, or did so before it answered. */
export class ProgramEnded extends Error {
  constructor(
    readonly exit: ProcessExit,
    readonly output: readonly string[],
  ) {
    super('The program has ended');
    this.name = 'ProgramEnded';
  }
}

export class JsonLines {
  /** Resolves after all that it said was handled. Never rejects. */
  readonly ended: Promise<ProgramEnded>;
  private open = true;

  constructor(
    private readonly process: ProgramStreams,
    private readonly handlers: LineHandlers,
  ) {
    process.onStderr(line => handlers.output(line));
    const read = this.read();
    this.ended = process.drained.then(async exit => {
      await read;
      this.open = false;
      return new ProgramEnded(exit, process.stderrTail());
    });
  }

  get isOpen(): boolean {
    return this.open;
  }

  /** Does nothing when nobody reads any more. */
  write(message: Json): void {
    if (this.open) this.process.stdin.write(`${toJson(message)}\n`);
  }

  /** Ends it with all it started. Never rejects. */
  stop(): Promise<void> {
    return this.process.stop();
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
    if (message) await this.handlers.message(message);
    else if (line.trim() !== '') this.handlers.output(line);
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
