import { DisposableStore } from '../../base/lifecycle';
import type { Disposable } from '../../base/lifecycle';
import type { Review } from '../../review/review';
import { ChangeComments } from './comments/changeComments';
import type { PromptDelivery, RemarkMemory } from './comments/changeComments';
import { EditorUris } from './diff/editorUris';
import { HunkClicks } from './hunkClicks';
import { ReviewCodeActions } from './reviewCodeActions';
import { runReviewCommand } from './reviewCommands';
import type { ReviewCommandId } from './reviewCommandIds';
import { ReviewDecisions } from './reviewDecisions';
import { ReviewDecorations } from './decorations/reviewDecorations';
import { ReviewEditors } from './reviewEditors';
import { ReviewKeys } from './reviewKeys';
import { ReviewLenses } from './codeLenses/reviewLenses';
import { ReviewMarks } from './reviewMarks';
import { ReviewNavigation } from './reviewNavigation';
import { ReviewSourceControl } from './sourceControl/sourceControl';

/** What there is to see and press while there are changes to review. */
export class ReviewTools implements Disposable {
  private readonly disposables = new DisposableStore();
  readonly decisions: ReviewDecisions;
  readonly editors: ReviewEditors;
  readonly comments: ChangeComments;
  readonly clicks: HunkClicks;
  private readonly navigation: ReviewNavigation;

  constructor(
    private readonly review: Review,
    delivery: PromptDelivery,
    memory: RemarkMemory,
  ) {
    const { disposables } = this;
    const uris = disposables.add(new EditorUris());
    const lenses = disposables.add(new ReviewLenses(review));
    this.clicks = new HunkClicks(review, path => lenses.fetches(path));
    disposables.add(new ReviewDecorations(review));
    disposables.add(new ReviewMarks(review, uris));
    disposables.add(new ReviewCodeActions(review));
    disposables.add(new ReviewSourceControl(review, uris));
    const editors = disposables.add(new ReviewEditors(review, uris));
    const decisions = disposables.add(new ReviewDecisions(review));
    disposables.add(new ReviewKeys(review, editors, uris));
    disposables.add(decisions.onDidDecide(() => void editors.refreshAll()));
    this.navigation = new ReviewNavigation(review, editors, uris);
    this.comments = disposables.add(new ChangeComments(review, uris, delivery, memory));
    this.decisions = decisions;
    this.editors = editors;
  }

  async run(command: ReviewCommandId, args: readonly unknown[]): Promise<void> {
    await runReviewCommand(this.review, this, this.navigation, command, args);
  }

  dispose(): void {
    this.disposables.dispose();
  }
}
