import * as l10n from '@vscode/l10n';
import type { RiskKind } from '../../src/shared/commandRisks';

export { riskyPieces } from '../../src/shared/commandRisks';
export type { Risk } from '../../src/shared/commandRisks';

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
