/** Changes that no diff shows: the lines say the same and end otherwise. Pure. */
import * as l10n from '@vscode/l10n';
import { linesOf } from './lines';
import type { Hunk, PendingFile } from '../model';

/** How lines end; `mixed`: not all alike. */
type Ending = 'LF' | 'CRLF' | 'none' | 'mixed';

/** How the line endings changed if nothing else did, in few words such as "LF → CRLF"; undefined otherwise. */
export function endingsOnly(
  file: Pick<PendingFile, 'baseline' | 'current'>,
  hunks: readonly Hunk[],
): string | undefined {
  if (hunks.length === 0) return undefined;
  const endings = { before: new Set<string>(), after: new Set<string>() };
  for (const { baseline, current } of hunks) {
    if (baseline.count !== current.count) return undefined;
    const before = linesOf(file.baseline);
    const after = linesOf(file.current);
    for (let index = 0; index < baseline.count; index++) {
      const was = before[baseline.start + index] ?? '';
      const is = after[current.start + index] ?? '';
      if (bare(was) !== bare(is)) return undefined;
      endings.before.add(endingOf(was));
      endings.after.add(endingOf(is));
    }
  }
  return inWords(common(endings.before), common(endings.after));
}

function inWords(before: Ending, after: Ending): string {
  if (before === 'none') return l10n.t('line break at the end added');
  if (after === 'none') return l10n.t('line break at the end removed');
  return l10n.t('{0} → {1}', name(before), name(after));
}

function name(ending: Ending): string {
  return ending === 'mixed' ? l10n.t('mixed') : ending;
}

/** A last line may have no ending on both sides: it says nothing then. */
function common(endings: ReadonlySet<string>): Ending {
  const found = [...endings].filter(ending => ending !== '' || endings.size === 1);
  if (found.length !== 1) return 'mixed';
  const [only] = found;
  return only === '\n' ? 'LF' : only === '\r\n' ? 'CRLF' : 'none';
}

function bare(line: string): string {
  return line.slice(0, line.length - endingOf(line).length);
}

function endingOf(line: string): string {
  if (line.endsWith('\r\n')) return '\r\n';
  return line.endsWith('\n') ? '\n' : '';
}
