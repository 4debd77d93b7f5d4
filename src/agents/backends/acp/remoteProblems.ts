/** Failures of agents on other machines in the user's words: what happened, and what to do next. */
import * as l10n from '@vscode/l10n';
import type { WebSocketEnd } from '../../../acp/transport/webSocket';
import { sizeText } from '../../../base/bytes';
import type { Problem } from '../../../session/state/state';
import { problem } from '../../problems';

/** @param url as it may be shown */
export function notReached(
  agent: string,
  url: string,
  end: WebSocketEnd,
  timeoutSeconds: number,
): Problem {
  const [cause, next] = causeAndNext(url, end, timeoutSeconds);
  return problem(end.kind === 'timeout' ? 'timeout' : 'spawnFailed', {
    title: l10n.t('{0} could not be reached', agent),
    detail: [cause, next],
    actions: ['retry', 'editAgents', 'showLog'],
  });
}

/** The server does not speak ACP. @param evidence what was seen instead */
export function notAcpServer(agent: string, evidence: string, output: readonly string[]): Problem {
  return problem('notAcp', {
    title: l10n.t('{0} does not speak the Agent Client Protocol', agent),
    detail: [evidence, l10n.t('Check "url" in the setting "parley.agents".')],
    output,
    actions: ['editAgents', 'retry', 'showLog'],
  });
}

/** @param cause a sentence */
export function closedEarly(agent: string, cause: string, output: readonly string[]): Problem {
  return problem('exitedEarly', {
    title: l10n.t('{0} closed the connection before it was ready', agent),
    detail: [cause, l10n.t('Check that the server runs an ACP agent, then try again.')],
    output,
    actions: ['retry', 'editAgents', 'showLog'],
  });
}

export function noAnswer(agent: string, seconds: number, output: readonly string[]): Problem {
  return problem('timeout', {
    title: l10n.t('{0} did not answer within {1} s', agent, seconds),
    detail: [
      l10n.t('It was connected, but did not answer the first request.'),
      l10n.t('Try again, or allow more time with "parley.timeouts".'),
    ],
    output,
    actions: ['retry', 'showLog', 'editAgents'],
  });
}

/** Why an open connection ended, in a sentence. @param maxMessageBytes the longest that could be received */
export function describeEnd(end: WebSocketEnd, maxMessageBytes: number): string {
  if (end.kind === 'error') {
    return end.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH'
      ? l10n.t(
          'It sent a message longer than {0}. Raise parley.limits.lineBytes, then restart it.',
          sizeText(maxMessageBytes),
        )
      : l10n.t('The connection failed: {0}', end.message);
  }
  if (end.kind !== 'closed' || end.code === CLOSED_ABNORMALLY || end.code === NO_CODE) {
    return l10n.t('The server, or the network between, closed it without a reason.');
  }
  return end.reason === ''
    ? l10n.t('The server closed it with code {0}.', end.code)
    : l10n.t('The server closed it with code {0}: {1}', end.code, end.reason);
}

/** Codes of RFC 6455 for connections that ended without one. */
const NO_CODE = 1005;
const CLOSED_ABNORMALLY = 1006;

function causeAndNext(
  url: string,
  end: WebSocketEnd,
  timeoutSeconds: number,
): readonly [string, string] {
  switch (end.kind) {
    case 'status':
      return [statusCause(url, end.status), statusNext(end.status)];
    case 'timeout':
      return [
        l10n.t('{0} did not answer within {1} s.', url, timeoutSeconds),
        l10n.t('Check the address, or allow more time with "parley.timeouts".'),
      ];
    case 'error':
      return errorText(url, end.code, end.message);
    case 'closed':
      return [
        l10n.t('{0} closed the connection before it was open.', url),
        l10n.t('Check "url" in the setting "parley.agents", then try again.'),
      ];
  }
}

function statusCause(url: string, status: number): string {
  if (status === 401 || status === 403) {
    return l10n.t('{0} refused access (HTTP {1}).', url, status);
  }
  if (status === 404) return l10n.t('There is nothing at {0} (HTTP {1}).', url, status);
  return l10n.t('{0} answered HTTP {1} instead of opening a WebSocket.', url, status);
}

function statusNext(status: number): string {
  return status === 401 || status === 403
    ? l10n.t('Correct "headers" in the setting "parley.agents", then try again.')
    : l10n.t('Check "url" in the setting "parley.agents", then try again.');
}

function errorText(url: string, code: string, message: string): readonly [string, string] {
  const check = l10n.t('Check "url" in the setting "parley.agents", then try again.');
  switch (code) {
    case 'ECONNREFUSED':
      return [l10n.t('Nothing listens at {0}.', url), l10n.t('Start the server, then try again.')];
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return [l10n.t('The host of {0} was not found.', url), check];
    default:
      return [l10n.t('Connecting to {0} failed: {1}', url, message), check];
  }
}
