import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/lifecycle';
import type { Disposable } from '../../../base/lifecycle';
import { endingsOnly } from '../../../review/core/lineEndings';
import type { Hunk, PendingFile } from '../../../review/model';
import type { Review } from '../../../review/review';
import { BASELINE_SCHEME, reviewDocument } from '../diff/reviewUris';

/**
 * Keep and Undo above each hunk. On the modified document only, which is in the normal editor, in both
 * modes of the diff editor and in the multi-file diff; a deleted file has an empty document for them.
 */
export class ReviewLenses implements vscode.CodeLensProvider, Disposable {
  private readonly disposables = new DisposableStore();
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  private readonly made = new Map<string, number>();

  constructor(
    private readonly review: Review,
    private readonly scheme = BASELINE_SCHEME,
  ) {
    this.disposables.add(this.changed);
    this.disposables.add(
      vscode.languages.registerCodeLensProvider([{ scheme: 'file' }, { scheme }], this),
    );
    this.disposables.add(review.onDidChange(() => this.changed.fire()));
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const { uri } = document;
    if (uri.scheme !== 'file') return this.ofStandIn(uri);
    const file = this.review.get(uri.fsPath);
    if (!file) return [];
    this.made.set(file.path, this.fetches(file.path) + 1);
    if (file.change === 'deleted') return [];
    if (file.hunks.length === 0) return [...lensesOfWhole(file), ...unclaimedLens(file, 0)];
    return file.hunks.flatMap((hunk, index) => {
      const lenses = lensesOf(file, hunk, index, document);
      const line = lenses[0]?.range.start.line;
      return index > 0 || line === undefined ? lenses : [...lenses, ...unclaimedLens(file, line)];
    });
  }

  /** How often VS Code has fetched lenses of the file. */
  fetches(path: string): number {
    return this.made.get(path) ?? 0;
  }

  dispose(): void {
    this.disposables.dispose();
  }

  /** On a document that stands on the modified side for a file that is gone, or is no text. */
  private ofStandIn(uri: vscode.Uri): vscode.CodeLens[] {
    const shown = reviewDocument(uri, this.scheme);
    const file = shown && this.review.get(shown.path);
    if (!file || shown.side !== (file.change === 'deleted' ? 'gone' : 'is')) return [];
    return [...lensesOfWhole(file), ...unclaimedLens(file, 0)];
  }
}

/** What has no lines to decide on one by one is decided on as a whole, at its top. */
function lensesOfWhole(file: PendingFile): vscode.CodeLens[] {
  const { keep, undo } = wholeTitles(file);
  const target = [vscode.Uri.file(file.path).toString()];
  return lensesAt(
    0,
    { title: keep, command: 'parley.keepFile', arguments: target },
    // There is nothing known to go back to.
    !file.baselineUnknown && { title: undo, command: 'parley.undoFile', arguments: target },
  );
}

function wholeTitles({ change }: PendingFile): { readonly keep: string; readonly undo: string } {
  switch (change) {
    case 'created':
      return { keep: vscode.l10n.t('Keep file'), undo: vscode.l10n.t('Delete file') };
    case 'deleted':
      return { keep: vscode.l10n.t('Keep deletion'), undo: vscode.l10n.t('Restore file') };
    case 'renamed':
      return { keep: vscode.l10n.t('Keep new name'), undo: vscode.l10n.t('Undo renaming') };
    case 'modified':
      return { keep: vscode.l10n.t('Keep'), undo: vscode.l10n.t('Undo') };
  }
}

function lensesOf(
  file: PendingFile,
  hunk: Hunk,
  index: number,
  document: vscode.TextDocument,
): vscode.CodeLens[] {
  const line = Math.min(hunk.current.start, Math.max(0, document.lineCount - 1));
  const target = [vscode.Uri.file(file.path).toString(), hunk.id];
  return lensesAt(
    line,
    {
      title: keepTitle(file, hunk),
      tooltip: vscode.l10n.t('Keep this change of the agent'),
      command: 'parley.keepChange',
      arguments: target,
    },
    {
      title: vscode.l10n.t('Undo'),
      tooltip: vscode.l10n.t('Undo this change of the agent'),
      command: 'parley.undoChange',
      arguments: target,
    },
    file.hunks.length > 1 && {
      title: vscode.l10n.t('{0} of {1}', index + 1, file.hunks.length),
      tooltip: vscode.l10n.t('Next Change'),
      command: 'parley.nextChange',
      arguments: target,
    },
  );
}

/** What no editor shows of the change is said here: deleted lines, and how lines end. */
function keepTitle(file: PendingFile, hunk: Hunk): string {
  if (hunk.current.count === 0) return keepDeletion(hunk.baseline.count);
  const endings = endingsOnly(file, [hunk]);
  return endings === undefined
    ? vscode.l10n.t('Keep')
    : vscode.l10n.t('Keep (line endings only: {0})', endings);
}

function keepDeletion(lines: number): string {
  return lines === 1 ? vscode.l10n.t('Keep (−1 line)') : vscode.l10n.t('Keep (−{0} lines)', lines);
}

/** Above the first hunk of a file that nothing says an agent changed. */
function unclaimedLens({ path, unclaimed }: PendingFile, line: number): vscode.CodeLens[] {
  if (!unclaimed) return [];
  const title = vscode.l10n.t("Not the Agent's");
  const tooltip = vscode.l10n.t('Changed while {0} worked', unclaimed.join(', '));
  const target = [vscode.Uri.file(path).toString()];
  const command = { title, tooltip, command: 'parley.notTheAgents', arguments: target };
  return [new vscode.CodeLens(new vscode.Range(line, 0, line, 0), command)];
}

function lensesAt(
  line: number,
  ...commands: readonly (vscode.Command | false)[]
): vscode.CodeLens[] {
  const range = new vscode.Range(line, 0, line, 0);
  return commands.flatMap(command => (command ? [new vscode.CodeLens(range, command)] : []));
}
