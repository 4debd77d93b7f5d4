import { validateHeaderName, validateHeaderValue } from 'node:http';
import * as l10n from '@vscode/l10n';
import { Deferred } from '../../../base/deferred';
import { fieldsOf } from '../../../base/isRecord';
import { ErrorCode } from '../../rpc/errors';
import { AgentMethod } from '../../schema/methods';
import type { NdjsonReaderOptions } from '../ndjsonReader';
import {
  CLOSE_MS,
  endOf,
  MessageLines,
  RemoteError,
  type RemoteChannel,
  type RemoteEnd,
  type RemoteOptions,
} from '../remoteChannel';
import type { Transport } from '../transport';
import { AnswerOrder } from './answerOrder';
import { EventStreams, EVENTS_TYPE } from './eventStreams';
import {
  httpRequests,
  isOk,
  type HttpAnswer,
  type HttpHeaders,
  type HttpRequests,
} from './httpRequests';
import { HttpReader, HttpWriter } from './httpTransport';
import { initializeAnswer } from './initializeAnswer';
import { Routes } from './routes';
import { withoutUser } from './userOfUrl';

export interface HttpOptions extends RemoteOptions {
  /** False where HTTP/2 cannot be had, as through a proxy. */
  readonly triesHttp2: boolean;
}

const CONNECTION_ID = 'acp-connection-id';
const SESSION_ID = 'acp-session-id';
const JSON_TYPE = 'application/json';

/** With one of these the server says that it answers nothing any more, whatever was asked. */
const LAST_STATUSES: ReadonlySet<number> = new Set([401, 403, 404, 410]);

const TOO_LARGE = 413;

/**
 * JSON-RPC over streamable HTTP: a POST for each message to the agent, one after the other, and long GETs of
 * server-sent events for what it says.
 */
export class HttpChannel implements RemoteChannel {
  private readonly lines: MessageLines;
  private readonly routes = new Routes();
  private readonly streams: EventStreams;
  private readonly ended = new Deferred<RemoteEnd>();
  private connectionId: string | undefined;
  /** Settles when everything so far was taken by the server. Never rejects. */
  private sending: Promise<void> = Promise.resolve();
  /** Settles when nothing is left. */
  private left: Promise<void> | undefined;

  readonly closed = this.ended.promise;

  private constructor(
    private readonly requests: HttpRequests,
    private readonly options: RemoteOptions,
  ) {
    const order = new AnswerOrder({
      sessionOf: answer => this.routes.sessionOf(answer),
      ask: (json, sessionId) => this.ask(json, sessionId),
      deliver: json => this.lines.push(Buffer.from(json)),
    });
    this.streams = new EventStreams(
      {
        get: sessionId => this.request('GET', sessionId),
        onData: (data, sessionId) => order.received(data, sessionId),
        onEnd: end => this.end(end),
      },
      options.maxMessageBytes,
    );
    this.lines = new MessageLines(
      () => this.streams.pause(true),
      () => this.streams.pause(false),
    );
    void requests.silence.then(() => this.end({ kind: 'silent' }));
  }

  /** @throws RemoteError; TypeError for headers that cannot be used; the signal's reason when aborted. */
  static async open(
    address: string,
    options: HttpOptions,
    signal: AbortSignal,
  ): Promise<HttpChannel> {
    const { timeoutMs, triesHttp2 } = options;
    const { url, headers } = withoutUser(new URL(address), checkedHeaders(options.headers));
    const expired = new AbortController();
    const timer = setTimeout(() => expired.abort(new RemoteError({ kind: 'timeout' })), timeoutMs);
    try {
      const either = AbortSignal.any([signal, expired.signal]);
      const requests = await httpRequests(url, triesHttp2, either);
      return new HttpChannel(requests, { ...options, headers });
    } finally {
      clearTimeout(timer);
    }
  }

  transport(options: NdjsonReaderOptions): Transport {
    return {
      reader: new HttpReader(this.lines.stream, options, message => this.received(message)),
      writer: new HttpWriter(this, options.tap),
    };
  }

  /** Resolves when the server has taken the message, or the connection has ended. Keeps the order of calls. */
  send(message: object, json: string): Promise<void> {
    this.sending = this.sending
      .then(() => this.post(message, json))
      .catch((error: unknown) => this.end(endOf(error)));
    return this.sending;
  }

