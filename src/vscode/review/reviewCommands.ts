import * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifecycle';
import type { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/logger';
import type { Review } from '../../review/review';
import type { ReviewDecisions } from './reviewDecisions';
import type { ReviewEditors } from './reviewEditors';
import type { ReviewNavigation } from './reviewNavigation';

export interface ReviewParts {
  readonly review: Review;
  /** Settles when the changes of earlier windows are there. */
  readonly ready: Promise<void>;
  readonly decisions: ReviewDecisions;
  readonly editors: ReviewEditors;
  readonly navigation: ReviewNavigation;
  readonly logger: Logger;
}

/** The review's commands in the manifest; a test holds both lists together. */
export const REVIEW_COMMANDS = [
  'parley.reviewChanges',
  'parley.openChanges',
  'parley.nextChange',
  'parley.previousChange',
  'parley.keepChange',
  'parley.undoChange',
  'parley.keepFile',
  'parley.undoFile',
  'parley.keepAll',
  'parley.undoAll',
  'parley.reinstateChange',
] as const;

export type ReviewCommandId = (typeof REVIEW_COMMANDS)[number];

/** Registers the review's commands. One that cannot do its work says what is missing. */
export function registerReviewCommands(parts: ReviewParts): Disposable {
  const { review, decisions, editors, navigation, logger } = parts;
  const handlers: { readonly [Id in ReviewCommandId]: (...args: unknown[]) => unknown } = {
    'parley.reviewChanges': () => (review.pending.length > 0 ? editors.openAll() : none()),
    'parley.openChanges': async target => {
      const file = navigation.file(uriOf(target));
      if (file) await editors.open(file, navigation.atCaret()?.hunk.current.start);
      else noneInFile();
    },
    'parley.nextChange': () => navigation.go(1),
    'parley.previousChange': () => navigation.go(-1),
    'parley.keepChange': (target, id) => hunk(parts, 'keep', target, id),
    'parley.undoChange': (target, id) => hunk(parts, 'undo', target, id),
    'parley.keepFile': (target, more) => files(parts, 'keep', target, more),
    'parley.undoFile': (target, more) => files(parts, 'undo', target, more),
    'parley.keepAll': () => decisions.keep({ kind: 'all' }),
    'parley.undoAll': () => decisions.undo({ kind: 'all' }),
    'parley.reinstateChange': () => decisions.reinstate(),
  };
  const disposables = new DisposableStore();
  for (const id of REVIEW_COMMANDS) {
    const handler = async (...args: unknown[]): Promise<void> => {
      try {
        await parts.ready;
        await handlers[id](...args);
      } catch (error) {
        logger.error(`${id} failed`, error);
        const message = error instanceof Error ? error.message : String(error);
        void vscode.window.showErrorMessage(vscode.l10n.t('Parley: {0}', message));
      }
    };
    disposables.add(vscode.commands.registerCommand(id, handler));
  }
  return disposables;
}

/** The hunk that a lens, a hover or a code action names; else the one at the caret. */
async function hunk(
  { decisions, navigation, review }: ReviewParts,
  decision: 'keep' | 'undo',
  target: unknown,
  id: unknown,
): Promise<void> {
  const uri = uriOf(target);
  if (uri && typeof id === 'string') {
    const file = navigation.file(uri);
    if (file) await decisions[decision]({ kind: 'hunk', path: file.path, hunkId: id });
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
  if (review.pending.length === 0) none();
  else tell(vscode.l10n.t('No agent change at the caret. “Next Change” goes to one.'));
}

/** One file, or those selected in the Explorer. */
async function files(
  { decisions, navigation, review }: ReviewParts,
  decision: 'keep' | 'undo',
  target: unknown,
  more: unknown,
): Promise<void> {
  const uris = Array.isArray(more)
    ? more.filter((item): item is vscode.Uri => item instanceof vscode.Uri)
    : [];
  const targets = uris.length > 0 ? uris : [uriOf(target)];
  const found = targets.flatMap(uri => navigation.file(uri) ?? []);
  if (found.length === 0) {
    if (review.pending.length === 0) none();
    else noneInFile();
    return;
  }
  for (const { path } of found) await decisions[decision]({ kind: 'file', path });
}

function none(): void {
  tell(vscode.l10n.t('There are no agent changes to review.'));
}

function noneInFile(): void {
  tell(vscode.l10n.t('This file has no agent changes to review.'));
}

function tell(message: string): void {
  void vscode.window.showInformationMessage(message);
}

function uriOf(value: unknown): vscode.Uri | undefined {
  if (value instanceof vscode.Uri) return value;
  return typeof value === 'string' ? vscode.Uri.parse(value) : undefined;
}
