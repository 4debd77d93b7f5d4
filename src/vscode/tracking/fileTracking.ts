import * as path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifecycle';
import type { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/logger';
import { GitRepositories } from '../../git/repositories';
import { Blobs } from '../../review/store/blobs';
import type { AgentProcesses } from '../../review/checkpoints/agentProcesses';
import { ChatFeed } from '../../review/checkpoints/chatFeed';
import { loadReview } from '../../review/store/loadReview';
import { ReviewService } from '../../review/reviewService';
import { Rewind } from '../../review/checkpoints/rewind';
import { ReviewStorage } from '../../review/store/storage';
import { Tracker } from '../../review/checkpoints/tracker';
import { WorkspaceGit } from '../../review/checkpoints/workspaceGit';
import type { Written } from '../../review/workingFiles';
import type { Chats } from '../../session/chats';
import type { AgentTracking } from '../../session/ports';
import { editorGit } from '../editorGit';
import { EditorUris } from '../review/diff/editorUris';
import { VscodeEditorFiles } from '../files/editorFiles';
import { whileLocked } from '../files/fileLock';
import { showHiddenWrite } from '../review/hiddenWriteMessage';
import { WorkspaceScope } from './workspaceScope';
import { showInformationMessage, showWarningMessage } from '../messages';
import { showUnreadable } from '../unreadableMessage';

export interface FileTrackingOptions {
  /** Where pending changes are kept: absolute. */
  readonly folder: string;
  /** Folders with data of Parley's own. */
  readonly own: readonly string[];
  readonly logger: Logger;
  readonly processes: AgentProcesses;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** What agents change in this window's workspace: found out, reviewed, kept over reloads. */
export class FileTracking implements Disposable {
  private readonly disposables = new DisposableStore();
  readonly review: ReviewService;
  readonly rewind: Rewind;
  /** Settles when the pending changes of earlier windows are there. */
  readonly ready: Promise<void>;
  readonly agents: AgentTracking;
  private readonly tracker: Tracker;
  private readonly storage: ReviewStorage;
  private feed: ChatFeed | undefined;

  constructor(private readonly options: FileTrackingOptions) {
    const { disposables } = this;
    const { folder, own, logger, now, processes } = options;
    const uris = disposables.add(new EditorUris());
    const blobs = new Blobs(path.join(folder, 'blobs'));
    const files = disposables.add(new VscodeEditorFiles(uris, blobs));
    const scope = disposables.add(new WorkspaceScope(uris, own));
    // Git runs programs that a repository's configuration names: not before the user trusts it.
    const repositories = new GitRepositories(editorGit(), () => vscode.workspace.isTrusted);
    const git = disposables.add(new WorkspaceGit(repositories));
    const parts = {
      exclusively: <T>(task: () => Promise<T>): Promise<T> => this.tracker.exclusively(task),
      wrote: (file: string, written: Written) => this.tracker.wrote(file, written),
    };
    this.review = disposables.add(
      new ReviewService({
        ...parts,
        touch: file => this.tracker.touch(file),
        files,
        blobs,
        logger,
        canonical: file => uris.path(vscode.Uri.file(file)),
      }),
    );
    this.tracker = disposables.add(
      new Tracker({ files, scope, git, blobs, changes: this.review, processes, logger, now }),
    );
    this.rewind = disposables.add(
      new Rewind({ ...parts, files, blobs, review: this.review, logger }),
    );
    this.storage = disposables.add(
      new ReviewStorage({
        folder,
        blobs,
        review: this.review,
        rewind: this.rewind,
        logger,
        heads: () => git.lastHeads(),
        tracker: this.tracker,
        whileLocked,
      }),
    );
    disposables.add(files.onDidSave(({ path: file, text }) => this.tracker.saved(file, text)));
    disposables.add(
      this.review.onDidDisown(({ isAll }) => {
        if (isAll) this.tracker.closeEnded();
      }),
    );
    disposables.add(files.onDidManage(moves => void this.tracker.managed(moves)));
    disposables.add(this.tracker.onDidHideWrite(file => void showHiddenWrite(uris.uri(file))));
    let hasSaid = false;
    disposables.add(
      this.storage.onDidForget(sentence => {
        // Once is enough: it may happen with every turn from now on.
        if (!hasSaid) void showInformationMessage(sentence);
        hasSaid = true;
      }),
    );
    disposables.add(this.storage.onDidKeepApart(place => void showUnreadable([place], 'changes')));
    disposables.add(this.storage.onDidFail(sentence => void showWarningMessage(sentence)));
    // Several windows may have one storage: tabs of a server, say.
    disposables.add(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) void this.storage.refresh();
      }),
    );
    disposables.add(
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.tracker.rootsChanged()),
    );
    this.agents = {
      promptReady: async chatId => {
        await this.feed?.promptReady(chatId);
        files.newFolders.turnStarts(this.review.pending.map(file => file.path));
      },
      record: (turn, file, write) => this.tracker.record(turn, file, write),
    };
    // First in the queue: nothing is found out before it is known what is pending.
    const { storage, review, tracker } = this;
    this.ready = loadReview({ storage, review, files, tracker });
  }

  /** Listens to the chats from now on. */
  follow(chats: Pick<Chats, 'all' | 'onDidAdd' | 'onDidDelete' | 'onDidForget'>): void {
    this.feed = this.disposables.add(new ChatFeed(chats, this.tracker, this.options.logger));
    // Not when it is deleted: it may be brought back.
    this.disposables.add(chats.onDidForget(({ chatId }) => this.rewind.forget(chatId)));
  }

  /** Whether `file` has changes that wait for review, also if they were made a moment ago. */
  async isPending(file: string): Promise<boolean> {
    await this.ready;
    this.tracker.touch(file);
    await this.tracker.settled();
    return this.review.get(file) !== undefined;
  }

  /** Resolves when nothing is left to be found out: commands and turns that have ended are closed. */
  idle(): Promise<void> {
    return this.tracker.idle();
  }

  /** Writes what is not written yet. */
  async flush(): Promise<void> {
    await this.tracker.settled();
    await this.storage.flush();
  }

  dispose(): void {
    this.disposables.dispose();
  }
}
