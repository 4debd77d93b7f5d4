/** What goes wrong with an agent that starts or runs, in the user's words. Loaded with the first one. */
import * as l10n from '@vscode/l10n';
import type { Problem } from '../session/state/state';
import { problem } from './problems';
import type { ProcessExit } from './process/agentProcess';
import type { UsedProxy } from './process/proxyEnvironment';

export function commandNotFound(
  agent: string,
  command: string,
  searched: readonly string[],
  isPath: boolean,
): Problem {
  const detail = isPath
    ? [l10n.t('There is no such file: {0}.', searched[0] ?? command)]
    : [l10n.t('"{0}" is not installed or not on your PATH.', command)];
  if (/\s/.test(command)) {
    detail.push(l10n.t('Options belong in "args", one string each, not in "command".'));
  }
  detail.push(
    l10n.t('Install it, or correct "command" in the setting "parley.agents", then try again.'),
  );
  return problem('commandNotFound', {
    title: l10n.t('The program for {0} was not found', agent),
    detail,
    output: isPath ? [] : [l10n.t('Searched in:'), ...searched],
    actions: ['retry', 'editAgents', 'showLog'],
  });
}

export function notExecutable(agent: string, path: string): Problem {
  return problem('spawnFailed', {
    title: l10n.t('{0} could not be started', agent),
    detail: [
      l10n.t('{0} is not executable.', path),
      l10n.t('Make it executable (chmod +x) or correct the setting "parley.agents".'),
    ],
    actions: ['retry', 'editAgents', 'showLog'],
  });
}

/** @param error the system's code, like EACCES, or its message. */
export function spawnFailed(agent: string, command: string, error: string): Problem {
  return problem('spawnFailed', {
    title: l10n.t('{0} could not be started', agent),
    detail: [
      l10n.t('The system could not run {0} ({1}).', command, error),
      l10n.t('Check that it runs in a terminal, then try again.'),
    ],
    actions: ['retry', 'editAgents', 'showLog'],
  });
}

export function exitedEarly(agent: string, exit: ProcessExit, output: readonly string[]): Problem {
  return problem('exitedEarly', {
    title: l10n.t('{0} quit before it was ready', agent),
    detail: [
      describeExit(exit),
      output.length > 0 ? l10n.t('Its last output is below.') : l10n.t('It gave no reason.'),
      l10n.t('Run it in a terminal: it may need another option, a key or a sign-in.'),
    ],
    output,
    actions: ['retry', 'editAgents', 'showLog'],
  });
}

/** @param evidence what was seen instead of ACP. */
export function notAcp(agent: string, evidence: string, output: readonly string[]): Problem {
  return problem('notAcp', {
    title: l10n.t('{0} does not speak the Agent Client Protocol', agent),
    detail: [evidence, l10n.t('Most agents need an option such as "--acp" in "args".')],
    output,
    actions: ['editAgents', 'retry', 'showLog'],
  });
}

/** @param answered the version the agent named, as it named it. */
export function unsupportedVersion(
  agent: string,
  answered: string,
  supported: string,
  output: readonly string[],
): Problem {
  // A date is what the Model Context Protocol has for a version, and its first request is also `initialize`.
  const isMcp = /^\d{4}-\d\d-\d\d$/.test(answered);
  return problem('unsupportedVersion', {
    title: l10n.t('{0} speaks another version of the protocol', agent),
    detail: [
      l10n.t('It answered version {0}; Parley speaks version {1}.', answered, supported),
      isMcp
        ? l10n.t('It looks like an MCP server. Parley needs an ACP agent: correct "parley.agents".')
        : l10n.t('Install a matching version of the agent, or update Parley.'),
    ],
    output,
    actions: ['retry', 'editAgents', 'showLog'],
  });
}

export function initializeRefused(
  agent: string,
  message: string,
  output: readonly string[],
): Problem {
  return problem('spawnFailed', {
    title: l10n.t('{0} could not initialize', agent),
    detail: [
      l10n.t('It answered the first request with an error: {0}', message),
      l10n.t('See the log, then try again.'),
    ],
    output,
    actions: ['retry', 'showLog', 'editAgents'],
  });
}

export function initializeTimeout(
  agent: string,
  seconds: number,
  output: readonly string[],
): Problem {
  return problem('timeout', {
    title: l10n.t('{0} did not answer within {1} s', agent, seconds),
    detail: [
      l10n.t('It did not answer the first request and was stopped.'),
      l10n.t(
        'The first start may be a slow download: try again, or allow more time with "parley.timeouts". If it still does not answer, it may not be an ACP agent or may need an option such as "--acp".',
      ),
    ],
    output,
    actions: ['retry', 'showLog', 'editAgents'],
  });
}

export function crashed(agent: string, exit: ProcessExit, output: readonly string[]): Problem {
  return problem('crashed', {
    title: l10n.t('{0} crashed', agent),
    detail: [
      describeExit(exit),
      l10n.t('Restart it to continue. Your draft and queued messages are kept.'),
    ],
    output,
    actions: ['restart', 'showLog'],
  });
}

/** @param reason why the connection closed although the process runs; absent when its output just ended. */
export function disconnected(
  agent: string,
  reason: string | undefined,
  output: readonly string[],
): Problem {
  return problem('disconnected', {
    title: l10n.t('The connection to {0} was lost', agent),
    detail: [
      reason ?? l10n.t('It closed its output while still running and was stopped.'),
      l10n.t('Restart it to continue. Your draft and queued messages are kept.'),
    ],
    output,
    actions: ['restart', 'showLog'],
  });
}

/** How programs and libraries say that they did not get through. */
const NO_CONNECTION = [
  /\bE(CONN[A-Z]+|NOTFOUND|AI_AGAIN|NETUNREACH|HOSTUNREACH|TIMEDOUT)\b/,
  /\b(fetch failed|getaddrinfo|socket hang up|could not resolve|name or service not known|name resolution)\b/i,
  /\b(network|connect(ion)?|proxy|tunnel(ing)?|ssl|tls)\b.{0,60}\b(error|failed|failure|refused|reset|timed out|closed|could not)\b/i,
  /self.?signed.cert|certificate.verify|unable.to.(get|verify)\b.*\w*cert|\bUNABLE_TO_(GET|VERIFY)_/i,
];

/** `failure` with the proxy that was used, if it is one of the network. */
export function withUsedProxy(failure: Problem, proxy: UsedProxy | undefined): Problem {
  const words = [failure.title, failure.detail, ...failure.output];
  if (!proxy || !words.some(line => NO_CONNECTION.some(one => one.test(line)))) return failure;
  return { ...failure, detail: `${failure.detail} ${describeProxy(proxy)}` };
}

export function describeProxy({ address, from }: UsedProxy): string {
  switch (from) {
    case 'agent':
      return l10n.t('It was given the proxy {0}, from "env" in its settings.', address);
    case 'shell':
      return l10n.t('It was given the proxy {0}, from your login shell.', address);
    case 'setting':
      return l10n.t('It was given the proxy {0}, from the setting "http.proxy".', address);
  }
}

function describeExit(exit: ProcessExit): string {
  if (exit.signal !== null) return l10n.t('It was ended by the signal {0}.', exit.signal);
  return l10n.t('It ended with exit code {0}.', String(exit.code));
}
