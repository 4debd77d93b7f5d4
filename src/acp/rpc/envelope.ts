import type { Message } from 'vscode-jsonrpc';
import { toJson } from '../../base/json';
import { ErrorCode } from './errors';

type Envelope = Record<string, unknown>;

/** What a message is once its envelope is in order; `reject` cannot be handled, with the reason to log. */
export type Admitted =
  | { readonly kind: 'notification'; readonly method: string; readonly message: Message }
  | { readonly kind: 'request'; readonly message: Message }
  | { readonly kind: 'response'; readonly id: number | string; readonly message: Message }
  | { readonly kind: 'reject'; readonly reason: string };

/** Reads parameters and results with the names and ids of the schema. */
export type ReadValue = (value: unknown) => unknown;

/**
 * Puts the envelope of a received message in order. Real agents send ids as numeric strings, leave out
 * `result`, send `error` beside it as null or as a string, and cancel with LSP's method; `vscode-jsonrpc`
 * hangs on or rejects those. Never throws.
 */
export function admit(message: Message, read: ReadValue): Admitted {
  const envelope = message as unknown as Envelope;
  const method = envelope['method'];
  if (typeof method !== 'string') return admitResponse(envelope, read);
  const params = read(asParams(envelope['params']));
  if (params === envelope['params']) return admitCall(envelope, method, message);
  const renamed = { ...envelope, params };
  return admitCall(renamed, method, renamed as unknown as Message);
}

function admitCall(envelope: Envelope, method: string, message: Message): Admitted {
  const id = envelope['id'];
  if (id === undefined || id === null) {
    if (method === '$/cancelRequest') return admitLspCancel(envelope);
    const { id: _, ...rest } = envelope;
    const notification = id === undefined ? message : (rest as unknown as Message);
    return { kind: 'notification', method, message: notification };
  }
  if (isId(id)) return { kind: 'request', message };
  return { kind: 'reject', reason: `the id of its "${method}" is neither a number nor a string` };
}

/** Parameters by their names: JSON-RPC also has a list of them, which can only hold the one object. */
function asParams(params: unknown): unknown {
  return Array.isArray(params) && params.length === 1 && isObject(params[0]) ? params[0] : params;
}

/** LSP's `$/cancelRequest {id}` for ACP's `$/cancel_request {requestId}`. */
function admitLspCancel(envelope: Envelope): Admitted {
  const params = envelope['params'];
  const requestId = isObject(params) ? params['id'] : undefined;
  const method = '$/cancel_request';
  return {
    kind: 'notification',
    method,
    message: { jsonrpc: '2.0', method, params: { requestId } } as Message,
  };
}

function admitResponse(envelope: Envelope, read: ReadValue): Admitted {
  const id = normaliseId(envelope['id']);
  const error = envelope['error'];
  if (!isId(id)) {
    const about = error === undefined || error === null ? '' : `: ${toJson(error)}`;
    return { kind: 'reject', reason: `a response without an id${about}` };
  }
  if (error === undefined || error === null) {
    const result = read(envelope['result']);
    const message = { jsonrpc: '2.0', id, result: result === undefined ? null : result };
    return { kind: 'response', id, message };
  }
  const message = { jsonrpc: '2.0', id, error: normaliseError(error) } as Message;
  return { kind: 'response', id, message };
}

/** Parley's ids are integers, so a numeric string in a response can only mean one of them. */
function normaliseId(id: unknown): unknown {
  return typeof id === 'string' && /^(0|[1-9]\d{0,14})$/.test(id) ? Number(id) : id;
}

function normaliseError(error: unknown): { code: number; message: string; data?: unknown } {
  if (!isObject(error)) {
    return { code: ErrorCode.internal, message: textOf(error) };
  }
  const code = Number(error['code']);
  const data = error['data'];
  return {
    code: Number.isInteger(code) ? code : ErrorCode.internal,
    message: textOf(error['message']),
    ...(data === undefined ? {} : { data }),
  };
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? 'Unknown error' : toJson(value);
}

function isId(value: unknown): value is number | string {
  return typeof value === 'string' || typeof value === 'number';
}

function isObject(value: unknown): value is Envelope {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
