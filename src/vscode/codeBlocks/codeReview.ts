import * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifecycle';
import type { Disposable } from '../../base/lifecycle';
import { diffLines } from '../../base/lineDiff';
import { showWarningMessage } from '../messages';
import { changesOf, workspaceEdit } from '../files/documentEdits';
import { tabUris } from '../review/diff/memoryDocuments';
import type { MemoryDocuments } from '../review/diff/memoryDocuments';
import { withChange } from './placeCode';

const PROPOSALS_KEY = 'parley.codeProposals';

/**
 * Code of a chat beside the file it would change, in the diff editor: applied or discarded hunk by hunk, or all at once.
 * The difference of the two documents is what is still to be decided, so the user may edit both meanwhile.
 */
export class CodeReview implements vscode.CodeLensProvider, Disposable {
  /** The files, by the address of their proposal. */
  private readonly files = new Map<string, vscode.Uri>();
  private count = 0;
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  private readonly disposables = new DisposableStore();

  /** @param documents those that the user can change and that are saved nowhere */
  constructor(private readonly documents: MemoryDocuments) {
    const { disposables } = this;
    disposables.add(this.changed);
    disposables.add(vscode.languages.registerCodeLensProvider({ scheme: documents.scheme }, this));
    disposables.add(
      vscode.workspace.onDidChangeTextDocument(() => {
        if (this.files.size > 0) this.changed.fire();
      }),
    );
    disposables.add(vscode.window.tabGroups.onDidChangeTabs(() => this.forgetClosed()));
  }

  dispose(): void {
    this.disposables.dispose();
  }

  /** Shows what `text` would change of `file`. */
  async show(file: vscode.Uri, text: string): Promise<void> {
    this.count += 1;
    const modified = this.documents.put(`code/${this.count}`, file.fsPath, text);
    this.files.set(modified.toString(), file);
    const name = vscode.workspace.asRelativePath(file, false);
    await vscode.commands.executeCommand(
      'vscode.diff',
      file,
      modified,
      vscode.l10n.t('{0} (Parley: code from the chat)', name),
      { preview: true },
    );
    this.updateKey();
    this.changed.fire();
  }

  /** Puts into the file what the hunk that begins in `line` of the proposal, from 0, says; without it all hunks. */
  async apply(modified?: vscode.Uri, line?: number): Promise<void> {
    const sides = await this.sides(modified);
    if (!sides) return;
    const { file, code, hunks } = compared(sides);
    const lines = chosen(hunks, line).reduceRight((now, hunk) => withChange(now, code, hunk), file);
    const { original } = sides;
    const wasSaved = !original.isDirty;
    if (!(await write(original, lines))) {
      void showWarningMessage(vscode.l10n.t('The text could not be inserted here.'));
      return;
    }
    // What the user has not saved of it is theirs to save.
    if (wasSaved) await original.save();
    await this.settle(sides);
  }

  /** Takes a hunk, or all, out of the proposal. */
  async discard(modified?: vscode.Uri, line?: number): Promise<void> {
    const sides = await this.sides(modified);
    if (!sides) return;
    const { file, code, hunks } = compared(sides);
    const lines = chosen(hunks, line).reduceRight(
      (now, { before, after }) => withChange(now, file, { before: after, after: before }),
      code,
    );
    await write(sides.proposal, lines);
    await this.settle(sides);
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const sides = await this.sides(document.uri);
    if (!sides) return [];
    const { hunks } = compared(sides);
    const lenses = hunks.flatMap(({ after: { start } }) => [
      lens(document, start, vscode.l10n.t('Apply'), 'parley.applyCode', start),
      lens(document, start, vscode.l10n.t('Discard'), 'parley.discardCode', start),
    ]);
    if (hunks.length < 2) return lenses;
    const at = hunks[0]?.after.start ?? 0;
    return [
      ...lenses,
      lens(document, at, vscode.l10n.t('Apply All {0}', hunks.length), 'parley.applyCode'),
      lens(document, at, vscode.l10n.t('Discard All'), 'parley.discardCode'),
    ];
  }
  /** Of the proposal, or of the one in the active editor. */
  private async sides(modified = activeModified()): Promise<Sides | undefined> {
    const file = modified && this.files.get(modified.toString());
    if (!file) return undefined;
    const [original, proposal] = await Promise.all([
      vscode.workspace.openTextDocument(file),
      vscode.workspace.openTextDocument(modified),
    ]);
    return { original, proposal };
  }

  /** Once nothing is left to be decided the tab closes. */
  private async settle(sides: Sides): Promise<void> {
    const { proposal } = sides;
    // In memory, so that closing asks nothing.
    if (proposal.isDirty) await proposal.save();
    if (compared(sides).hunks.length > 0) return;
    const tabs = vscode.window.tabGroups.all
      .flatMap(group => group.tabs)
      .filter(tab => tabUris(tab).some(uri => uri.toString() === proposal.uri.toString()));
    await vscode.window.tabGroups.close(tabs, true);
  }

  private forgetClosed(): void {
    const shown = new Set(
      vscode.window.tabGroups.all
        .flatMap(group => group.tabs)
        .flatMap(tab => tabUris(tab).map(uri => uri.toString())),
    );
    for (const key of [...this.files.keys()].filter(key => !shown.has(key))) {
      this.files.delete(key);
      this.documents.forget(vscode.Uri.parse(key));
    }
    this.updateKey();
  }

  private updateKey(): void {
    void vscode.commands.executeCommand('setContext', PROPOSALS_KEY, [...this.files.keys()]);
  }
}

interface Sides {
  readonly original: vscode.TextDocument;
  readonly proposal: vscode.TextDocument;
}

function compared({ original, proposal }: Sides) {
  const [file, code] = [linesOf(original), linesOf(proposal)];
  return { file, code, hunks: diffLines(file, code) };
}

function chosen(hunks: ReturnType<typeof diffLines>, line: number | undefined): typeof hunks {
  return line === undefined ? hunks : hunks.filter(({ after }) => after.start === line);
}

function linesOf(document: vscode.TextDocument): readonly string[] {
  return document.getText().split(/\r?\n/);
}

function write(document: vscode.TextDocument, lines: readonly string[]): Thenable<boolean> {
  const changes = changesOf(document, document.getText(), lines.join('\n'));
  return vscode.workspace.applyEdit(workspaceEdit(document, changes));
}

function activeModified(): vscode.Uri | undefined {
  const input: unknown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}

function lens(
  { uri, lineCount }: vscode.TextDocument,
  line: number,
  title: string,
  command: string,
  hunk?: number,
): vscode.CodeLens {
  const at = Math.min(line, lineCount - 1);
  return new vscode.CodeLens(new vscode.Range(at, 0, at, 0), {
    title,
    command,
    arguments: [uri, ...(hunk === undefined ? [] : [hunk])],
  });
}
