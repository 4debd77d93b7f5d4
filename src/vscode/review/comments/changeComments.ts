import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/lifecycle';
import type { Disposable } from '../../../base/lifecycle';
import type { Hunk, LineRange, PendingFile } from '../../../review/model';
import { keptRemarks, remarkedChange, remarksPrompt } from '../../../review/remarks';
import type { Remark, RemarkedChange } from '../../../review/remarks';
import type { Review } from '../../../review/review';
import type { EditorUris } from '../diff/editorUris';
import { showInformationMessage } from '../../messages';

/** Brings a prompt to a chat. */
export interface PromptDelivery {
  /**
   * @param chatId the chat it is meant for; the current one when that is gone
   * @returns false when there is no chat to send it in
   */
  deliver(chatId: string | undefined, prompt: string): Promise<boolean>;
}

/** Where remarks outlive the window. */
export interface RemarkMemory {
  get(): readonly Remark[];
  /** @param remarks all that this window has */
  set(remarks: readonly Remark[]): void;
}

/** A remark in the editor; while it is written it is not part of what is sent. */
class ChangeComment implements vscode.Comment {
  mode = vscode.CommentMode.Editing;
  body = '';
  contextValue = 'parley.writing';
  readonly author: vscode.CommentAuthorInformation = { name: vscode.l10n.t('Your comment') };
  /** The text to go back to, once there is one. */
  saved = '';

  constructor(readonly thread: ChangeThread) {}

  edit(): void {
    this.mode = vscode.CommentMode.Editing;
    this.contextValue = 'parley.writing';
    this.thread.show();
  }

  settle(text: string): void {
    this.saved = text;
    this.body = text;
    this.mode = vscode.CommentMode.Preview;
    this.contextValue = 'parley.written';
    this.thread.show();
  }
}

/** The remarks about one change. */
class ChangeThread {
  comments: readonly ChangeComment[] = [];

  constructor(
    readonly thread: vscode.CommentThread,
    public change: RemarkedChange,
  ) {}

  /** VS Code looks at comments again only when the list is another one. */
  show(): void {
    this.thread.comments = [...this.comments];
  }
}

/**
 * Remarks of the user about pending changes, each in a thread at its change. A thread is there only where the
 * user asked for one: threads are heavy. Nothing is sent until the user sends them all in one prompt. What
 * is written and not sent comes back with the next window; what stands in a box does not.
 */
