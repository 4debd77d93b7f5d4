import { DisposableStore } from '../../base/lifecycle';
import type { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/logger';
import type { Review } from '../../review/review';
import { BaselineDocuments } from './baselineDocuments';
import type { CurrentText } from './diffEditor';
import { EditorUris } from './editorUris';
import { ReviewCodeActions } from './reviewCodeActions';
import { registerReviewCommands } from './reviewCommands';
import { ReviewDecisions } from './reviewDecisions';
import { ReviewDecorations } from './reviewDecorations';
import { ReviewEditors } from './reviewEditors';
import { ReviewKeys } from './reviewKeys';
import { ReviewLenses } from './reviewLenses';
import { ReviewMarks } from './reviewMarks';
import { ReviewNavigation } from './reviewNavigation';

/** Everything of the review that the user sees and presses in the editor. */
export class ReviewSurfaces implements Disposable {
  private readonly disposables = new DisposableStore();
  readonly decisions: ReviewDecisions;
  readonly editors: ReviewEditors;

  /** @param ready settles when the pending changes of earlier windows are loaded. */
  constructor(review: Review, ready: Promise<void>, currentText: CurrentText, logger: Logger) {
    const { disposables } = this;
    const uris = disposables.add(new EditorUris());
    disposables.add(new BaselineDocuments(review, ready, currentText));
    disposables.add(new ReviewLenses(review));
    disposables.add(new ReviewDecorations(review));
    disposables.add(new ReviewMarks(review, uris));
    disposables.add(new ReviewCodeActions(review));
    const editors = disposables.add(new ReviewEditors(review, ready, uris));
    const decisions = disposables.add(new ReviewDecisions(review));
    disposables.add(new ReviewKeys(review, editors, uris));
    disposables.add(decisions.onDidDecide(() => void editors.refreshAll()));
    const navigation = new ReviewNavigation(review, editors, uris);
    disposables.add(
      registerReviewCommands({ review, ready, decisions, editors, navigation, logger }),
    );
    this.decisions = decisions;
    this.editors = editors;
  }

  dispose(): void {
    this.disposables.dispose();
  }
}
