import * as vscode from 'vscode';
import type { Hunk, PendingFile } from '../../review/model';
import type { Review } from '../../review/review';
import { hunkAt, nextPlace } from './changePlaces';
import type { NextPlace, Standpoint } from './changePlaces';
import type { EditorUris } from './diff/editorUris';
import { wasReloaded } from '../files/documentReload';
import type { ReviewEditors } from './reviewEditors';
import { isBinary } from './reviewEditors';
import { BASELINE_SCHEME, reviewDocument } from './diff/reviewUris';
import { showInformationMessage } from '../messages';

/** Where the caret is among the pending changes, and the way to the next one. */
export class ReviewNavigation {
  /** Where the user wanted to go last. */
  private latest: NextPlace | undefined;
  /** Shown otherwise than in a normal editor only because it has none: the user goes on in normal editors. */
  private withoutEditor: string | undefined;

  constructor(
    private readonly review: Review,
    private readonly editors: ReviewEditors,
    private readonly uris: EditorUris,
    private readonly scheme = BASELINE_SCHEME,
  ) {}

  /** The file in front, if it has pending changes. `uri`: what a menu was opened on. */
  file(uri?: vscode.Uri): PendingFile | undefined {
    if (uri) return this.review.get(this.pathOf(uri) ?? '');
    const shown = activeUri();
    return shown && this.review.get(this.pathOf(shown) ?? '');
  }

  /** The change at the caret, in a normal editor or in either half of a diff. */
  atCaret(): { readonly file: PendingFile; readonly hunk: Hunk } | undefined {
    const from = this.standpoint();
    if (from?.line === undefined) return undefined;
    const file = this.review.get(from.path);
    const hunk = file && hunkAt(file, from.line, from.side);
    return hunk && { file, hunk };
  }

  /** @param from where to start; else where the caret is */
  async go(
    direction: 1 | -1,
    from?: { readonly file: PendingFile; readonly hunk: Hunk },
  ): Promise<void> {
    if (this.review.pending.length === 0) {
      void showInformationMessage(vscode.l10n.t('There are no agent changes to review.'));
      return;
    }
    if (this.editors.isAllActive && (await goInMultiDiff(direction))) return;
    const start = from && {
      path: from.file.path,
      line: from.hunk.current.start,
      side: 'current' as const,
    };
    const place = nextPlace(this.review.pending, start ?? this.standpoint(), direction);
    if (!place) return;
    if (place.wrapped) {
      const message =
        direction === 1
          ? vscode.l10n.t('Wrapped to the first change')
          : vscode.l10n.t('Wrapped to the last change');
      vscode.window.setStatusBarMessage(message, 4000);
    }
    await this.show(place);
  }

  /** Carries out `decide` on the change at the caret, and goes to the one behind it. */
  async goOn(decide: () => Promise<void>): Promise<void> {
    const isAtChange = this.atCaret() !== undefined || this.file()?.hunks.length === 0;
    const next = nextPlace(this.review.pending, this.standpoint(), 1);
    await decide();
    if (!isAtChange || this.review.pending.length === 0) return;
    const file = next && this.review.get(next.file.path);
    const hunk = file?.hunks.find(({ id }) => id === next?.hunk?.id);
    if (file && (hunk !== undefined || !next.hunk)) {
      await this.show({ file, ...(hunk && { hunk }), wrapped: next.wrapped });
    } else await this.go(1);
  }

  /** In a normal editor when the user is in one, else in a diff, which shows what was there before. */
  private async show(place: NextPlace): Promise<void> {
    this.latest = place;
    const { file, hunk } = place;
    const line = hunk?.current.start;
    const plain = this.isInNormalEditor();
    const hasNone = line === undefined || file.change === 'deleted' || isBinary(file);
    this.withoutEditor = plain && hasNone ? file.path : undefined;
    if (!plain || hasNone) {
      await this.editors.open(file, line);
      return;
    }
    const document = await vscode.workspace.openTextDocument(this.uris.uri(file.path));
    const selection = new vscode.Selection(line, 0, line, 0);
    const editor = await vscode.window.showTextDocument(document, { preview: true, selection });
    const read = await wasReloaded(document, file.current);
    // Not when the user has gone on meanwhile.
    if (this.latest !== place || vscode.window.activeTextEditor !== editor) return;
    if (read) editor.selection = selection;
    editor.revealRange(selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  private isInNormalEditor(): boolean {
    const input: unknown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    if (input instanceof vscode.TabInputText && input.uri.scheme === 'file') return true;
    const shown = activeUri();
    const path = shown && this.pathOf(shown);
    return path !== undefined && path === this.withoutEditor;
  }

  private standpoint(): Standpoint | undefined {
    const editor = vscode.window.activeTextEditor;
    const path = editor && this.pathOf(editor.document.uri);
    if (path === undefined) {
      const shown = activeUri();
      const file = shown && this.pathOf(shown);
      return file === undefined ? undefined : { path: this.known(file), side: 'current' };
    }
    const side = editor?.document.uri.scheme === this.scheme ? 'baseline' : 'current';
    const line = editor?.selection.active.line;
    const isGone = editor && reviewDocument(editor.document.uri, this.scheme)?.side === 'gone';
    return {
      path: this.known(path),
      side,
      ...(line !== undefined && isGone !== true && { line }),
    };
  }

  /** As the review names it. */
  private known(path: string): string {
    return this.review.get(path)?.path ?? path;
  }

  private pathOf(uri: vscode.Uri): string | undefined {
    return uri.scheme === 'file' ? uri.fsPath : reviewDocument(uri, this.scheme)?.path;
  }
}

/** The document of the tab in front; of a diff the modified one. */
function activeUri(): vscode.Uri | undefined {
  const input: unknown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputTextDiff) return input.modified;
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) {
    return input.uri;
  }
  return undefined;
}

/** The multi-file diff can be moved in only by its own commands. False when this VS Code has none. */
async function goInMultiDiff(direction: 1 | -1): Promise<boolean> {
  const command =
    direction === 1 ? 'multiDiffEditor.goToNextChange' : 'multiDiffEditor.goToPreviousChange';
  try {
    await vscode.commands.executeCommand(command);
    return true;
  } catch {
    return false;
  }
}
