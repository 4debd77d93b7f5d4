import * as path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifecycle';
import type { Disposable } from '../../base/lifecycle';
import type { PendingFile } from '../../review/model';
import type { Review } from '../../review/review';
import { chatTabIsActive } from './chatTab';
import type { EditorUris } from './diff/editorUris';
import { BASELINE_SCHEME, baselineUri, goneUri, noteUri, reviewDocument } from './diff/reviewUris';
import { showInformationMessage } from '../messages';

/**
 * Diffs of pending changes: of one file, or of all in one editor. They open only when the user asks, and go
 * when what they show is decided.
 */
export class ReviewEditors implements Disposable {
  private readonly disposables = new DisposableStore();
  /** Paths in the multi-file diff that this window opened. */
  private listed: readonly string[] = [];
  private readonly title = vscode.l10n.t('Review Agent Changes');

  constructor(
    private readonly review: Review,
    private readonly uris: EditorUris,
    private readonly scheme = BASELINE_SCHEME,
  ) {
    this.disposables.add(review.onDidChange(() => void this.closeDecided()));
    // Tabs that VS Code brought back may show what was decided elsewhere.
    void this.closeDecided();
  }

  /** Shows one file's changes, with the caret at `line` (0-based, of the file as it is now). */
  async open(file: PendingFile, line?: number): Promise<void> {
    const modified = this.uris.uri(file.path);
    const viewColumn = chatTabIsActive() ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
    const selection = line === undefined ? undefined : new vscode.Range(line, 0, line, 0);
    const options = { preview: true, viewColumn, ...(selection && { selection }) };
    if (isBinary(file)) {
      await this.openBinary(file, modified, viewColumn);
      return;
    }
    await vscode.commands.executeCommand(
      'vscode.diff',
      baselineUri(file, this.scheme),
      file.change === 'deleted' ? goneUri(file.path, this.scheme) : modified,
      diffTitle(file),
      options,
    );
  }

  /** Shows everything pending in one editor, in place of the one that shows an older state. */
  async openAll(): Promise<void> {
    const shown = this.review.pending;
    if (shown.length === 0) return;
    const before = this.allTabs();
    this.listed = shown.map(({ path: file }) => file);
    if (before.length === 0 && chatTabIsActive()) await leaveChat();
    const unclaimed = shown.filter(file => file.unclaimed);
    const agents = new Set(unclaimed.flatMap(file => file.unclaimed ?? []));
    await vscode.commands.executeCommand(
      'vscode.changes',
      agents.size === 0
        ? this.title
        : vscode.l10n.t(
            '{0}, {1} Changed While {2} Worked',
            this.title,
            unclaimed.length,
            [...agents].join(', '),
          ),
      shown.map(file => this.sides(file)),
    );
    // A preview was replaced; what was pinned is closed, now that its successor is there.
    const old = this.allTabs().filter(tab => before.includes(tab) && !tab.isActive);
    if (old.length > 0) await vscode.window.tabGroups.close(old, true);
  }

  /** True when the multi-file diff is in front. */
  get isAllActive(): boolean {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    return tab !== undefined && this.isAllTab(tab);
  }

  /**
   * The list of a multi-file diff cannot change. It is made again after a decision in it that settled a
   * file; never because an agent works on, which would pull the user's focus out of what they do.
   */
  async refreshAll(): Promise<void> {
    if (!this.isAllActive || this.review.pending.length === 0) return;
    const now = new Set(this.review.pending.map(({ path: file }) => file));
    if (this.listed.some(file => !now.has(file))) await this.openAll();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private sides(file: PendingFile): (vscode.Uri | undefined)[] {
    const resource = this.uris.uri(file.path);
    return [resource, this.original(file), this.modified(file, resource)];
  }

  /** Undefined makes it the section of an added file. */
  private original(file: PendingFile): vscode.Uri | undefined {
    const { path: name, baseline } = file;
    if (baseline.kind === 'absent') return undefined;
    return baseline.kind === 'binary'
      ? noteUri(name, 'was', this.scheme)
      : baselineUri(file, this.scheme);
  }

  private modified({ path: name, change, current }: PendingFile, resource: vscode.Uri): vscode.Uri {
    if (change === 'deleted') return goneUri(name, this.scheme);
    return current.kind === 'binary' ? noteUri(name, 'is', this.scheme) : resource;
  }

  private async openBinary(
    file: PendingFile,
    uri: vscode.Uri,
    viewColumn: vscode.ViewColumn,
  ): Promise<void> {
    if (file.change === 'deleted') {
      // Not waited for: the question may stand for a long time.
      void this.askAboutDeleted(file);
      return;
    }
    await vscode.commands.executeCommand('vscode.open', uri, { preview: true, viewColumn });
  }

  /** There is no editor to press Keep or Undo in. */
  private async askAboutDeleted(file: PendingFile): Promise<void> {
    const restore = vscode.l10n.t('Restore File');
    const keep = vscode.l10n.t('Keep Deletion');
    const answer = await showInformationMessage(
      vscode.l10n.t(
        'The agent deleted {0}. It is not text, so there is nothing to show.',
        path.basename(file.path),
      ),
      restore,
      keep,
    );
    if (answer === undefined) return;
    const command = answer === restore ? 'parley.undoFile' : 'parley.keepFile';
    await vscode.commands.executeCommand(command, vscode.Uri.file(file.path));
  }

  private async closeDecided(): Promise<void> {
    const tabs = vscode.window.tabGroups.all
      .flatMap(group => group.tabs)
      .filter(tab => (this.isAllTab(tab) ? this.review.pending.length === 0 : this.isDecided(tab)));
    if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
  }

  /** A diff of a file with nothing pending. One with unsaved text stays: closing it would ask. */
  private isDecided(tab: vscode.Tab): boolean {
    const input: unknown = tab.input;
    if (!(input instanceof vscode.TabInputTextDiff) || tab.isDirty) return false;
    const shown = reviewDocument(input.original, this.scheme);
    return shown !== undefined && this.review.get(shown.path) === undefined;
  }

  private allTabs(): readonly vscode.Tab[] {
    return vscode.window.tabGroups.all
      .flatMap(group => group.tabs)
      .filter(tab => this.isAllTab(tab));
  }

  /** VS Code names no type for it: known by its title, to which VS Code adds the number of files. */
  private isAllTab({ label, input }: vscode.Tab): boolean {
    return (
      label.startsWith(this.title) &&
      !(input instanceof vscode.TabInputText) &&
      !(input instanceof vscode.TabInputTextDiff) &&
      !(input instanceof vscode.TabInputWebview) &&
      !(input instanceof vscode.TabInputCustom)
    );
  }
}

export function isBinary({ baseline, current }: PendingFile): boolean {
  return baseline.kind === 'binary' || current.kind === 'binary';
}

function diffTitle(file: PendingFile): string {
  const name = path.basename(file.path);
  if (file.change === 'deleted') return vscode.l10n.t('{0} (Deleted by the Agent)', name);
  // VS Code shows no difference then.
  return file.endings === undefined
    ? vscode.l10n.t("{0} (Agent's Changes)", name)
    : vscode.l10n.t("{0} (Agent's Changes: Line Endings Only)", name);
}

/** The multi-file diff takes no editor group to open in, and a chat in an editor tab stays in sight. */
async function leaveChat(): Promise<void> {
  const several = vscode.window.tabGroups.all.length > 1;
  await vscode.commands.executeCommand(
    several ? 'workbench.action.focusNextGroup' : 'workbench.action.newGroupRight',
  );
}
