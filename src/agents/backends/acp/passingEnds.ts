/** Which ends of a connection may pass by themselves: a server that restarts, a network that has changed. */
import type { RemoteEnd } from '../../../acp/transport/remoteChannel';

/** Codes of RFC 6455 and its registry by which a server refuses nothing. */
const PASSING_CLOSURES: ReadonlySet<number> = new Set([
  ...[1000, 1001, 1005, 1006],
  // An error of the server, a restart, too much to do, a gateway without an answer.
  ...[1011, 1012, 1013, 1014],
]);

const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** The server has been restarted, and knows nothing of the connection any more. */
const FORGOTTEN: ReadonlySet<number> = new Set([404, 410]);

/** Of the system, and of HTTP/2 connections that break off. */
const PASSING_ERRORS: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'ENETDOWN', 'EHOSTUNREACH', 'EHOSTDOWN'],
  ...['ERR_HTTP2_STREAM_ERROR', 'ERR_HTTP2_SESSION_ERROR', 'ERR_HTTP2_INVALID_SESSION'],
  ...['ERR_HTTP2_GOAWAY_SESSION', 'ERR_HTTP2_STREAM_CANCEL', 'ERR_STREAM_PREMATURE_CLOSE'],
]);

/** Of a connection to an agent that was ready. */
export function mayPass(end: RemoteEnd): boolean {
  return (end.kind === 'status' && FORGOTTEN.has(end.status)) || mayPassEarly(end);
}

/** Of one that was not yet: what is not at an address will not come by itself. */
export function mayPassEarly(end: RemoteEnd): boolean {
  switch (end.kind) {
    case 'timeout':
    case 'silent':
      return true;
    case 'closed':
      return end.code === undefined || PASSING_CLOSURES.has(end.code);
    case 'status':
      return PASSING_STATUSES.has(end.status);
    case 'error':
      return PASSING_ERRORS.has(end.code);
    case 'tooLong':
    case 'notAcp':
      return false;
  }
}
