import type { Readable, Writable } from 'node:stream';
import { NdjsonReader } from './ndjsonReader';
import { NdjsonWriter } from './ndjsonWriter';
import type { ReadingPace } from './readingPace';
import type { TrafficTap, Transport } from './transport';

export interface StdioTransportOptions {
  /** Longest line that is read, in bytes (`parley.limits.lineBytes`). Asked for each line. */
  readonly maxLineBytes: number;
  /** A line on stdout that is no message. */
  onJunk(line: string): void;
  readonly tap?: TrafficTap | undefined;
  readonly pace?: ReadingPace | undefined;
}

/** JSON messages over an agent's stdout and stdin. Ending the process is the caller's business. */
export function stdioTransport(
  stdout: Readable,
  stdin: Writable,
  options: StdioTransportOptions,
): Transport {
  return {
    reader: new NdjsonReader(stdout, options),
    writer: new NdjsonWriter(stdin, options.tap),
  };
}
