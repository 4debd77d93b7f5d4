import * as l10n from '@vscode/l10n';
import type { RiskKind, RunsCode } from '../../src/session/state/permission';

/** One sentence on what the piece does and whether Parley can undo it, with the name to put before it. */
export function riskSentence(kind: RiskKind): string {
  switch (kind) {
    case 'deletes':
      return l10n.t('deletes files. Parley cannot undo that.');
    case 'administrator':
      return l10n.t('runs with administrator rights. Parley cannot undo what it does.');
    case 'downloadedScript':
      return l10n.t('runs a script from the internet. Parley cannot undo what it does.');
    case 'rewritesRemote':
      return l10n.t('overwrites history on the server. Parley cannot undo that.');
    case 'discards':
      return l10n.t('throws away uncommitted changes. Parley cannot undo that.');
    case 'disk':
      return l10n.t('writes to a disk directly. Parley cannot undo that.');
    case 'permissions':
      return l10n.t('changes the permissions of many files. Parley cannot undo that.');
    case 'overwritesOutside':
      return l10n.t('writes a file outside the workspace. Parley cannot undo that.');
    case 'publishes':
      return l10n.t('publishes a package for everyone. Parley cannot undo that.');
    case 'shutsDown':
      return l10n.t('shuts this machine down. Parley cannot undo that.');
    default:
      return String(kind satisfies never);
  }
}

/** Why a file that a request names deserves a look, to follow its name. */
export function pathReasons({
  outside,
  runs,
}: {
  readonly outside: boolean;
  readonly runs?: RunsCode | undefined;
}): string {
  return [
    ...(outside ? [l10n.t('outside the workspace')] : []),
    ...(runs ? [runsWords(runs)] : []),
  ].join(', ');
}

function runsWords(runs: RunsCode): string {
  switch (runs) {
    case 'editor':
      return l10n.t('can make the editor run programs');
    case 'git':
      return l10n.t('can make git run programs');
    case 'scripts':
      return l10n.t('runs when the project is built or tested');
    case 'ci':
      return l10n.t('runs on your CI');
    case 'shell':
      return l10n.t('runs in your shells');
    case 'ssh':
      return l10n.t('decides who can log in with SSH');
    case 'agents':
      return l10n.t('decides what agents are allowed to do');
    case 'startup':
      return l10n.t('runs by itself when you log in or at set times');
    case 'listed':
      return l10n.t('is on your list of protected files');
    default:
      return String(runs satisfies never);
  }
}
