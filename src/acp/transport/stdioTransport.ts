import type { Readable, Writable } from 'node:stream';
import { Framing, type KnownFraming } from './framing';
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
  /** What was learned of the agent's framing before; what is learned now is put there. */
  readonly framing?: KnownFraming | undefined;
  /** Milliseconds without a message after which the other framing is tried too. */
  readonly framingPatienceMs?: number | undefined;
}

/** JSON messages over an agent's stdout and stdin. Ending the process is the caller's business. */
export function stdioTransport(
  stdout: Readable,
  stdin: Writable,
  options: StdioTransportOptions,
): Transport {
  const framing = new Framing(options.framing, options.framingPatienceMs);
  return {
    reader: new NdjsonReader(stdout, options, framing),
    writer: new NdjsonWriter(stdin, options.tap, framing),
  };
}
