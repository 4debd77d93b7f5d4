import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { lazy } from '../../base/lazy';
import { DisposableStore } from '../../base/lifecycle';
import type { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/logger';
import type { Review } from '../../review/review';
import { BaselineDocuments } from './diff/baselineDocuments';
import type { PromptDelivery } from './comments/changeComments';
import type { CurrentText } from './diff/diffEditor';
import { REVIEW_COMMANDS } from './reviewCommandIds';
import type { ReviewTools } from './reviewTools';
import { BASELINE_SCHEME } from './diff/reviewUris';
import { showErrorMessage } from '../messages';

/**
 * Everything of the review that the user sees and presses in the editor. What is needed only when there is
 * something to review is loaded then: an idle window does without it.
 */
export class ReviewSurfaces implements Disposable {
  private readonly disposables = new DisposableStore();
  /** Loads them. What is pending from an earlier window is drawn before it is compared with the files of today. */
  readonly tools = lazy(() => this.load());
  private loaded: ReviewTools | undefined;

  /**
   * @param ready resolves when the pending changes of earlier windows are loaded
   * @param remarks the file of the user's remarks: absolute; there is none without a remark
   */
  constructor(
    private readonly review: Review,
    private readonly ready: () => Promise<void>,
    currentText: CurrentText,
    private readonly delivery: PromptDelivery,
    private readonly remarks: string,
    private readonly logger: Logger,
  ) {
    const { disposables } = this;
    disposables.add(new BaselineDocuments(review, ready, currentText));
    for (const id of REVIEW_COMMANDS) {
      const run = async (...args: unknown[]): Promise<void> => {
        try {
          const tools = await this.tools();
          await this.ready();
          await tools.run(id, args);
        } catch (error) {
          logger.error(`${id} failed`, error);
          const message = error instanceof Error ? error.message : String(error);
          void showErrorMessage(vscode.l10n.t('Parley: {0}', message));
        }
      };
      disposables.add(vscode.commands.registerCommand(id, run));
    }
    disposables.add(review.onDidChange(() => this.loadIfNeeded()));
    ready()
      .then(() => this.loadIfNeeded())
      .catch((error: unknown) => logger.error('Earlier changes were not loaded', error));
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private async load(): Promise<ReviewTools> {
    const [{ ReviewTools }, { remarkFile }] = await Promise.all([
      import('./reviewTools'),
      import('./comments/remarkFile'),
    ]);
    if (this.review.pending.length === 0) await this.ready();
    const { review, delivery, remarks } = this;
    const tools = new ReviewTools(review, delivery, remarkFile(remarks));
    return (this.loaded = this.disposables.add(tools));
  }

  private loadIfNeeded(): void {
    if (this.loaded) return;
    const isNeeded = this.review.pending.length > 0 || existsSync(this.remarks) || showsReview();
    if (!isNeeded) return;
    this.tools().catch((error: unknown) => this.logger.error('The review was not loaded', error));
  }
}

/** Tabs of an earlier window may show what was decided meanwhile: they are closed. */
function showsReview(): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(
      ({ input, label }) =>
        label.startsWith(vscode.l10n.t('Review Agent Changes')) ||
        (input instanceof vscode.TabInputTextDiff && input.original.scheme === BASELINE_SCHEME),
    ),
  );
}
