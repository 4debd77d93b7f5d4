/** Why a server was not reached, and what to do about it. */
import * as l10n from '@vscode/l10n';
import type { RemoteEnd } from '../../../acp/transport/remoteChannel';

/** The agent that could not be reached, or was. */
export interface RemoteFacts {
  readonly agent: string;
  /** The address as it may be shown. */
  readonly url: string;
  readonly timeoutSeconds: number;
  /** The longest message that could be received. */
  readonly maxMessageBytes: number;
  /** Names of the values that the user was asked for. */
  readonly inputs: readonly string[];
}

export interface Reason {
  readonly cause: string;
  readonly next: string;
}

/** @returns undefined for a server that was reached */
export function reasonOf(
  end: RemoteEnd,
  { url, timeoutSeconds, inputs }: RemoteFacts,
): Reason | undefined {
  switch (end.kind) {
    case 'status':
      return end.status === 401 && inputs.length > 0
        ? refused(url, inputs)
        : statusReason(url, end.status, end.location);
    case 'timeout':
      return {
        cause: l10n.t('{0} did not answer within {1} s.', url, timeoutSeconds),
        next: l10n.t('Check the address, or allow more time with "parley.timeouts".'),
      };
    case 'error':
      return errorReason(url, end.code, end.message);
    case 'closed':
    case 'silent':
    case 'tooLong':
    case 'notAcp':
      return undefined;
  }
}

/** What was typed in is forgotten by then: see `remoteInputs`. */
function refused(url: string, inputs: readonly string[]): Reason {
  return {
    cause: l10n.t('{0} refused access (HTTP {1}).', url, 401),
    next: l10n.t('Try again, and enter {0} once more.', inputs.join(', ')),
  };
}

function statusReason(url: string, status: number, location: string | undefined): Reason {
  if (status === 401 || status === 403) {
    return {
      cause: l10n.t('{0} refused access (HTTP {1}).', url, status),
      next: l10n.t('Correct "headers" in the setting "parley.agents", then try again.'),
    };
  }
  if (location !== undefined && status >= 300 && status < 400) {
    return {
      // A query may repeat what only the server may know.
      cause: l10n.t('{0} redirects to {1} (HTTP {2}).', url, location, status),
      next: l10n.t('If you trust that address, use it as "url" in "parley.agents".'),
    };
  }
  const cause =
    status === 404
      ? l10n.t('There is nothing at {0} (HTTP {1}).', url, status)
      : l10n.t('{0} answered HTTP {1} instead of connecting.', url, status);
  return { cause, next: checkUrl() };
}

/** What OpenSSL says of certificates that it does not accept. */
const CERTIFICATE_CODES: ReadonlySet<string> = new Set([
  ...['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'CERT_REVOKED', 'CERT_UNTRUSTED'],
  ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ...['UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

function errorReason(url: string, code: string, message: string): Reason {
  if (CERTIFICATE_CODES.has(code)) {
    return {
      cause: l10n.t('The certificate of {0} is not accepted: {1}.', url, message),
      next: l10n.t(
        'Add its issuer to the trusted certificates of this machine, or correct "url", then try again.',
      ),
    };
  }
  switch (code) {
    case 'ECONNREFUSED':
      return {
        cause: l10n.t('Nothing listens at {0}.', url),
        next: l10n.t('Start the server, then try again.'),
      };
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return { cause: l10n.t('The host of {0} was not found.', url), next: checkUrl() };
    case 'EPROTO':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
      return {
        cause: l10n.t('{0} does not speak TLS.', url),
        next: l10n.t(
          'Check "url" in "parley.agents": a server without TLS needs "http:" or "ws:".',
        ),
      };
    default:
      return { cause: l10n.t('Connecting to {0} failed: {1}', url, message), next: checkUrl() };
  }
}

function checkUrl(): string {
  return l10n.t('Check "url" in the setting "parley.agents", then try again.');
}
