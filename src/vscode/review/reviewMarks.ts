import * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifecycle';
import type { Disposable } from '../../base/lifecycle';
import type { PendingFile } from '../../review/model';
import type { Review } from '../../review/review';
import type { EditorUris } from './diff/editorUris';

const BADGE = 'P';
const COLOR = new vscode.ThemeColor('parley.pendingForeground');

/** Marks files with pending changes in the Explorer and in tabs, and the folders they are in. */
export class ReviewMarks implements vscode.FileDecorationProvider, Disposable {
  private readonly disposables = new DisposableStore();
  private readonly changed = new vscode.EventEmitter<vscode.Uri[]>();
  readonly onDidChangeFileDecorations = this.changed.event;
  /** Asked for everything that is drawn, folders too: answered from here. */
  private readonly marked = new Map<string, string>();

  constructor(
    private readonly review: Review,
    private readonly uris: EditorUris,
  ) {
    this.disposables.add(this.changed);
    this.disposables.add(vscode.window.registerFileDecorationProvider(this));
    this.disposables.add(review.onDidChange(paths => this.update(paths)));
    this.disposables.add(uris.onDidChangeLinks(path => this.update([path])));
    this.update(review.pending.map(({ path }) => path));
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const tooltip = this.marked.get(uri.toString());
    if (tooltip === undefined) return undefined;
    const decoration = new vscode.FileDecoration(BADGE, tooltip, COLOR);
    decoration.propagate = true;
    return decoration;
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private update(paths: readonly string[]): void {
    const touched: vscode.Uri[] = [];
    for (const path of paths) {
      const file = this.review.get(path);
      const tooltip = file && describe(file);
      for (const uri of this.uris.all(path)) {
        const key = uri.toString();
        if (this.marked.get(key) === tooltip) continue;
        if (tooltip === undefined) this.marked.delete(key);
        else this.marked.set(key, tooltip);
        touched.push(uri);
      }
    }
    if (touched.length > 0) this.changed.fire(touched);
  }
}

function describe({ change, hunks, endings, unclaimed }: PendingFile): string {
  if (unclaimed) {
    return vscode.l10n.t('Changed while {0} worked, not reviewed yet', unclaimed.join(', '));
  }
  if (endings !== undefined) {
    return vscode.l10n.t('Line endings changed by an agent ({0}), not reviewed yet', endings);
  }
  switch (change) {
    case 'created':
      return vscode.l10n.t('Created by an agent, not reviewed yet');
    case 'deleted':
      return vscode.l10n.t('Deleted by an agent, not reviewed yet');
    case 'renamed':
      return vscode.l10n.t('Renamed by an agent, not reviewed yet');
    case 'modified':
      return hunks.length > 1
        ? vscode.l10n.t('{0} changes of an agent to review', hunks.length)
        : vscode.l10n.t('A change of an agent to review');
  }
}
