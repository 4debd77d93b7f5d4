import { finished, type Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { createParser } from 'eventsource-parser';
import { endOf, type RemoteEnd } from '../remoteChannel';

export interface EventStreamHooks {
  /** The data of one event. */
  onData(data: string): void;
  /** Nothing more comes. Called once. */
  onEnd(end: RemoteEnd): void;
}

/** A stream that broke off says no more than one that was closed. */
const CLOSED_CODES: ReadonlySet<string> = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Reads server-sent events. @param maxLength the longest event, in UTF-16 units */
export function readEvents(body: Readable, maxLength: number, hooks: EventStreamHooks): void {
  const decoder = new StringDecoder();
  let isTooLong = false;
  const parser = createParser({
    maxBufferSize: maxLength,
    onEvent: ({ data }) => hooks.onData(data),
    onError: ({ type }) => (isTooLong ||= type === 'max-buffer-size-exceeded'),
  });
  body.on('data', (chunk: Buffer) => {
    if (isTooLong) return;
    parser.feed(decoder.write(chunk));
    if (isTooLong) body.destroy();
  });
  finished(body, error => {
    if (isTooLong) hooks.onEnd({ kind: 'tooLong' });
    else hooks.onEnd(endOfStream(error));
  });
}

function endOfStream(error: unknown): RemoteEnd {
  const closed: RemoteEnd = { kind: 'closed', reason: '' };
  if (error === null || error === undefined) return closed;
  const end = endOf(error);
  return end.kind === 'error' && CLOSED_CODES.has(end.code) ? closed : end;
}
