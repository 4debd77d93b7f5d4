/** Failures of agents in the user's words: what happened, why, and what to do next. */
import * as l10n from '@vscode/l10n';
import type { Problem, ProblemAction, ProblemKind } from '../session/state/state';

/** Lines of the agent's own words shown with a problem. */
const OUTPUT_LINES = 20;

export function badConfiguration(agent: string, cause: string): Problem {
  return problem('badConfiguration', {
    title: l10n.t('{0} is not configured correctly', agent),
    detail: [cause, l10n.t('Correct the entry in the setting "parley.agents", then try again.')],
    actions: ['editAgents', 'retry'],
  });
}

/** @param error what went wrong, unforeseen. */
export function startFailed(agent: string, error: string): Problem {
  return problem('spawnFailed', {
    title: l10n.t('{0} could not be started', agent),
    detail: [error, l10n.t('See the log, then try again.')],
    actions: ['retry', 'editAgents', 'showLog'],
  });
}

export function crashedTooOften(agent: string, last: Problem): Problem {
  return problem('crashed', {
    title: l10n.t('{0} keeps crashing', agent),
    detail: [
      l10n.t('Parley restarted it three times in three minutes and stopped trying.'),
      l10n.t('See the log for the cause, then restart it.'),
    ],
    output: last.output,
    actions: ['restart', 'showLog', 'editAgents'],
  });
}

/** Stopped on purpose, while something waited for it. */
export function stopped(agent: string): Problem {
  return problem('disconnected', {
    title: l10n.t('{0} was stopped', agent),
    detail: [l10n.t('Restart it to continue.')],
    actions: ['restart', 'showLog'],
  });
}

/** A problem as users see it: `detail` in whole sentences, of `output` the last lines. */
export function problem(
  kind: ProblemKind,
  parts: {
    readonly title: string;
    readonly detail: readonly string[];
    readonly output?: readonly string[];
    readonly actions: readonly ProblemAction[];
  },
): Problem {
  return {
    kind,
    title: parts.title,
    detail: parts.detail.join(' '),
    output: (parts.output ?? []).slice(-OUTPUT_LINES),
    actions: parts.actions,
  };
}
