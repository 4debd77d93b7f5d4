import * as l10n from '@vscode/l10n';
import { sizeText } from '../../../base/bytes';

/** The update that says so where a line of a program was too long to be read. */
export function skippedNotice(bytes: number): object {
  const title = l10n.t(
    'A message from the agent was skipped: it was {0}, more than parley.limits.lineBytes allows.',
    sizeText(bytes),
  );
  return { sessionUpdate: 'notice', severity: 'warning', title };
}
