import * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifecycle';
import type { Disposable } from '../../base/lifecycle';
import type { Hunk, PendingFile } from '../../review/model';
import type { Review } from '../../review/review';
import { BASELINE_SCHEME, reviewDocument } from './reviewUris';

/**
 * Keep and Undo above each hunk. On the modified document only, which is in the normal editor, in both
 * modes of the diff editor and in the multi-file diff; a deleted file has an empty document for them.
 */
export class ReviewLenses implements vscode.CodeLensProvider, Disposable {
  private readonly disposables = new DisposableStore();
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;

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
    if (uri.scheme !== 'file') return this.ofDeleted(uri);
    const file = this.review.get(uri.fsPath);
    if (!file || file.change === 'deleted') return [];
    return file.hunks.flatMap(hunk => lensesOf(file, hunk, document));
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private ofDeleted(uri: vscode.Uri): vscode.CodeLens[] {
    const shown = reviewDocument(uri, this.scheme);
    if (shown?.side !== 'gone' || this.review.get(shown.path)?.change !== 'deleted') return [];
    const target = [vscode.Uri.file(shown.path).toString()];
    return lensPair(
      0,
      { title: vscode.l10n.t('Keep deletion'), command: 'parley.keepFile', arguments: target },
      { title: vscode.l10n.t('Restore file'), command: 'parley.undoFile', arguments: target },
    );
  }
}

function lensesOf(
  { path }: PendingFile,
  { id, current, baseline }: Hunk,
  document: vscode.TextDocument,
): vscode.CodeLens[] {
  const line = Math.min(current.start, Math.max(0, document.lineCount - 1));
  const target = [vscode.Uri.file(path).toString(), id];
  return lensPair(
    line,
    {
      title: current.count === 0 ? keepDeletion(baseline.count) : vscode.l10n.t('Keep'),
      tooltip: vscode.l10n.t('Keep this change of the agent'),
      command: 'parley.keepChange',
      arguments: target,
    },
    {
      title: vscode.l10n.t('Undo'),
      tooltip: vscode.l10n.t('Put back what was here before'),
      command: 'parley.undoChange',
      arguments: target,
    },
  );
}

/** Deleted lines are not to be seen in a normal editor: the title says how many. */
function keepDeletion(lines: number): string {
  return lines === 1 ? vscode.l10n.t('Keep (−1 line)') : vscode.l10n.t('Keep (−{0} lines)', lines);
}

function lensPair(line: number, keep: vscode.Command, undo: vscode.Command): vscode.CodeLens[] {
  const range = new vscode.Range(line, 0, line, 0);
  return [new vscode.CodeLens(range, keep), new vscode.CodeLens(range, undo)];
}