export class ChangeComments implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly threads = new Set<ChangeThread>();
  private controller: vscode.CommentController | undefined;
  private readonly status: vscode.StatusBarItem;

  constructor(
    private readonly review: Review,
    private readonly uris: EditorUris,
    private readonly delivery: PromptDelivery,
    private readonly memory: RemarkMemory,
  ) {
    this.status = this.disposables.add(
      vscode.window.createStatusBarItem('parley.comments', vscode.StatusBarAlignment.Left, -11),
    );
    this.status.name = vscode.l10n.t('Parley: Comments');
    this.status.command = 'parley.sendComments';
    this.status.tooltip = vscode.l10n.t('Send your comments on the changes to the agent');
    this.disposables.add(review.onDidChange(paths => this.follow(new Set(paths))));
    for (const remark of memory.get()) this.restore(remark);
    this.show();
  }

  /** Remarks that have been written and not been sent. */
  get remarks(): readonly Remark[] {
    return [...this.threads].flatMap(({ change, comments }) =>
      comments.flatMap(({ saved }) => (saved === '' ? [] : [{ change, text: saved }])),
    );
  }

  /** Opens a thread at a change (or the one that is there), with the caret in a new remark. */
  async begin(file: PendingFile, hunk: Hunk): Promise<vscode.Comment> {
    await this.reveal(file, hunk);
    const known = [...this.threads].find(
      ({ change }) => change.path === file.path && change.hunkId === hunk.id,
    );
    const thread = known ?? this.open(remarkedChange(file, hunk));
    thread.thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
    const begun = thread.comments.find(({ saved }) => saved === '');
    const comment = begun ?? new ChangeComment(thread);
    if (!begun) thread.comments = [...thread.comments, comment];
    thread.show();
    return comment;
  }

  /** @param comment what the button was on: its body is what stands in the box now */
  save(comment: unknown): void {
    if (!(comment instanceof ChangeComment)) return;
    const { body } = comment as { readonly body: string | vscode.MarkdownString };
    const text = (typeof body === 'string' ? body : body.value).trim();
    if (text === '') this.remove(comment);
    else comment.settle(text);
    this.update();
  }

  /** Back to what it was; a new one goes. */
  cancel(comment: unknown): void {
    if (!(comment instanceof ChangeComment)) return;
    if (comment.saved === '') this.remove(comment);
    else comment.settle(comment.saved);
    this.update();
  }

  edit(comment: unknown): void {
    if (comment instanceof ChangeComment) comment.edit();
  }

  /** Takes away a remark, or a thread with all of its remarks. */
  delete(target: unknown): void {
    if (target instanceof ChangeComment) this.remove(target);
    else {
      const thread = [...this.threads].find(known => known.thread === target);
      if (thread) this.close(thread);
    }
    this.update();
  }

  /** Sends every remark to the chat whose agent made the change. */
  async send(): Promise<void> {
    const { remarks } = this;
    const writing = [...this.threads].some(({ comments }) =>
      comments.some(({ mode }) => mode === vscode.CommentMode.Editing),
    );
    if (remarks.length === 0) {
      void showInformationMessage(
        writing
          ? vscode.l10n.t('Save your comment first.')
          : vscode.l10n.t('There are no comments to send. Use "Comment on Change" to write one.'),
      );
      return;
    }
    for (const chatId of new Set(remarks.map(({ change }) => change.chatId))) {
      const own = remarks.filter(({ change }) => change.chatId === chatId);
      const prompt = remarksPrompt(own, path => vscode.workspace.asRelativePath(path, false));
      if (!(await this.delivery.deliver(chatId, prompt))) return;
      this.sent(chatId);
    }
  }

  dispose(): void {
    this.controller?.dispose();
    this.disposables.dispose();
  }

  private sent(chatId: string | undefined): void {
    for (const thread of [...this.threads]) {
      if (thread.change.chatId !== chatId) continue;
      // What is still being written stays, with what it is about.
      thread.comments = thread.comments.filter(({ saved }) => saved === '');
      if (thread.comments.length === 0) this.close(thread);
      else thread.show();
    }
    this.update();
  }

  /** Threads begin folded: none opens by itself. */
  private restore({ change, text }: Remark): void {
    const same = ({ change: other }: ChangeThread): boolean =>
      other.path === change.path && other.hunkId === change.hunkId;
    const file = this.review.get(change.path);
    const hunk = file?.hunks.find(({ id }) => id === change.hunkId);
    const now = file && hunk ? { ...change, ...remarkedChange(file, hunk) } : change;
    const thread = [...this.threads].find(same) ?? this.open(now);
    const comment = new ChangeComment(thread);
    thread.comments = [...thread.comments, comment];
    comment.settle(text);
  }

  private open(change: RemarkedChange): ChangeThread {
    this.controller ??= vscode.comments.createCommentController(
      'parley',
      vscode.l10n.t('Comments for the Agent'),
    );
    const uri = this.uris.uri(change.path);
    const thread = this.controller.createCommentThread(uri, rangeOf(change.lines), []);
    thread.canReply = false;
    thread.label = vscode.l10n.t('Comment for the agent');
    const made = new ChangeThread(thread, change);
    this.threads.add(made);
    return made;
  }

  private remove(comment: ChangeComment): void {
    const { thread } = comment;
    thread.comments = thread.comments.filter(other => other !== comment);
    if (thread.comments.length === 0) this.close(thread);
    else thread.show();
  }

  private close(thread: ChangeThread): void {
    thread.thread.dispose();
    this.threads.delete(thread);
  }

  /** Threads stay with their changes as lines above come and go, and stay when those are decided. */
  private follow(paths: ReadonlySet<string>): void {
    for (const thread of this.threads) {
      if (!paths.has(thread.change.path)) continue;
      const file = this.review.get(thread.change.path);
      const hunk = file?.hunks.find(({ id }) => id === thread.change.hunkId);
      if (!file || !hunk) continue;
      const range = rangeOf(hunk.current);
      thread.change = remarkedChange(file, hunk);
      if (thread.thread.range?.isEqual(range) !== true) thread.thread.range = range;
    }
  }

  /** A thread is drawn only in an editor that shows the file. */
  private async reveal(file: PendingFile, hunk: Hunk): Promise<void> {
    const uri = this.uris.uri(file.path);
    const isShown = vscode.window.visibleTextEditors.some(
      ({ document }) => document.uri.toString() === uri.toString(),
    );
    if (isShown) return;
    await vscode.window.showTextDocument(uri, { preview: true, selection: rangeOf(hunk.current) });
  }

  private update(): void {
    this.memory.set(keptRemarks(this.remarks));
    this.show();
  }

  private show(): void {
    const count = this.remarks.length;
    if (count === 0) {
      this.status.hide();
      return;
    }
    const comments =
      count === 1 ? vscode.l10n.t('1 comment') : vscode.l10n.t('{0} comments', count);
    this.status.text = `$(comment-discussion) ${comments} · ${vscode.l10n.t('Send to Agent')}`;
    this.status.show();
  }
}

/** The thread hangs below the last line of its range. */
function rangeOf({ start, count }: LineRange): vscode.Range {
  return new vscode.Range(start, 0, start + Math.max(count, 1) - 1, 0);
}
