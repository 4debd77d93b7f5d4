import { Emitter } from '../base/event';
import type { TerminalOutput } from '../session/ports';
import type { KeptOutput } from './keptOutput';
import { OutputBuffer } from './outputBuffer';

/** Output of a command on pipes: kept as it comes. */
export class PipeOutput implements KeptOutput {
  private readonly didOutput = new Emitter<TerminalOutput>();
  readonly onOutput = this.didOutput.event;
  private buffer: OutputBuffer | undefined;

  /** @param limit of what is kept, in bytes */
  constructor(limit: number) {
    this.buffer = new OutputBuffer(limit);
  }

  append(text: string): void {
    this.buffer?.append(text);
    this.didOutput.fire({ data: text });
  }

  finish(): Promise<void> {
    return Promise.resolve();
  }

  snapshot() {
    const { buffer } = this;
    return { output: buffer?.toString() ?? '', truncated: buffer?.truncated ?? false };
  }

  dispose(): void {
    this.buffer = undefined;
    this.didOutput.dispose();
  }
}
