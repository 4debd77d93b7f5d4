import * as path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifecycle';
import type { Disposable } from '../../base/lifecycle';
import { meantOf } from '../../review/core/targets';
import type { PendingFile, ReviewOutcome, ReviewTarget } from '../../review/model';
import type { Review } from '../../review/review';
import { showInformationMessage, showWarningMessage } from '../messages';

/** How long the way back stands in the status bar, in milliseconds. */
const OFFER_MS = 30_000;
/** Failures shown in one message. */
const MAX_SHOWN = 3;

/** Carries out the user's decisions, asks where much is at stake, and shows what could not be done. */
export class ReviewDecisions implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly made = new vscode.EventEmitter<void>();
  /** A decision was carried out. */
  readonly onDidDecide = this.made.event;
  private readonly offer: vscode.StatusBarItem;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly review: Review) {
    this.offer = vscode.window.createStatusBarItem(
      'parley.redo',
      vscode.StatusBarAlignment.Left,
      -10,
    );
    this.offer.name = vscode.l10n.t('Parley: Redo Undone Change');
    this.offer.command = 'parley.redoChange';
    this.offer.tooltip = vscode.l10n.t('Redo what you just undid');
    this.disposables.add(this.offer);
    this.disposables.add(this.made);
    this.disposables.add(
      review.onDidChange(() => {
        if (!review.canRedo) this.hideOffer();
      }),
    );
  }

  async keep(target: ReviewTarget): Promise<void> {
    if (filesOf(this.review, target).length === 0) return this.nothing(target);
    const outcome = await this.review.keep(target);
    this.showResult(outcome, 'keep');
    this.made.fire();
  }

  /** Undoing more than one file asks first: it is a lot to lose to a wrong key. */
  async undo(target: ReviewTarget): Promise<void> {
    const files = filesOf(this.review, target);
    if (files.length === 0) return this.nothing(target);
    if (files.length > 1 && !(await confirmUndo(files))) return;
    const outcome = await this.review.undo(target);
    this.showResult(outcome, 'undo');
    if (outcome.decided > 0) this.showOffer(outcome.decided);
    this.made.fire();
  }

  /** @param paths without any it is all that are unclaimed */
  async notTheAgents(paths?: readonly string[]): Promise<void> {
    this.showResult(await this.review.notTheAgents(paths), 'keep');
    this.made.fire();
  }

  async redo(): Promise<void> {
    if (!this.review.canRedo) {
      inform(vscode.l10n.t('There is no undone change to redo.'));
      return;
    }
    this.hideOffer();
    this.showResult(await this.review.redo(), 'redo');
    this.made.fire();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.disposables.dispose();
  }

  private nothing(target: ReviewTarget): void {
    // A hunk that is gone was just decided: the button that named it goes in a moment.
    if (target.kind === 'hunk' || target.kind === 'hunks') return;
    inform(vscode.l10n.t('There are no agent changes to review.'));
  }

  private showResult({ failures }: ReviewOutcome, what: 'keep' | 'undo' | 'redo'): void {
    const [first] = failures;
    if (!first) return;
    if (failures.length === 1) {
      void showWarningMessage(`${path.basename(first.path)}: ${first.message}`);
      return;
    }
    const shown = failures
      .slice(0, MAX_SHOWN)
      .map(({ path: file, message }) => `${path.basename(file)}: ${message}`);
    const rest = failures.length - shown.length;
    if (rest > 0) shown.push(vscode.l10n.t('… and {0} more.', rest));
    void showWarningMessage([headline(what, failures.length), ...shown].join(' '));
  }

  private showOffer(decided: number): void {
    if (!this.review.canRedo) return;
    const undone =
      decided === 1
        ? vscode.l10n.t('1 change undone')
        : vscode.l10n.t('{0} changes undone', decided);
    this.offer.text = `$(discard) ${undone} · ${vscode.l10n.t('Redo')}`;
    this.offer.show();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.hideOffer(), OFFER_MS);
  }

  private hideOffer(): void {
    clearTimeout(this.timer);
    this.offer.hide();
  }
}

function headline(what: 'keep' | 'undo' | 'redo', files: number): string {
  switch (what) {
    case 'keep':
      return vscode.l10n.t('{0} files could not be kept.', files);
    case 'undo':
      return vscode.l10n.t('{0} files could not be undone.', files);
    case 'redo':
      return vscode.l10n.t('{0} files could not be redone.', files);
  }
}

async function confirmUndo(files: readonly PendingFile[]): Promise<boolean> {
  const undo = vscode.l10n.t('Undo All');
  const names = files.slice(0, 10).map(file => vscode.workspace.asRelativePath(file.path));
  if (files.length > names.length) {
    names.push(vscode.l10n.t('… and {0} more', files.length - names.length));
  }
  const answer = await showWarningMessage(
    vscode.l10n.t("Undo the agent's changes in {0} files?", files.length),
    {
      modal: true,
      detail: `${names.join('\n')}\n\n${vscode.l10n.t('Your own edits elsewhere are kept. You can redo the changes right afterwards.')}`,
    },
    undo,
  );
  return answer === undo;
}

/** The pending files that a decision is about. */
function filesOf({ pending }: Review, target: ReviewTarget): readonly PendingFile[] {
  return pending.filter(file => meantOf(file, target).kind !== 'none');
}

function inform(message: string): void {
  void showInformationMessage(message);
}
