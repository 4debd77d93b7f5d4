/**
 * A small JSON-RPC 2.0 peer over newline-delimited JSON. The demo agent has its own on purpose: it is the
 * other side of the protocol, so it must not share the code it is there to exercise.
 */
import { StringDecoder } from 'node:string_decoder';
import type { Readable, Writable } from 'node:stream';

export type Params = Readonly<Record<string, unknown>>;
/** Answers a request or takes a notification; `signal` fires when the other side cancels the request. */
export type Handler = (params: Params, signal: AbortSignal) => unknown;

/** An error that goes over the wire as it is. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
    this.name = 'RpcError';
  }
}

/** Thrown out of a wait when the turn it belongs to was cancelled. */
export class Cancelled extends Error {
  constructor() {
    super('cancelled');
    this.name = 'Cancelled';
  }
}

export const ErrorCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  requestCancelled: -32800,
  notFound: -32002,
} as const;

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class Peer {
  private readonly handlers = new Map<string, Handler>();
  private readonly pending = new Map<number, Pending>();
  private readonly running = new Map<unknown, AbortController>();
  private nextId = 0;

  constructor(private readonly output: Writable) {}

  /** Sets what answers `method`, be it a request or a notification. */
  on(method: string, handler: Handler): void {
    this.handlers.set(method, handler);
  }

  /** Reads messages until `input` ends. */
  listen(input: Readable): Promise<void> {
    const decoder = new StringDecoder('utf8');
    let rest = '';
    return new Promise(resolve => {
      input.on('data', (chunk: Buffer) => {
        const lines = (rest + decoder.write(chunk)).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) this.receive(line);
      });
      input.on('close', resolve);
      input.on('end', resolve);
    });
  }

  notify(method: string, params: object): void {
    this.send({ method, params });
  }

  /** @throws RpcError when the other side answers with an error; Cancelled when `signal` fires first. */
  request<T>(method: string, params: object, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted) return Promise.reject(new Cancelled());
    const id = this.nextId++;
    return new Promise<T>((resolve, reject) => {
      const abort = (): void => {
        this.pending.delete(id);
        reject(new Cancelled());
      };
      signal?.addEventListener('abort', abort, { once: true });
      const settle = (): void => signal?.removeEventListener('abort', abort);
      this.pending.set(id, {
        resolve: result => {
          settle();
          resolve(result as T);
        },
        reject: error => {
          settle();
          reject(error);
        },
      });
      this.send({ id, method, params });
    });
  }

  private receive(line: string): void {
    if (line.trim() === '') return;
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      this.send({ id: null, error: { code: ErrorCode.parseError, message: 'Not JSON' } });
      return;
    }
    if (typeof message !== 'object' || message === null || Array.isArray(message)) {
      const error = { code: ErrorCode.invalidRequest, message: 'Expected one JSON object a line' };
      this.send({ id: null, error });
      return;
    }
    const fields = message as Params;
    if (typeof fields['method'] === 'string') this.dispatch(fields['method'], fields);
    else this.settle(fields);
  }

  private settle(message: Params): void {
    const id = message['id'];
    if (typeof id !== 'number') return;
    const entry = this.pending.get(id);
    this.pending.delete(id);
    const error = message['error'] as
      { code?: number; message?: string; data?: unknown } | undefined;
    if (error) {
      const { code = ErrorCode.internalError, message: text = 'The request failed' } = error;
      entry?.reject(new RpcError(code, text, error.data));
    } else {
      entry?.resolve(message['result'] ?? {});
    }
  }

  private dispatch(method: string, message: Params): void {
    const params = (message['params'] ?? {}) as Params;
    if (method === '$/cancel_request') {
      this.running.get(params['requestId'])?.abort();
      return;
    }
    const id = message['id'];
    const handler = this.handlers.get(method);
    const controller = new AbortController();
    if (id === undefined) {
      if (handler) void this.run(handler, params, controller.signal).catch(() => undefined);
      return;
    }
    if (!handler) {
      const error = { code: ErrorCode.methodNotFound, message: `Unknown method ${method}` };
      this.send({ id, error });
      return;
    }
    this.running.set(id, controller);
    this.run(handler, params, controller.signal)
      .then(
        result => this.send({ id, result: result ?? {} }),
        (error: unknown) => this.send({ id, error: describe(error) }),
      )
      .finally(() => this.running.delete(id));
  }

  private async run(handler: Handler, params: Params, signal: AbortSignal): Promise<unknown> {
    return await handler(params, signal);
  }

  private send(message: object): void {
    this.output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}

function describe(error: unknown): { code: number; message: string; data?: unknown } {
  if (error instanceof RpcError) {
    const { code, message, data } = error;
    return data === undefined ? { code, message } : { code, message, data };
  }
  if (error instanceof Cancelled) return { code: ErrorCode.requestCancelled, message: 'Cancelled' };
  process.stderr.write(
    `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return { code: ErrorCode.internalError, message: 'The demo agent made a mistake; see its log' };
}