  close(): Promise<void> {
    this.end({ kind: 'closed', reason: '' });
    return this.left ?? Promise.resolve();
  }

  private async post(message: object, json: string): Promise<void> {
    if (this.ended.isSettled) return;
    const { id, method } = fieldsOf(message);
    if (method === AgentMethod.initialize) return this.initialize(json);
    const sessionId = this.routes.sent(message);
    // What the session says from now on must have somewhere to go.
    if (sessionId !== undefined) await this.streams.open(sessionId);
    const status = await this.postTo(sessionId, json);
    if (isOk(status)) return;
    const isRequest = method !== undefined && id !== undefined;
    if (LAST_STATUSES.has(status) || !isRequest) throw new RemoteError({ kind: 'status', status });
    const error = { code: ErrorCode.internal, message: refusalText(status) };
    this.lines.push(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, error })));
  }

  /** Begins a connection. One that is there although the agent refuses is left. */
  private async initialize(json: string): Promise<void> {
    const answer = await this.request('POST', undefined, json);
    const { text, isRefusal } = await initializeAnswer(answer, this.options.maxMessageBytes);
    const connectionId = answer.headers[CONNECTION_ID];
    this.connectionId = typeof connectionId === 'string' ? connectionId : undefined;
    if (isRefusal) await this.leave();
    else if (this.connectionId === undefined) {
      const evidence = l10n.t('Its answer has no header "{0}".', 'Acp-Connection-Id');
      throw new RemoteError({ kind: 'notAcp', evidence });
    } else void this.streams.open(undefined);
    this.lines.push(Buffer.from(text));
  }

  /** @throws RemoteError when the server does not take it */
  private async ask(json: string, sessionId: string): Promise<void> {
    const status = await this.postTo(sessionId, json);
    if (!isOk(status)) throw new RemoteError({ kind: 'status', status });
  }

  private received(message: object): void {
    const { opens, closes } = this.routes.received(message);
    if (closes !== undefined) this.streams.close(closes);
    if (opens !== undefined && !this.ended.isSettled) void this.streams.open(opens);
  }

  /** Resolves with the status. */
  private async postTo(sessionId: string | undefined, json: string): Promise<number> {
    const { status, body } = await this.request('POST', sessionId, json);
    body.resume();
    return status;
  }

  private async request(
    method: 'POST' | 'GET' | 'DELETE',
    sessionId?: string,
    json?: string,
  ): Promise<HttpAnswer> {
    const { cookies, headers: configured } = this.options;
    const { connectionId } = this;
    const headers = {
      ...cookies.addTo(configured),
      ...(method === 'GET' && { accept: EVENTS_TYPE }),
      ...(json !== undefined && { accept: JSON_TYPE, 'content-type': JSON_TYPE }),
      ...(connectionId !== undefined && { [CONNECTION_ID]: connectionId }),
      ...(sessionId !== undefined && { [SESSION_ID]: sessionId }),
    };
    const answer = await this.requests.send(method, headers, json);
    cookies.store(answer.headers['set-cookie']);
    return answer;
  }

  private end(end: RemoteEnd): void {
    if (this.ended.isSettled) return;
    this.ended.resolve(end);
    this.streams.closeAll();
    this.lines.end();
    this.left = this.leave().finally(() => this.requests.close());
  }

  /** Says to the server that the connection is not used any more. Never rejects. */
  private async leave(): Promise<void> {
    if (this.connectionId === undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const expired = new Promise<void>(resolve => (timer = setTimeout(resolve, CLOSE_MS)));
    const deleted = this.request('DELETE').then(
      ({ body }) => void body.resume(),
      () => undefined,
    );
    this.connectionId = undefined;
    await Promise.race([deleted, expired]);
    clearTimeout(timer);
  }
}

function refusalText(status: number): string {
  return status === TOO_LARGE
    ? l10n.t('The message is larger than the server allows (HTTP {0}).', status)
    : l10n.t('The server answered HTTP {0}.', status);
}

/** With names in small letters: ours take the place of the user's. @throws TypeError */
function checkedHeaders(headers: HttpHeaders): HttpHeaders {
  const entries = Object.entries(headers);
  for (const [name, value] of entries) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  }
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
}
