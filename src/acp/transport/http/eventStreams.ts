import type { Readable } from 'node:stream';
import * as l10n from '@vscode/l10n';
import { Deferred } from '../../../base/deferred';
import { endOf, RemoteError, type RemoteEnd } from '../remoteChannel';
import { readEvents } from './eventStream';
import { isOk, type HttpAnswer } from './httpRequests';

export const EVENTS_TYPE = 'text/event-stream';

export interface EventStreamsHooks {
  /** Asks for the stream of that session, or of the connection. */
  get(sessionId: string | undefined): Promise<HttpAnswer>;
  onData(data: string, sessionId: string | undefined): void;
  /** One of them has broken off, or did not begin: nobody can say what was lost with it. */
  onEnd(end: RemoteEnd): void;
}

interface EventStream {
  readonly opened: Promise<void>;
  isWanted: boolean;
  body?: Readable;
}

/** What the server says: a stream of events about each session, and one about the connection itself. */
export class EventStreams {
  private readonly streams = new Map<string | undefined, EventStream>();
  private isPaused = false;

  /** @param maxLength the longest event, in UTF-16 units */
  constructor(
    private readonly hooks: EventStreamsHooks,
    private readonly maxLength: number,
  ) {}

  /** Opens that stream if need be. Resolves when the server has begun it; rejects when it does not. */
  open(sessionId: string | undefined): Promise<void> {
    const known = this.streams.get(sessionId);
    if (known) return known.opened;
    const opened = new Deferred<void>();
    const stream: EventStream = { opened: opened.promise, isWanted: true };
    this.streams.set(sessionId, stream);
    opened.resolve(this.begin(stream, sessionId));
    opened.promise.catch((error: unknown) => this.ended(stream, endOf(error)));
    return opened.promise;
  }

  /** Nothing more is expected on it. */
  close(sessionId: string | undefined): void {
    const stream = this.streams.get(sessionId);
    if (!stream) return;
    stream.isWanted = false;
    stream.body?.destroy();
    this.streams.delete(sessionId);
  }

  closeAll(): void {
    for (const sessionId of [...this.streams.keys()]) this.close(sessionId);
  }

  /** Has the server keep what it says. */
  pause(isPaused: boolean): void {
    if (isPaused === this.isPaused) return;
    this.isPaused = isPaused;
    for (const { body } of this.streams.values()) {
      if (isPaused) body?.pause();
      else body?.resume();
    }
  }

  private async begin(stream: EventStream, sessionId: string | undefined): Promise<void> {
    const answer = await this.hooks.get(sessionId);
    const { body } = answer;
    const refusal = refusalOf(answer);
    if (refusal || !stream.isWanted) body.destroy();
    if (!stream.isWanted) return;
    if (refusal) throw new RemoteError(refusal);
    stream.body = body;
    readEvents(body, this.maxLength, {
      onData: data => {
        if (stream.isWanted) this.hooks.onData(data, sessionId);
      },
      onEnd: end => this.ended(stream, end),
    });
    if (this.isPaused) body.pause();
  }

  private ended(stream: EventStream, end: RemoteEnd): void {
    if (stream.isWanted) this.hooks.onEnd(end);
  }
}

function refusalOf({ status, headers }: HttpAnswer): RemoteEnd | undefined {
  if (!isOk(status)) return { kind: 'status', status };
  const type = headers['content-type'] ?? '';
  if (type.startsWith(EVENTS_TYPE)) return undefined;
  const evidence = l10n.t('It answered "{0}" instead of "{1}".', type, EVENTS_TYPE);
  return { kind: 'notAcp', evidence };
}
