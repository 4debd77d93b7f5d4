import * as path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/lifecycle';
import type { Disposable } from '../../../base/lifecycle';
import type { PendingFile } from '../../../review/model';
import type { Review } from '../../../review/review';
import type { EditorUris } from '../diff/editorUris';
import { watchValue } from '../../settings/watchValue';
import { isBinary } from '../reviewEditors';
import { BASELINE_SCHEME, baselineUri } from '../diff/reviewUris';

const SETTING = 'parley.review.sourceControl';

/**
 * Pending changes in the Source Control view, in the gutter, and in the gutter's peek, for those who ask for
 * it: it changes the layout of the whole view. The entry is there only while something is pending.
 */
export class ReviewSourceControl implements vscode.QuickDiffProvider, Disposable {
  private readonly disposables = new DisposableStore();
  private control: vscode.SourceControl | undefined;
  private group: vscode.SourceControlResourceGroup | undefined;
  /** What nothing says an agent changed. */
  private unclaimed: vscode.SourceControlResourceGroup | undefined;
  /** Files as VS Code last got them: what it compares with, by path. */
  private shown: ReadonlyMap<string, string> = new Map();
  /** The entries as they are listed, in words. */
  private listed = '';

  constructor(
    private readonly review: Review,
    private readonly uris: EditorUris,
    private readonly scheme = BASELINE_SCHEME,
  ) {
    this.disposables.add(review.onDidChange(() => this.update()));
    this.disposables.add(
      watchValue(vscode.workspace.onDidChangeConfiguration, isWanted, () => this.update()),
    );
    this.update();
  }

  /** True while the entry is in the Source Control view. */
  get isShown(): boolean {
    return this.control !== undefined;
  }

  provideOriginalResource(uri: vscode.Uri): vscode.Uri | undefined {
    if (uri.scheme !== 'file') return undefined;
    const file = this.review.get(uri.fsPath);
    return file && this.original(file);
  }

  dispose(): void {
    this.close();
    this.disposables.dispose();
  }

  private update(): void {
    const { pending } = this.review;
    if (pending.length === 0 || !isWanted()) {
      this.close();
      return;
    }
    const control = (this.control ??= this.open(pending));
    this.group ??= this.makeGroup(control);
    this.unclaimed ??= this.makeUnclaimedGroup(control);
    const listed = JSON.stringify(
      pending.map(({ path: file, change, unclaimed }) => [file, change, unclaimed]),
    );
    if (listed !== this.listed) {
      this.listed = listed;
      const statesOf = (files: readonly PendingFile[]) => files.map(file => this.state(file));
      const others = pending.filter(({ unclaimed }) => unclaimed);
      this.group.resourceStates = statesOf(pending.filter(({ unclaimed }) => !unclaimed));
      this.unclaimed.resourceStates = statesOf(others);
      const agents = new Set(others.flatMap(({ unclaimed }) => unclaimed ?? []));
      this.unclaimed.label = vscode.l10n.t('Changed while {0} worked', [...agents].join(', '));
    }
    this.ask(control, pending);
  }

  /** VS Code asks once for each file and provider; what became pending meanwhile it must be asked about again. */
  private ask(control: vscode.SourceControl, pending: readonly PendingFile[]): void {
    const now = new Map(
      pending.map(file => [file.path, this.original(file)?.toString() ?? ''] as const),
    );
    const { shown } = this;
    if (now.size === shown.size && [...now].every(([file, uri]) => shown.get(file) === uri)) return;
    this.shown = now;
    Object.assign(control, { quickDiffProvider: undefined });
    control.quickDiffProvider = this;
  }

  private original(file: PendingFile): vscode.Uri | undefined {
    if (file.change === 'deleted' || isBinary(file)) return undefined;
    return baselineUri(file, this.scheme);
  }

  private open(pending: readonly PendingFile[]): vscode.SourceControl {
    const [first] = pending;
    // With a root of its own it comes before git where both have marks on a line.
    const folder = first && vscode.workspace.getWorkspaceFolder(this.uris.uri(first.path));
    const control = vscode.scm.createSourceControl(
      'parley',
      vscode.l10n.t('Agent Changes'),
      folder?.uri,
    );
    control.inputBox.visible = false;
    // Git counts the same files in the number at the view's icon, and the chat has its own.
    control.count = 0;
    return control;
  }

  private makeGroup(control: vscode.SourceControl): vscode.SourceControlResourceGroup {
    return control.createResourceGroup('pending', vscode.l10n.t('Changes to Review'));
  }

  private makeUnclaimedGroup(control: vscode.SourceControl): vscode.SourceControlResourceGroup {
    const group = control.createResourceGroup('unclaimed', '');
    group.hideWhenEmpty = true;
    return group;
  }

  private state(file: PendingFile): vscode.SourceControlResourceState {
    const resourceUri = this.uris.uri(file.path);
    return {
      resourceUri,
      command: {
        command: 'parley.openChanges',
        title: vscode.l10n.t("Show the Agent's Changes"),
        arguments: [resourceUri],
      },
      decorations: {
        strikeThrough: file.change === 'deleted',
        tooltip: path.basename(file.path),
      },
      contextValue: file.change,
    };
  }

  private close(): void {
    this.control?.dispose();
    this.control = undefined;
    this.group = undefined;
    this.unclaimed = undefined;
    this.shown = new Map();
    this.listed = '';
  }
}

function isWanted(): boolean {
  return vscode.workspace.getConfiguration().get(SETTING) === true;
}
