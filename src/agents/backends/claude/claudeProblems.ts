/** Why Claude Code cannot be used, with the next step. */
import * as l10n from '@vscode/l10n';
import type { Problem } from '../../../session/state/state';
import { problem } from '../../problems';

const INSTALL = 'npm install -g @anthropic-ai/claude-code';

/** @param notFound the problem that the search for the command has */
export function notInstalled(notFound: Problem): Problem {
  const next = l10n.t(
    'Install Claude Code with "{0}", or correct "command" in the setting "parley.agents", then try again.',
    INSTALL,
  );
  return { ...notFound, detail: next };
}

export function tooOld(agent: string, version: string, least: string): Problem {
  return problem('unsupportedVersion', {
    title: l10n.t('{0} is too old', agent),
    detail: [
      l10n.t('It is Claude Code {0}; Parley needs {1} or newer.', version, least),
      l10n.t('Update it with "{0}", then try again.', 'claude update'),
    ],
    actions: ['retry', 'editAgents', 'showLog'],
  });
}

/** @param command what was asked for its version  @param output what it wrote instead */
export function notClaude(agent: string, command: string, output: readonly string[]): Problem {
  return problem('notAcp', {
    title: l10n.t('{0} is not Claude Code', agent),
    detail: [
      l10n.t('{0} did not answer with a version of Claude Code.', command),
      l10n.t('Correct "command" in the setting "parley.agents", then try again.'),
    ],
    output,
    actions: ['editAgents', 'retry', 'showLog'],
  });
}
