/** Codes of JSON-RPC, of ACP, and Parley's own for a connection that is gone. */
export const ErrorCode = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  authRequired: -32000,
  resourceNotFound: -32002,
  requestCancelled: -32800,
  /** Never on the wire: the agent has not answered in time. */
  noAnswer: -32098,
  /** Never on the wire: the request cannot be answered because the connection closed. */
  connectionClosed: -32097,
} as const;

/**
 * A failed request, in both directions: what the agent answered, or what a handler wants the agent
 * to get. The only errors that leave to the agent, so `message` and `data` must hold no internals.
 */
export class RequestError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
    this.name = 'RequestError';
  }

  static methodNotFound(method: string): RequestError {
    return new RequestError(ErrorCode.methodNotFound, `Method not found: ${method}`, { method });
  }

  static invalidParams(message: string): RequestError {
    return new RequestError(ErrorCode.invalidParams, message);
  }

  static internal(): RequestError {
    return new RequestError(ErrorCode.internal, 'Internal error');
  }
}
