import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Hunk, PendingFile } from '../../src/review/model';
import { readRemarks, type Remark } from '../../src/review/remarks';
import { ChangeComments } from '../../src/vscode/review/comments/changeComments';
import { EditorUris } from '../../src/vscode/review/diff/editorUris';
import { MemoryReview } from './memoryReview';
import { closeAllEditors, temporaryFolder } from './support';

const BEFORE = 'one\ntwo\nthree\nfour\nfive\nsix\n';
const AFTER = 'one\nzwei\nthree\nfour\nfive\nsechs\n';

describe('comments on changes', () => {
  const { root, remove } = temporaryFolder();
  const a = path.join(root, 'a.txt');
  const review = new MemoryReview();
  const uris = new EditorUris();
  const sent: { readonly chatId: string | undefined; readonly prompt: string }[] = [];
  let hasChat = true;
  let kept: readonly Remark[] = [];
  let comments: ChangeComments;

  const pending = (): PendingFile => review.get(a) ?? assert.fail();
  const hunk = (index: number): Hunk => pending().hunks[index] ?? assert.fail();
  /** Writes as the user does in the box of a thread. */
  const write = (comment: vscode.Comment, text: string): void => {
    comment.body = text;
    comments.save(comment);
  };

  /** As a window does when it begins, with what the one before kept. */
  const begin = (): ChangeComments =>
    new ChangeComments(
      review,
      uris,
      {
        deliver(chatId, prompt) {
          if (hasChat) sent.push({ chatId, prompt });
          return Promise.resolve(hasChat);
        },
      },
      // As VS Code keeps it: as JSON.
      {
        get: () => readRemarks(JSON.parse(JSON.stringify(kept))),
        set: remarks => (kept = remarks),
      },
    );

  beforeEach(() => {
    hasChat = true;
    kept = [];
    comments = begin();
    writeFileSync(a, AFTER);
    review.agentChanged(a, BEFORE);
  });
  afterEach(async () => {
    comments.dispose();
    await closeAllEditors();
    review.clear();
    sent.length = 0;
  });
  after(() => {
    uris.dispose();
    remove();
  });

  it('begin in an editor that shows the file, ready to be written', async () => {
    const comment = await comments.begin(pending(), hunk(1));
    assert.equal(comment.mode, vscode.CommentMode.Editing);
    assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, a);
    assert.deepEqual(comments.remarks, []);
  });

  it('go out in one prompt, and are gone then', async () => {
    write(await comments.begin(pending(), hunk(1)), 'In English, please.');
    write(await comments.begin(pending(), hunk(0)), 'This too.');
    assert.equal(comments.remarks.length, 2);
    await comments.send();
    assert.equal(sent.length, 1);
    const prompt = sent[0]?.prompt ?? '';
    assert.match(prompt, /a\.txt, line 2\*\*\n\n```diff\n-two\n\+zwei\n```\n\nThis too\./);
    assert.match(
      prompt,
      /a\.txt, line 6\*\*\n\n```diff\n-six\n\+sechs\n```\n\nIn English, please\./,
    );
    assert.deepEqual(comments.remarks, []);
  });

  it('stay when there is no chat to send them in', async () => {
    hasChat = false;
    write(await comments.begin(pending(), hunk(0)), 'Wait.');
    await comments.send();
    assert.deepEqual(
      comments.remarks.map(({ text }) => text),
      ['Wait.'],
    );
  });

  it('can be edited, given up and deleted', async () => {
    const comment = await comments.begin(pending(), hunk(0));
    write(comment, 'First.');
    comments.edit(comment);
    comment.body = 'Not this.';
    comments.cancel(comment);
    assert.equal(comments.remarks[0]?.text, 'First.');
    comments.edit(comment);
    write(comment, 'Second.');
    assert.equal(comments.remarks[0]?.text, 'Second.');
    comments.delete(comment);
    comments.cancel(await comments.begin(pending(), hunk(0)));
    write(await comments.begin(pending(), hunk(0)), '   ');
    assert.deepEqual(comments.remarks, []);
  });

  it('name the lines where their change is when they are sent', async () => {
    write(await comments.begin(pending(), hunk(1)), 'Here.');
    writeFileSync(a, `// mine\n${AFTER}`);
    review.agentChanged(a, `// mine\n${BEFORE}`);
    assert.equal(comments.remarks[0]?.change.lines.start, 6);
  });

  it('outlive the window, at the place where their change is then', async () => {
    write(await comments.begin(pending(), hunk(1)), 'Still here.');
    write(await comments.begin(pending(), hunk(1)), 'And this.');
    await comments.begin(pending(), hunk(0));
    comments.dispose();
    writeFileSync(a, `// mine\n${AFTER}`);
    review.agentChanged(a, `// mine\n${BEFORE}`);
    comments = begin();
    assert.deepEqual(
      comments.remarks.map(({ text, change }) => [text, change.lines.start]),
      [
        ['Still here.', 6],
        ['And this.', 6],
      ],
    );
    await comments.send();
    assert.match(sent[0]?.prompt ?? '', /line 7[^]+Still here\.\n\nAnd this\./);
    assert.deepEqual(kept, []);
  });

  it('outlive the decision about their change', async () => {
    write(await comments.begin(pending(), hunk(0)), 'Undone, because it is wrong.');
    await review.undo({ kind: 'hunk', path: a, hunkId: hunk(0).id });
    await comments.send();
    assert.match(sent[0]?.prompt ?? '', /\+zwei\n```\n\nUndone, because it is wrong\./);
  });
});
