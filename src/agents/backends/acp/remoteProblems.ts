/** Failures of agents on other machines in the user's words: what happened, and what to do next. */
import * as l10n from '@vscode/l10n';
import type { RemoteEnd } from '../../../acp/transport/remoteChannel';
import { sizeText } from '../../../base/bytes';
import type { Problem } from '../../../session/state/state';
import { problem } from '../../problems';
import { disconnected } from '../../startProblems';
import { mayPass, mayPassEarly } from './passingEnds';
import { reasonOf, type RemoteFacts } from './remoteReasons';

/** The connection ended before the agent was ready. */
export function endedEarly(
  facts: RemoteFacts,
  end: RemoteEnd,
  output: readonly string[] = [],
): Problem {
  if (end.kind === 'notAcp') return notAcpServer(facts.agent, end.evidence, output);
  const passes = mayPassEarly(end) && { mayPass: true as const };
  const reason = reasonOf(end, facts);
  if (!reason) return { ...closedEarly(facts.agent, describeEnd(end, facts), output), ...passes };
  const unreached = problem(end.kind === 'timeout' ? 'timeout' : 'spawnFailed', {
    title: l10n.t('{0} could not be reached', facts.agent),
    detail: [reason.cause, reason.next],
    output,
    actions: ['retry', 'editAgents', 'showLog'],
  });
  return { ...unreached, ...passes };
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
  const unanswered = problem('timeout', {
    title: l10n.t('{0} did not answer within {1} s', agent, seconds),
    detail: [
      l10n.t('It connected, but did not answer the first request.'),
      l10n.t('Try again, or allow more time with "parley.timeouts".'),
    ],
    output,
    actions: ['retry', 'showLog', 'editAgents'],
  });
  return { ...unanswered, mayPass: true };
}

/** An agent that was ready is gone. */
export function ended(facts: RemoteFacts, end: RemoteEnd, output: readonly string[] = []): Problem {
  const lost = disconnected(facts.agent, describeEnd(end, facts), output);
  return mayPass(end) ? { ...lost, mayPass: true } : lost;
}

/** Why an open connection ended, in a sentence or two. */
function describeEnd(end: RemoteEnd, { url, maxMessageBytes }: RemoteFacts): string {
  switch (end.kind) {
    case 'tooLong':
      return l10n.t(
        'It sent a message longer than {0}. Raise parley.limits.lineBytes, then restart it.',
        sizeText(maxMessageBytes),
      );
    case 'silent':
    case 'timeout':
      return l10n.t('The server or the network no longer answers.');
    case 'error':
      return l10n.t('The connection failed: {0}', end.message);
    case 'notAcp':
      return end.evidence;
    case 'status':
      return describeStatus(end.status, url);
    case 'closed':
      return describeClosing(end.code, end.reason);
  }
}

function describeStatus(status: number, url: string): string {
  switch (status) {
    case 401:
    case 403:
      return l10n.t(
        '{0} refused access (HTTP {1}). Correct "headers" in the setting "parley.agents".',
        url,
        status,
      );
    case 404:
    case 410:
      return l10n.t('The server no longer knows the connection (HTTP {0}).', status);
    default:
      return l10n.t('The server answered HTTP {0}.', status);
  }
}

/** Codes of RFC 6455 for connections that ended without one. */
const NO_CODE = 1005;
const CLOSED_ABNORMALLY = 1006;

function describeClosing(code: number | undefined, reason: string): string {
  if (code === undefined || code === NO_CODE || code === CLOSED_ABNORMALLY) {
    return l10n.t('The server or the network closed it without a reason.');
  }
  return reason === ''
    ? l10n.t('The server closed it with code {0}.', code)
    : l10n.t('The server closed it with code {0}: {1}', code, reason);
}
