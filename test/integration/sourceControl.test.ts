import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { BaselineDocuments } from '../../src/vscode/review/diff/baselineDocuments';
import { EditorUris } from '../../src/vscode/review/diff/editorUris';
import { ChangeComments } from '../../src/vscode/review/comments/changeComments';
import { runReviewCommand } from '../../src/vscode/review/reviewCommands';
import { HunkClicks } from '../../src/vscode/review/hunkClicks';
import { ReviewDecisions } from '../../src/vscode/review/reviewDecisions';
import { ReviewEditors } from '../../src/vscode/review/reviewEditors';
import { ReviewNavigation } from '../../src/vscode/review/reviewNavigation';
import { baselineUri } from '../../src/vscode/review/diff/reviewUris';
import { ReviewSourceControl } from '../../src/vscode/review/sourceControl/sourceControl';
import { VscodeTextFiles } from '../../src/vscode/files/vscodeTextFiles';
import { MemoryReview } from './memoryReview';
import { closeAllEditors, logger, open, temporaryFolder, until } from './support';

const SCHEME = 'parley-baseline-scm';
const SETTING = 'parley.review.sourceControl';
const BEFORE = 'one\ntwo\nthree\nfour\nfive\nsix\n';
const AFTER = 'one\nzwei\nthree\nfour\nsix\n';

describe('the review in Source Control', () => {
  const { root, remove } = temporaryFolder();
  const a = path.join(root, 'a.txt');
  const b = path.join(root, 'b.txt');
  const review = new MemoryReview();
  const files = new VscodeTextFiles(logger);
  const uris = new EditorUris();
  const documents = new BaselineDocuments(
    review,
    () => Promise.resolve(),
    file => files.peek(file),
    SCHEME,
  );
  const control = new ReviewSourceControl(review, uris, SCHEME);
  const editors = new ReviewEditors(review, uris, SCHEME);
  const clicks = new HunkClicks(review, () => 0);
  const decisions = new ReviewDecisions(review);
  const comments = new ChangeComments(
    review,
    uris,
    { deliver: () => assert.fail() },
    { get: () => [], set: () => assert.fail() },
  );
  const navigation = new ReviewNavigation(review, editors, uris, SCHEME);

  const edited = (file: string): void => {
    writeFileSync(file, AFTER);
    review.agentChanged(file, BEFORE);
  };
  const setting = async (value: boolean | undefined): Promise<void> =>
    vscode.workspace
      .getConfiguration()
      .update(SETTING, value, vscode.ConfigurationTarget.Workspace);
  /** VS Code has read what it compares `file` with, to draw its gutter. */
  const compared = async (file: string): Promise<void> =>
    until(
      () =>
        vscode.workspace.textDocuments.some(
          ({ uri }) => uri.toString() === baselineUri({ path: file }, SCHEME).toString(),
        ),
      [vscode.workspace.onDidOpenTextDocument],
    );

  afterEach(async () => {
    await closeAllEditors();
    review.clear();
    await setting(undefined);
  });
  after(() => {
    for (const part of [control, comments, decisions, editors, documents, uris]) part.dispose();
    remove();
  });

  it('is not there unless asked for', async () => {
    edited(a);
    assert.equal(control.isShown, false);
    await setting(true);
    assert.equal(control.isShown, true);
    await setting(false);
    assert.equal(control.isShown, false);
  });

  it('is there only while something is pending', async () => {
    await setting(true);
    assert.equal(control.isShown, false);
    edited(a);
    assert.equal(control.isShown, true);
    await decisions.keep({ kind: 'all' });
    assert.equal(control.isShown, false);
  });

  it('gives VS Code the baseline to compare an open file with', async () => {
    await setting(true);
    edited(a);
    await open(a);
    await compared(a);
  });

  it('does so for a file that becomes pending while it is open', async () => {
    await setting(true);
    edited(a);
    await open(a);
    writeFileSync(b, BEFORE);
    await vscode.window.showTextDocument(vscode.Uri.file(b), {
      viewColumn: vscode.ViewColumn.Beside,
    });
    await compared(a);
    edited(b);
    await compared(b);
  });

  it('has nothing to compare a deleted file or one without changes with', () => {
    writeFileSync(b, BEFORE);
    assert.equal(control.provideOriginalResource(vscode.Uri.file(b)), undefined);
    rmSync(b);
    review.agentChanged(b, BEFORE);
    assert.equal(control.provideOriginalResource(vscode.Uri.file(b)), undefined);
  });

  it('keeps and undoes from the peek the change that it shows', async () => {
    edited(a);
    // As VS Code hands them to commands of `scm/change/title`.
    const changed = {
      originalStartLineNumber: 2,
      originalEndLineNumber: 2,
      modifiedStartLineNumber: 2,
      modifiedEndLineNumber: 2,
    };
    const removed = {
      originalStartLineNumber: 5,
      originalEndLineNumber: 5,
      modifiedStartLineNumber: 4,
      modifiedEndLineNumber: 0,
    };
    const run = async (
      id: 'parley.keepChange' | 'parley.undoChange',
      shown: readonly object[],
      index: number,
    ) =>
      runReviewCommand(review, { decisions, editors, comments, clicks }, navigation, id, [
        vscode.Uri.file(a),
        shown,
        index,
      ]);
    await run('parley.undoChange', [changed, removed], 1);
    assert.equal(readFileSync(a, 'utf8'), BEFORE.replace('two', 'zwei'));
    // A second click, before the peek shows what is left: its line numbers are no longer the file's.
    await run('parley.undoChange', [changed, removed], 1);
    assert.equal(review.pending.length, 1);
    await run('parley.keepChange', [changed], 0);
    assert.equal(readFileSync(a, 'utf8'), BEFORE.replace('two', 'zwei'));
    assert.deepEqual(review.pending, []);
  });

  it('decides about the entries that are selected in its view', async () => {
    edited(a);
    edited(b);
    const states = [a, b].map(file => ({ resourceUri: vscode.Uri.file(file) }));
    await runReviewCommand(
      review,
      { decisions, editors, comments, clicks },
      navigation,
      'parley.keepFile',
      states,
    );
    assert.deepEqual(review.pending, []);
  });
});
