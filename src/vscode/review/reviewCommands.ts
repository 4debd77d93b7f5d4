import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever';
import type { Hunk, PendingFile } from '../../review/model';
import type { Review } from '../../review/review';
import type { ChangeComments } from './comments/changeComments';
import { areUpToDate, hunksOf, isLineChange } from './decorations/lineChanges';
import type { HunkClicks } from './hunkClicks';
import type { ReviewCommandId } from './reviewCommandIds';
import type { ReviewDecisions } from './reviewDecisions';
import type { ReviewEditors } from './reviewEditors';
import type { ReviewNavigation } from './reviewNavigation';
import { showInformationMessage } from '../messages';

interface ReviewParts {
  readonly review: Review;
  readonly decisions: ReviewDecisions;
  readonly editors: ReviewEditors;
  readonly navigation: ReviewNavigation;
  readonly comments: ChangeComments;
  readonly clicks: HunkClicks;
}

/** Runs one of the review's commands. One that cannot do its work says what is missing. */
export async function runReviewCommand(
  review: Review,
  tools: Omit<ReviewParts, 'review' | 'navigation'>,
  navigation: ReviewNavigation,
  command: ReviewCommandId,
  args: readonly unknown[],
): Promise<void> {
  const { decisions, editors, comments, clicks } = tools;
  const parts = { review, decisions, editors, comments, clicks, navigation };
  const [target, more, index] = args;
  switch (command) {
    case 'parley.reviewChanges':
      return review.pending.length > 0 ? editors.openAll() : none();
    case 'parley.openChanges': {
      const file = navigation.file(uriOf(target));
      if (!file) return noneInFile();
      const { hunk } = hunkOf(file, more) ?? navigation.atCaret() ?? {};
      return editors.open(file, hunk?.current.start);
    }
    case 'parley.nextChange':
      return navigation.go(1, hunkOf(navigation.file(uriOf(target)), more));
    case 'parley.previousChange':
      return navigation.go(-1);
    case 'parley.keepChange':
      return hunk(parts, 'keep', target, more, index);
    case 'parley.undoChange':
      return hunk(parts, 'undo', target, more, index);
    case 'parley.keepAndGoOn':
      return navigation.goOn(() => hunk(parts, 'keep'));
    case 'parley.undoAndGoOn':
      return navigation.goOn(() => hunk(parts, 'undo'));
    case 'parley.keepFile':
      return files(parts, 'keep', args);
    case 'parley.undoFile':
      return files(parts, 'undo', args);
    case 'parley.notTheAgents': {
      const file = navigation.file(uriOf(target));
      // A group of the Source Control view has no file of its own.
      const isGroup = target !== undefined && uriOf(target) === undefined;
      if (!isGroup && !file) return noneInFile();
      return decisions.notTheAgents(isGroup || !file ? undefined : [file.path]);
    }
    case 'parley.keepAll':
      return decisions.keep({ kind: 'all' });
    case 'parley.undoAll':
      return decisions.undo({ kind: 'all' });
    case 'parley.redoChange':
      return decisions.redo();
    case 'parley.commentOnChange':
      return comment(parts, target, more);
    case 'parley.sendComments':
      return comments.send();
    case 'parley.saveComment':
      return comments.save(target);
    case 'parley.cancelComment':
      return comments.cancel(target);
    case 'parley.editComment':
      return comments.edit(target);
    case 'parley.deleteComment':
      return comments.delete(target);
    default:
      assertNever(command);
  }
}

/**
 * The hunk that a lens, a hover or a code action names, or those that the peek of the gutter shows; else the
 * one at the caret.
 */
async function hunk(
  { clicks, decisions, navigation, review }: ReviewParts,
  decision: 'keep' | 'undo',
  target?: unknown,
  id?: unknown,
  index?: unknown,
): Promise<void> {
  const uri = uriOf(target);
  if (uri && Array.isArray(id) && typeof index === 'number') {
    const changes = id.filter(isLineChange);
    const change: unknown = id[index];
    const file = navigation.file(uri);
    if (!file || !isLineChange(change) || !areUpToDate(changes, file)) return;
    const hunkIds = hunksOf(file.hunks, change).map(hunk => hunk.id);
    await decisions[decision]({ kind: 'hunks', path: file.path, hunkIds });
    return;
  }
  if (uri && typeof id === 'string') {
    const path = navigation.file(uri)?.path ?? uri.fsPath;
    const decide = (hunkId: string) => decisions[decision]({ kind: 'hunk', path, hunkId });
    await clicks.click(path, id, decide);
    return;
  }
  const found = navigation.atCaret();
  if (found) {
    const { file } = found;
    await decisions[decision]({ kind: 'hunk', path: file.path, hunkId: found.hunk.id });
    return;
  }
  // A file without lines to stand on is one change.
  const file = navigation.file();
  if (file && (file.change === 'deleted' || file.hunks.length === 0)) {
    await decisions[decision]({ kind: 'file', path: file.path });
    return;
  }
  noneAtCaret(review);
}

/** On the change that is named, else on the one at the caret. */
async function comment(
  { comments, navigation, review }: ReviewParts,
  target: unknown,
  id: unknown,
): Promise<void> {
  const found = hunkOf(navigation.file(uriOf(target)), id) ?? navigation.atCaret();
  if (!found || found.file.change === 'deleted') return noneAtCaret(review);
  await comments.begin(found.file, found.hunk);
}

function hunkOf(
  file: PendingFile | undefined,
  id: unknown,
): { readonly file: PendingFile; readonly hunk: Hunk } | undefined {
  const hunk = file?.hunks.find(hunk => hunk.id === id);
  return file && hunk && { file, hunk };
}

function noneAtCaret(review: Review): void {
  if (review.pending.length === 0) none();
  else
    showResult(
      vscode.l10n.t('There is no agent change at the cursor. Use "Next Change" to go to one.'),
    );
}

/** One file, or those selected in the Explorer or in the Source Control view. */
async function files(
  { decisions, navigation, review }: ReviewParts,
  decision: 'keep' | 'undo',
  args: readonly unknown[],
): Promise<void> {
  const [target, more] = args;
  // The Explorer gives its selection as a list, the Source Control view as so many arguments.
  const selected: readonly unknown[] = Array.isArray(more)
    ? more
    : isResourceState(target)
      ? args
      : [];
  const uris = selected.flatMap(item => uriOf(item) ?? []);
  const targets = uris.length > 0 ? uris : [uriOf(target)];
  const found = targets.flatMap(uri => navigation.file(uri) ?? []);
  if (found.length === 0) {
    if (review.pending.length === 0) none();
    else noneInFile();
    return;
  }
  await decisions[decision]({ kind: 'files', paths: found.map(({ path }) => path) });
}

function none(): void {
  showResult(vscode.l10n.t('There are no agent changes to review.'));
}

function noneInFile(): void {
  showResult(vscode.l10n.t('This file has no agent changes to review.'));
}

function showResult(message: string): void {
  void showInformationMessage(message);
}

function uriOf(value: unknown): vscode.Uri | undefined {
  if (value instanceof vscode.Uri) return value;
  if (isResourceState(value)) return value.resourceUri;
  return typeof value === 'string' ? vscode.Uri.parse(value) : undefined;
}

/** An entry of the Source Control view. */
function isResourceState(value: unknown): value is vscode.SourceControlResourceState {
  return (
    typeof value === 'object' &&
    value !== null &&
    'resourceUri' in value &&
    value.resourceUri instanceof vscode.Uri
  );
}
