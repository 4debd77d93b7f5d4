import * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifecycle';
import type { Disposable } from '../../base/lifecycle';
import type { PendingFile } from '../../review/model';
import type { Review } from '../../review/review';
import type { EditorUris } from './diff/editorUris';
import type { ReviewEditors } from './reviewEditors';

/** Context keys of the review, that menus and keybindings ask about. */
export const REVIEW_KEYS = {
  hasChanges: 'parley.hasChanges',
  /** Paths of files with pending changes, to be asked with `resourcePath in`. */
  pendingPaths: 'parley.pendingPaths',
  /** The same of those that nothing says an agent changed. */
  unclaimedPaths: 'parley.unclaimedPaths',
  canRedo: 'parley.canRedo',
  /** The diff of everything pending is in front. */
  reviewActive: 'parley.reviewActive',
} as const;

/** Keeps the context keys true. Sets one only when its value changes: each set is a message to the window. */
export class ReviewKeys implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly values = new Map<string, string>();

  constructor(
    private readonly review: Review,
    private readonly editors: ReviewEditors,
    private readonly uris: EditorUris,
  ) {
    this.disposables.add(review.onDidChange(() => this.update()));
    this.disposables.add(uris.onDidChangeLinks(() => this.update()));
    this.disposables.add(vscode.window.tabGroups.onDidChangeTabs(() => this.updateActive()));
    this.disposables.add(vscode.window.tabGroups.onDidChangeTabGroups(() => this.updateActive()));
    this.update();
    this.updateActive();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private update(): void {
    const { pending, canRedo } = this.review;
    this.set(REVIEW_KEYS.hasChanges, pending.length > 0);
    this.set(REVIEW_KEYS.canRedo, canRedo);
    // The key of a file is its file system path, that of other documents the address's path.
    const keysOf = ({ path }: PendingFile) =>
      this.uris.all(path).flatMap(uri => [uri.fsPath, uri.path]);
    this.set(REVIEW_KEYS.pendingPaths, [...new Set(pending.flatMap(keysOf))]);
    const unclaimed = pending.filter(file => file.unclaimed !== undefined);
    this.set(REVIEW_KEYS.unclaimedPaths, [...new Set(unclaimed.flatMap(keysOf))]);
  }

  private updateActive(): void {
    this.set(REVIEW_KEYS.reviewActive, this.editors.isAllActive);
  }

  private set(key: string, value: boolean | readonly string[]): void {
    const text = JSON.stringify(value);
    if (this.values.get(key) === text) return;
    this.values.set(key, text);
    void vscode.commands.executeCommand('setContext', key, value);
  }
}
